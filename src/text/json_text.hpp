/// JSON from text and to text, compiled once: in each file that did it itself it would take
/// seconds.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace dibs::text {

/// On one line, or with so many spaces a level. What is not UTF-8 (paths need not be) is replaced.
[[nodiscard]] std::string json_as_text(const nlohmann::ordered_json& j, int indent = -1);

/// The same for a script element of a page: without a `<`, which stands in strings only, where it
/// may be written `\u003c`; and a whole number that no script can hold (2^53 and above, as a seed
/// may be) as a string of its digits.
[[nodiscard]] std::string json_for_script(nlohmann::ordered_json j);

/// JSON on one line whose strings are shown as they are: what `display_text` escapes, but line ends
/// and tabs, is such an escape in them, which no parser takes away.
[[nodiscard]] std::string shown_json(std::string_view json);

/// `is_discarded()` if the text is no JSON.
[[nodiscard]] nlohmann::ordered_json text_as_json(std::string_view text);

}  // namespace dibs::text
