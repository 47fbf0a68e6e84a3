/// How long drivers took to answer an offer, beside the time that they had.
#pragma once

#include "history/indexed_run.hpp"

#include <cstdint>
#include <vector>

namespace dibs::history {

/// Offers of the measured time, each counted once, by what came of it and, if it was answered, by
/// how long after it was shown. An answer belongs to the time in which it was given, as `accepts.*`
/// count it; an offer without one to that in which it was sent.
struct responses {
  sim_duration step{};
  std::vector<std::uint64_t> accepted;  ///< in time
  std::vector<std::uint64_t> declined;
  std::vector<std::uint64_t> late;  ///< accepted when her time was over
  std::uint64_t unanswered = 0;
  std::uint64_t undelivered = 0;  ///< sent, and never shown
};

/// The last step holds what took longer. Requires: step > 0, steps > 0.
[[nodiscard]] responses response_times(const indexed_run& c, sim_duration step, std::size_t steps);

}  // namespace dibs::history
