/// The tables of `sweep.sqlite`, the journal of a sweep. A test compares them with a file of its.
#pragma once

#include <span>
#include <string_view>

namespace dibs::formats {

struct journal_column {
  std::string_view table;
  std::string_view name;
  std::string_view meaning;
};

[[nodiscard]] std::span<const journal_column> journal_columns();

}  // namespace dibs::formats
