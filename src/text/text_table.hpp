/// A table for the terminal, in parts where it is wider than that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dibs::text {

enum class side : std::uint8_t { left, right };

struct table_style {
  side first = side::left;    ///< to which side the first column goes
  side others = side::right;  ///< and all others
  int width = 120;            ///< columns of the terminal
  std::size_t repeated = 1;   ///< columns that each part begins with, for they name its rows
};

/// Columns as wide as they must be, two spaces apart, a line for each row. Where they do not fit
/// beside each other they come in parts, one below the other; a column without a title in the first
/// row stays with the one before. Requires: a row, and all rows as long as the first.
[[nodiscard]] std::string in_columns(const std::vector<std::vector<std::string>>& rows,
                                     const table_style& how);

}  // namespace dibs::text
