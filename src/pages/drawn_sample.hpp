/// Which drivers, rides and tries are drawn one by one: all of them, or every k-th driver with her
/// tries and every k-th ride, and whoever a breach is about.
#pragma once

#include "explain/explanation.hpp"
#include "explain/harm.hpp"
#include "history/indexed_run.hpp"
#include "metrics/starvation.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dibs::pages {

struct drawn_sample {
  std::uint32_t every = 1;                ///< driver, and ride; 1: all are there
  std::vector<bool> drivers;              ///< by driver
  std::vector<ride_id> rides;             ///< in their order
  std::vector<metrics::try_index> tries;  ///< in the order of their begin
  std::vector<std::int64_t> rows;         ///< by try: its place in `tries`, or `missing`
  metrics::starvation_shares starved;
  std::size_t tries_in_all = 0;
  std::size_t rides_in_all = 0;

  [[nodiscard]] std::int64_t row_of(metrics::try_index i) const;
  [[nodiscard]] std::int64_t starved_ms(ride_id r) const;
  /// What a page says about it.
  [[nodiscard]] nlohmann::ordered_json json_of() const;
};

struct sample_options {
  std::size_t tries_max = 60'000;
  const explain::explanation* story = nullptr;  ///< only those who are in it
};

[[nodiscard]] drawn_sample sample_of(const history::indexed_run& c,
                                     const std::vector<explain::harm>& harms,
                                     const sample_options& how);

}  // namespace dibs::pages
