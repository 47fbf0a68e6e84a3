/// JSON from text and to text, compiled once: in each file that did it itself it would take
/// seconds.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace dibs::text {

/// On one line, or with so many spaces a level. What is not UTF-8 (paths need not be) is replaced.
[[nodiscard]] std::string json_as_text(const nlohmann::ordered_json& j, int indent = -1);

/// `is_discarded()` if the text is no JSON.
[[nodiscard]] nlohmann::ordered_json text_as_json(std::string_view text);

}  // namespace dibs::text
