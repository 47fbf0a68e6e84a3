/// The numbered harms of a run: first the promises that the protocol broke, then the worst harms of
/// each kind, the most instructive first. `dibs run` and `dibs explain` number them alike, from 1;
/// on the command line each is `breach N`.
#pragma once

#include "base/time.hpp"
#include "events/facts.hpp"
#include "history/indexed_run.hpp"
#include "lease/protocol.hpp"
#include "metrics/metrics.hpp"
#include "metrics/tries.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace dibs::explain {

struct harm {
  std::optional<lease::invariant> broken;  ///< the broken promise; nothing for a measured harm
  metrics::harm_kind harm{};
  sim_time t{};
  sim_duration size{};  ///< how long the harm lasted, where length ranks harms of its kind
  ride_id ride;         ///< none if a broken promise names no ride
  driver_id driver;
  std::string headline;  ///< one sentence without a full stop
  bool counts = true;    ///< whether the harm is in the measured time, and so in the figures
  /// The tries that made the harm, in the order in which they matter: of a double assignment first
  /// the earlier one. Empty if no try is found.
  std::vector<metrics::try_index> tries;
  bool of_one_ride = false;  ///< of a double assignment: a ride with two drivers, not the reverse
  std::optional<std::size_t> event{};  ///< of a broken promise: the event that broke it, from 0
  std::size_t further = 0;             ///< more leases that had a part in it, and are left out
};

/// Two tries of a driver for two rides.
[[nodiscard]] bool on_one_driver(const metrics::try_record& a, const metrics::try_record& b);
/// Two tries of a ride for two drivers.
[[nodiscard]] bool for_one_ride(const metrics::try_record& a, const metrics::try_record& b);

[[nodiscard]] std::vector<harm> harms_of(const history::indexed_run& c);

/// The text for a run without any harm: which harms were not seen, and how many rides were given up
/// and drivers hidden all the same.
[[nodiscard]] std::string text_without_harm(const history::indexed_run& c);

/// The ride that was given up without a driver after the most tries; none if there is none.
[[nodiscard]] ride_id first_unmatched_ride(const history::indexed_run& c);

/// When the harm came true; it may differ from `t`. An accept is lost when its lease ends, or when
/// an earlier write is refused. A promise to a rider is broken when the driver is taken off again.
/// A driver counts as hidden when the lease that hid her is over.
[[nodiscard]] sim_time harm_instant(const history::indexed_run& c, const harm& b);

/// The fact in which the harm came true, at `harm_instant`; null where none tells of it.
[[nodiscard]] const events::event* harm_event(const history::indexed_run& c, const harm& b);

/// When the holder of the try closed it; never if it did not.
[[nodiscard]] sim_time closed_at(const history::indexed_run& c, const metrics::try_record& t);

/// When the ledger refused the write that came of this accept; never if it did not.
[[nodiscard]] sim_time refused_write(const history::indexed_run& c, const metrics::try_record& t);

/// When the explanation of the harm begins: at the request of its ride, or at its first try.
[[nodiscard]] sim_time story_begin(const history::indexed_run& c, const harm& b);

/// Other tries that caused the harm. Of a lost accept: tries whose grant made its token old before
/// its write was refused, or that had got the ride before the driver accepted. Of a confirm that
/// should not have been taken: tries that had the driver then.
[[nodiscard]] std::vector<metrics::try_index> competing_tries(const history::indexed_run& c,
                                                              const harm& b);

}  // namespace dibs::explain
