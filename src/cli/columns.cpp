#include "cli/columns.hpp"

#include "report/look.hpp"

#include <algorithm>
#include <cstddef>

namespace dibs::cli {

std::string in_columns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<int> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], report::columns(row[i]));
    }
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += i == 0 ? report::left(row[i], widths[i]) : "  " + report::right(row[i], widths[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

}  // namespace dibs::cli
