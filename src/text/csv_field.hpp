/// Text in a field of CSV.
#pragma once

#include <string>
#include <string_view>

namespace dibs::text {

/// In quotes where it holds what parts fields, without control characters, and with an apostrophe
/// before what a spreadsheet would take for a formula: text that begins with = + - or @. A number
/// stays one, with its unit too: `-3`, `-12s`, `+1.5e3`.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace dibs::text
