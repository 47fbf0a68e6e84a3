/// A table, whatever it is shown as: in a terminal or in Markdown for people, as CSV for programs.
///
/// Its builder says what stands in a cell, and in which unit; how that is written is said here
/// once.
#pragma once

#include "stats/estimate.hpp"
#include "text/terminal.hpp"
#include "text/text_table.hpp"
#include "text/unit.hpp"

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace dibs::text {

using cell_value =
    std::variant<std::monostate, std::string, double, std::uint64_t, bool, stats::estimate>;

/// How words look in Markdown.
enum class emphasis : std::uint8_t {
  none,
  strong,
  code,      ///< a word of the program's own
  markdown,  ///< they are Markdown already
};

struct cell {
  cell() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): rows are written down as lists of words
  cell(std::string words, emphasis how = emphasis::none) : value(std::move(words)), mark(how) {}
  explicit cell(double number, unit u = unit::ratio) : value(number), in(u) {}
  explicit cell(std::uint64_t whole) : value(whole) {}
  template <std::same_as<bool> Bool>  // nor of a pointer
  explicit cell(Bool yes) : value(yes) {}
  explicit cell(const std::optional<stats::estimate>& e, unit u = unit::ratio) : in(u) {
    if (e) {
      value = *e;
    }
  }

  cell_value value{};
  unit in = unit::ratio;
  emphasis mark = emphasis::none;
};

struct column {
  std::string title;
  side to = side::left;
  emphasis mark = emphasis::none;
  bool has_ends = false;  ///< holds estimates: three columns of CSV, the others low_95 and high_95
  int goes = 0;           ///< 1: the first to be left out where it is narrow, 2: the next; 0: stays
};

/// Figures stand to the right.
[[nodiscard]] inline column figures(std::string_view title, int goes = 0) {
  return {.title = std::string(title), .to = side::right, .goes = goes};
}

using row = std::vector<cell>;

/// Requires: all rows are as long as there are columns.
struct table {
  std::vector<column> columns;
  std::vector<row> rows;
};

/// With titles; figures as people read them, and `-` where there is none.
[[nodiscard]] std::string as_markdown(const table& t);

/// For the terminal, as `text::in_columns` lays it out; without a line of titles if there is none.
[[nodiscard]] std::string as_text(const table& t, const terminal_style& l, const table_style& how);
[[nodiscard]] std::vector<std::string> as_lines(const table& t,
                                                const terminal_style& l,
                                                const table_style& how);

/// How wide the terminal must be for it, so that it does not come in parts.
[[nodiscard]] int width_of(const table& t, const terminal_style& l, const table_style& how);

/// Without columns that go, as few as it takes to fit.
[[nodiscard]] table narrowed(table t, const terminal_style& l, const table_style& how);

/// With titles; numbers in their shortest form that reads back equal, nothing where there is none.
[[nodiscard]] std::string as_csv(const table& t);

/// Its lines one by one, for what is too long to be kept whole.
[[nodiscard]] std::string csv_titles(std::span<const column> columns);
[[nodiscard]] std::string csv_row(std::span<const column> columns, const row& cells);

}  // namespace dibs::text
