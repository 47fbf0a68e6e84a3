#include "text/table.hpp"

#include "base/append.hpp"
#include "text/csv_field.hpp"
#include "text/markdown.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dibs::text {
namespace {

template <class... Cases>
struct each_of : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
each_of(Cases...) -> each_of<Cases...>;

/// As people read it.
std::string display_of(const cell& c, const std::string& plus_minus) {
  return std::visit(
      each_of{[](std::monostate) { return std::string("-"); },
              [](const std::string& words) { return words; },
              [&](double number) { return format_value(number, c.in); },
              [](std::uint64_t whole) { return std::to_string(whole); },
              [](bool yes) { return std::string(yes ? "yes" : "no"); },
              [&](const stats::estimate& e) { return format_value(e, c.in, plus_minus); }},
      c.value);
}

text_cells cells_of(const table& t, const terminal_style& l) {
  text_cells lines;
  if (std::ranges::any_of(t.columns, [](const column& c) { return !c.title.empty(); })) {
    lines.emplace_back();
    for (const column& c : t.columns) {
      lines.back().push_back(c.title);
    }
  }
  for (const row& cells : t.rows) {
    lines.emplace_back();
    for (const cell& c : cells) {
      lines.back().push_back(display_of(c, plus_minus(l)));
    }
  }
  return lines;
}

std::string marked(const std::string& words, emphasis how) {
  switch (how) {
    case emphasis::none:
      return markdown_cell(words);
    case emphasis::strong:
      return "**" + markdown_cell(words) + "**";
    case emphasis::code:
      return markdown_code(words);
    case emphasis::markdown:
      break;
  }
  return words;
}

std::string markdown_of(const cell& c) {
  const auto* words = std::get_if<std::string>(&c.value);
  return words != nullptr ? marked(*words, c.mark) : display_of(c, "\u00b1");
}

void append_csv(std::string& line, const cell& c, bool has_ends) {
  const auto number = [&](double x) { append(line, "{}", x); };
  std::visit(each_of{[](std::monostate) {},
                     [&](const std::string& words) { line += csv_field(words); },
                     number,
                     [&](std::uint64_t whole) { append(line, "{}", whole); },
                     [&](bool yes) { line += yes ? "true" : "false"; },
                     [&](const stats::estimate& e) { number(e.value); }},
             c.value);
  if (has_ends) {
    const auto* e = std::get_if<stats::estimate>(&c.value);
    line += e != nullptr && e->margin ? fmt::format(",{},{}", e->low(), e->high()) : ",,";
  }
}

}  // namespace

std::string as_markdown(const table& t) {
  std::string text = "|";
  std::string rule = "|";
  for (const column& c : t.columns) {
    text += c.title.empty() ? " |" : " " + marked(c.title, c.mark) + " |";
    rule += c.to == side::right ? "---:|" : "---|";
  }
  text += "\n" + rule + "\n";
  for (const row& cells : t.rows) {
    text += "|";
    for (const cell& c : cells) {
      text += " " + markdown_of(c) + " |";
    }
    text += "\n";
  }
  return text;
}

std::string as_text(const table& t, const terminal_style& l, const table_style& how) {
  return joined_lines(as_lines(t, l, how));
}

std::vector<std::string> as_lines(const table& t, const terminal_style& l, const table_style& how) {
  std::vector<side> sides;
  for (const column& c : t.columns) {
    sides.push_back(c.to);
  }
  return lines_in_columns(cells_of(t, l), how, sides);
}

int width_of(const table& t, const terminal_style& l, const table_style& how) {
  return width_of(cells_of(t, l), how);
}

table narrowed(table t, const terminal_style& l, const table_style& how) {
  for (int next = 1; width_of(t, l, how) > how.width; ++next) {
    const auto found = std::ranges::find(t.columns, next, &column::goes);
    if (found == t.columns.end()) {
      break;
    }
    const auto at = found - t.columns.begin();
    t.columns.erase(found);
    for (row& cells : t.rows) {
      cells.erase(cells.begin() + at);
    }
  }
  return t;
}

std::string csv_titles(std::span<const column> columns) {
  std::string line;
  for (const column& c : columns) {
    line += (line.empty() ? "" : ",") + csv_field(c.title) + (c.has_ends ? ",low_95,high_95" : "");
  }
  return line + "\n";
}

std::string csv_row(std::span<const column> columns, const row& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += i > 0 ? "," : "";
    append_csv(line, cells[i], columns[i].has_ends);
  }
  return line + "\n";
}

std::string as_csv(const table& t) {
  std::string text = csv_titles(t.columns);
  for (const row& cells : t.rows) {
    text += csv_row(t.columns, cells);
  }
  return text;
}

}  // namespace dibs::text
