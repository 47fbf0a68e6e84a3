#include "text/text_table.hpp"

#include "text/terminal.hpp"

#include <algorithm>

namespace dibs::text {
namespace {

using cells = std::vector<std::vector<std::string>>;

/// The columns of one part.
using part = std::vector<std::size_t>;

std::vector<int> widths_of(const cells& rows) {
  std::vector<int> widths(rows.front().size(), 0);
  for (const auto& row_cells : rows) {
    for (std::size_t i = 0; i < row_cells.size(); ++i) {
      widths[i] = std::max(widths[i], columns(row_cells[i]));
    }
  }
  return widths;
}

constexpr int gap = 2;

std::vector<part> parts_of(const cells& rows,
                           const std::vector<int>& widths,
                           const table_style& how) {
  part names;
  int wide_names = 0;
  for (std::size_t i = 0; i < std::min(how.repeated, widths.size()); ++i) {
    names.push_back(i);
    wide_names += widths[i] + (i > 0 ? gap : 0);
  }
  std::vector<part> parts{names};
  int used = wide_names;
  for (std::size_t i = names.size(); i < widths.size();) {
    // The column with those that have no title of their own.
    std::size_t end = i + 1;
    int needed = gap + widths[i];
    for (; end < widths.size() && rows.front()[end].empty() && !rows.front()[i].empty(); ++end) {
      needed += gap + widths[end];
    }
    if (used + needed > how.width && parts.back().size() > names.size()) {
      parts.push_back(names);
      used = wide_names;
    }
    used += needed;
    for (; i < end; ++i) {
      parts.back().push_back(i);
    }
  }
  return parts;
}

}  // namespace

std::string in_columns(const cells& rows, const table_style& how) {
  const std::vector<int> widths = widths_of(rows);
  std::string text;
  for (const part& each : parts_of(rows, widths, how)) {
    text += text.empty() ? "" : "\n";
    for (const auto& row_cells : rows) {
      std::string line;
      for (const std::size_t i : each) {
        const side to = i == 0 ? how.first : how.others;
        line += (i > 0 ? std::string(gap, ' ') : "") +
                (to == side::left ? left(row_cells[i], widths[i]) : right(row_cells[i], widths[i]));
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
  }
  return text;
}

}  // namespace dibs::text
