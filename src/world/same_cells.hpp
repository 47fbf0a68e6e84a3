/// Rows of a matrix that name one pair and one period several times. Where they differ in another
/// column, as in the age of those who ride, each counts some of these rides, and they are added up.
#pragma once

#include "base/result.hpp"
#include "world/matrix_stretches.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::world {

/// The columns of a matrix that say nothing of where, when and how many. One without a name, as
/// that of the rows' numbers, is none.
class other_columns {
 public:
  other_columns() = default;
  /// `used`: those that say it.
  other_columns(std::span<const std::string_view> names, const std::set<std::size_t>& used);

  /// Numbers with decimals do not count: they measure what the row counts, as its kilometres.
  void look_at(std::span<const std::string_view> fields, char separator, said_rate& row) const;

  /// In which of them the lines of each pair differ: their names, fit for a message. Errors: the
  /// file cannot be read; one of them holds dates, of which a matrix has the mean and not the sum;
  /// they differ in no more than measures.
  [[nodiscard]] result<std::vector<std::string>> that_differ(
      const std::filesystem::path& path,
      std::uint64_t bytes_max,
      const std::vector<std::pair<std::uint64_t, std::uint64_t>>& lines) const;

 private:
  struct column {
    std::size_t at = 0;
    std::string name;
    bool says_when = false;  ///< by its name
  };
  std::vector<column> columns_;
};

struct rows_added_up {
  std::uint64_t rows = 0;   ///< that share their pair and period with others
  std::uint64_t cells = 0;  ///< that they make
  std::vector<std::pair<std::uint64_t, std::uint64_t>> lines;  ///< of the first of them
};

using row_pair = std::pair<said_rate, said_rate>;

/// Makes one of those that have one pair and one period. Errors: the first two that say the same
/// in all other columns, or differ in one that is named as a day or an hour. Requires: they are in
/// order of pair, day, begin, end, length and line.
[[nodiscard]] tl::expected<rows_added_up, row_pair> add_up(std::vector<said_rate>& said);

}  // namespace dibs::world
