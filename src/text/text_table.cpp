#include "text/text_table.hpp"

#include "text/terminal.hpp"

#include <algorithm>
#include <utility>

namespace dibs::text {
namespace {

/// The columns of one part.
using part = std::vector<std::size_t>;

std::vector<int> widths_of(const text_cells& rows) {
  std::vector<int> widths(rows.front().size(), 0);
  for (const auto& row_cells : rows) {
    for (std::size_t i = 0; i < row_cells.size(); ++i) {
      widths[i] = std::max(widths[i], columns(row_cells[i]));
    }
  }
  return widths;
}

constexpr int gap = 2;

std::vector<part> parts_of(const text_cells& rows,
                           const std::vector<int>& widths,
                           const table_style& how) {
  part names;
  int wide_names = how.indent;
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

int width_of(const text_cells& rows, const table_style& how) {
  int width = how.indent - gap;
  for (const int each : widths_of(rows)) {
    width += gap + each;
  }
  return width;
}

std::vector<std::string> lines_in_columns(const text_cells& rows,
                                          const table_style& how,
                                          std::span<const side> to) {
  const std::vector<int> widths = widths_of(rows);
  std::vector<std::string> lines;
  for (const part& each : parts_of(rows, widths, how)) {
    lines.resize(lines.empty() ? 0 : lines.size() + 1);
    for (const auto& row_cells : rows) {
      std::string line(static_cast<std::size_t>(how.indent), ' ');
      for (const std::size_t i : each) {
        const bool to_left = to.empty() ? i == 0 : to[i] == side::left;
        line += (i > 0 ? std::string(gap, ' ') : "") +
                (to_left ? left(row_cells[i], widths[i]) : right(row_cells[i], widths[i]));
      }
      line.erase(line.find_last_not_of(' ') + 1);
      lines.push_back(std::move(line));
    }
  }
  return lines;
}

std::string in_columns(const text_cells& rows, const table_style& how, std::span<const side> to) {
  return joined_lines(lines_in_columns(rows, how, to));
}

}  // namespace dibs::text
