/// How a file of people's own says how many rides go from where to where.
#pragma once

#include "base/time.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace dibs::world {

enum class matrix_form : std::uint8_t {
  pairs,   ///< a row for each pair of places, perhaps of each period of the day
  square,  ///< a row for each origin, a column for each destination, named by the first line
};

/// What the columns of the pairs are called in the file's first line. Where latitude and longitude
/// are one column, it holds WKT points, cells of H3, or ids where there is a file of zones.
struct matrix_columns {
  std::string lat = "origin";
  std::string lon = "origin";
  std::string to_lat = "destination";
  std::string to_lon = "destination";
  std::string rides = "rides";           ///< how many, or how often
  std::optional<std::string> time{};     ///< when the period begins; it is the day if absent
  std::optional<std::string> to_time{};  ///< when it ends
  std::optional<std::string> date{};     ///< of which day the row is, where `time` has none

  [[nodiscard]] bool operator==(const matrix_columns&) const = default;
};

struct matrix_format {
  matrix_form form = matrix_form::pairs;
  matrix_columns columns{};
  std::optional<sim_duration> per{};  ///< in which so many ride; the row's period if absent
  sim_duration period{1h};            ///< of rows that say when it begins, not when it ends

  [[nodiscard]] bool operator==(const matrix_format&) const = default;
};

}  // namespace dibs::world
