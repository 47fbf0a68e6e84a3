/// The first rows of a file of somebody's own, by which its columns are told.
#pragma once

#include "base/result.hpp"
#include "scenario/request_columns.hpp"
#include "world/zones.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
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
};

/// Errors (exit 3): it cannot be read, or has no rows.
[[nodiscard]] result<file_sample> read_sample(const std::filesystem::path& path,
                                              std::size_t rows_max);

/// The first so many rows of it.
[[nodiscard]] file_sample first_rows(const file_sample& s, std::size_t rows_max);

[[nodiscard]] bool is_of_kind(const std::string& value,
                              column_kind kind,
                              char separator,
                              const world::zone_map& zones);

/// The column that fits best by its name, of those whose values fit and that are not taken; the
/// first of equals.
[[nodiscard]] std::optional<std::size_t> column_for(const file_sample& s,
                                                    column_kind kind,
                                                    trip_end end,
                                                    const world::zone_map& zones,
                                                    const std::set<std::size_t>& taken = {});

/// Nothing is said of a file whose columns cannot be told but which these are.
[[nodiscard]] tl::unexpected<error> no_column(const std::filesystem::path& path,
                                              const file_sample& s,
                                              const char* what);

}  // namespace dibs::scenario
