/// A table for the terminal, in parts where it is wider than that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dibs::text {

enum class side : std::uint8_t { left, right };

struct table_style {
  int width = 120;           ///< columns of the terminal
  std::size_t repeated = 1;  ///< columns that each part begins with, for they name its rows
  int indent = 0;            ///< spaces before each line
};

using text_cells = std::vector<std::vector<std::string>>;

/// Columns as wide as they must be, two spaces apart, a line for each row. Where they do not fit
/// beside each other they come in parts, one below the other; a column without a title in the first
/// row stays with the one before. `to`: the side of each column; without it the first goes to the
/// left, as a name does, and all others to the right, as figures do. Requires: a row, and all rows
/// as long as the first.
[[nodiscard]] std::vector<std::string> lines_in_columns(const text_cells& rows,
                                                        const table_style& how,
                                                        std::span<const side> to = {});
[[nodiscard]] std::string in_columns(const text_cells& rows,
                                     const table_style& how,
                                     std::span<const side> to = {});

/// How wide the lines are where they do not come in parts.
[[nodiscard]] int width_of(const text_cells& rows, const table_style& how);

}  // namespace dibs::text
