/// The two tries of a double offer, accept or assignment: which they are, of all that the run has.
#pragma once

#include "base/time_interval.hpp"
#include "history/indexed_run.hpp"
#include "metrics/metrics.hpp"
#include "metrics/tries.hpp"

#include <optional>
#include <string>

namespace dibs::explain {

struct overlapping_tries {
  metrics::try_index first = metrics::no_try;  ///< the one that began first
  metrics::try_index second = metrics::no_try;
  bool of_one_ride = false;  ///< two drivers of one ride; else two rides of one driver
};

/// The two tries of a harm of the run's list: they overlap from that instant on, for that long, and
/// are of whom the sentence names. Nothing if no two tries fit, or the harm is none of this kind.
[[nodiscard]] std::optional<overlapping_tries> overlapping_tries_of(const history::indexed_run& c,
                                                                    const metrics::harm_case& n);

/// Whether the sentence of a harm has the name, and not as the beginning of a longer number.
[[nodiscard]] bool is_named_in(const std::string& sentence, const std::string& name);

/// Of a driver for two rides.
[[nodiscard]] bool on_one_driver(const metrics::try_record& a, const metrics::try_record& b);
/// Of a ride for two drivers.
[[nodiscard]] bool for_one_ride(const metrics::try_record& a, const metrics::try_record& b);

/// Empty without a trip.
[[nodiscard]] time_interval commitment_of(const metrics::try_record& t);

}  // namespace dibs::explain
