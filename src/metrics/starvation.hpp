/// Hidden-supply starvation: rides that wait, with nobody available near them, while drivers near
/// them are held for other rides.
///
/// The outcome of a lease is known only when it is over, so who waited, who was available and who
/// was held is collected during the run and joined at its end.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "metrics/interval.hpp"
#include "metrics/rides.hpp"
#include "metrics/spells.hpp"
#include "metrics/tries.hpp"
#include "metrics/waiting.hpp"

#include <optional>
#include <vector>

namespace dibs::metrics {

/// What one ride went through.
struct hardship {
  sim_duration length{};
  sim_time since = never;
};

struct starvation {
  wide_ns total = 0;              ///< by leases that came to nothing
  wide_ns upper = 0;              ///< by any lease
  ride_id worst;                  ///< that starved longest, if any did
  std::vector<hardship> by_ride;  ///< of `total`
};

/// What is joined; all in the order of their begin.
struct scarcity {
  const wait_list& waits;
  const spell_list& available;
  const spell_list& held;  ///< by a lease, online, and not on a trip
  const place_list& places;
};

/// A ride that waits has no live lease itself: every lease is another's.
[[nodiscard]] starvation starve(const scarcity& who,
                                const ride_list& rides,
                                const try_table& tries,
                                const interval& window,
                                std::optional<double> radius_m);

}  // namespace dibs::metrics
