/// What a check found, for programs.
#pragma once

#include "report/check_text.hpp"

#include <span>
#include <string>

namespace dibs::report {

/// A list with an object for each column; `dibs formats` has its members. Shares are fractions,
/// times in seconds.
[[nodiscard]] std::string json_of(std::span<const checked_column> columns);

}  // namespace dibs::report
