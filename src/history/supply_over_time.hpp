/// Supply over time: how many drivers, on average over each step, were off line, available, under a
/// lease that led to no trip (by cause), under a lease that led to a trip, and on a trip. Each
/// driver's instant counts once, on trip before leased before available, so the layers add up to
/// the fleet.
#pragma once

#include "base/time.hpp"
#include "history/indexed_run.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dibs::history {

struct supply_layers {
  sim_duration step{};
  std::vector<std::string> layers;  ///< names, as indexed below
  /// By layer and step: driver-nanoseconds. The last step may be cut short by the end of the run.
  std::vector<std::vector<std::int64_t>> spent;
  std::vector<sim_time> begins;  ///< of each step
};

/// The layers in front of the parts of hidden time, which are those of `metrics::hidden_parts()`.
enum class layer : std::uint8_t { offline, available, converting, on_trip };
inline constexpr std::size_t layers_before_parts = 4;

/// In steps of at least `step`, and at most `steps_max` of them, each a multiple of `step`; one
/// begins with the measured time.
[[nodiscard]] supply_layers supply_over_time(const indexed_run& c,
                                             sim_duration step,
                                             std::size_t steps_max);

}  // namespace dibs::history
