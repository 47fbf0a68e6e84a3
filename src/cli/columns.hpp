/// A table for the terminal.
#pragma once

#include <string>
#include <vector>

namespace dibs::cli {

/// Columns as wide as they must be; the first to the left, the others to the right. Requires: a
/// row, and all rows as long as the first.
[[nodiscard]] std::string in_columns(const std::vector<std::vector<std::string>>& rows);

}  // namespace dibs::cli
