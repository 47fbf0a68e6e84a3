/// Tables as a page holds them: one array of whole numbers for each column, so that a million cells
/// stay a few megabytes.
#pragma once

#include "base/time.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::pages {

class column_table {
 public:
  /// `names`: of the columns, in the order in which `add` gets their values.
  explicit column_table(std::vector<std::string> names) : names_(std::move(names)) {
    texts_.resize(names_.size());
  }

  /// Requires: as many values as there are columns.
  void add(const std::vector<std::int64_t>& row);

  [[nodiscard]] std::uint64_t rows() const { return rows_; }
  /// `{"rows":2,"t":[1,2],"driver":[7,8]}`
  [[nodiscard]] std::string json() const;

 private:
  std::vector<std::string> names_;
  std::vector<std::string> texts_;
  std::uint64_t rows_ = 0;
};

/// -1 for what never came to be: no run begins before 0.
inline constexpr std::int64_t missing = -1;

/// Whole milliseconds since the start of the run; `missing` at or after `end`.
[[nodiscard]] std::int64_t in_ms(sim_time t, sim_time end);

}  // namespace dibs::pages
