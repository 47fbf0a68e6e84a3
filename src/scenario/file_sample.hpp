/// The first rows of a file of somebody's own, by which its columns are told.
#pragma once

#include "base/result.hpp"
#include "scenario/request_columns.hpp"
#include "text/clock_time.hpp"
#include "text/text_source.hpp"
#include "world/matrix_times.hpp"
#include "world/zones.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::scenario {

/// Columns are judged by so many rows, and places by so many.
inline constexpr std::size_t sample_max = 1000;
inline constexpr std::size_t placed_max = 50'000;
/// The share of values that must be what a column is taken for.
inline constexpr double fits_from = 0.7;

struct file_sample {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;  ///< as long as the first line
  char separator = ',';
  text::text_encoding encoding = text::text_encoding::utf8;
};

/// Errors (exit 3): it cannot be read, or has no rows.
[[nodiscard]] result<file_sample> read_sample(const std::filesystem::path& path,
                                              std::size_t rows_max);

/// The first so many rows of it.
[[nodiscard]] file_sample first_rows(const file_sample& s, std::size_t rows_max);

/// That reads the times of a column as the whole of it must be read: where some date with slashes
/// has no such month, the day is first.
[[nodiscard]] text::clock_time_reader times_of(const file_sample& s, std::size_t column);

/// What the numbers in a column of a matrix's periods are, by its name or by all of them.
[[nodiscard]] world::period_numbers numbers_of(const file_sample& s, std::size_t column);

/// The column that fits best by its name, of those whose values fit and that are not taken; the
/// first of equals. Blank values do not count, but not all may be blank.
[[nodiscard]] std::optional<std::size_t> column_for(const file_sample& s,
                                                    column_kind kind,
                                                    trip_end end,
                                                    const world::zone_map& zones,
                                                    const std::set<std::size_t>& taken = {});

/// A column's name and first value: `hour (17)`.
[[nodiscard]] std::string shown_column(const file_sample& s, std::size_t column);
/// The columns and their first values; of an empty file nothing.
[[nodiscard]] std::string shown_columns(const file_sample& s);

/// Which columns there are, what they may be called, and what may be wrong with the file. `names`:
/// such as fit.
[[nodiscard]] tl::unexpected<error> no_column(const std::filesystem::path& path,
                                              const file_sample& s,
                                              const char* what,
                                              column_kind kind,
                                              std::vector<std::string_view> names);

}  // namespace dibs::scenario
