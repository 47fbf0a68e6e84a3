/// JSON as a page may hold it.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace dibs::pages {

/// Without a `<`: it stands in strings only, where it may be written `\u003c`. What is not UTF-8 is
/// replaced, and a whole number that no script can hold (2^53 and above, as a seed may be) is a
/// string of its digits.
[[nodiscard]] std::string script_safe(nlohmann::ordered_json j);

/// Name, unit, direction and definition of every metric.
[[nodiscard]] nlohmann::ordered_json catalogue_json();

}  // namespace dibs::pages
