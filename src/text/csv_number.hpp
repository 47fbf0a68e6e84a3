/// Numbers as they stand in files of separated values.
#pragma once

#include <optional>
#include <string_view>

namespace dibs::text {

/// The finite number of a field, where it is one: `1,327` is, and `40,7` where another character
/// than a comma parts the fields. Spaces around it do not count.
[[nodiscard]] std::optional<double> number_in_field(std::string_view field, char separator);

}  // namespace dibs::text
