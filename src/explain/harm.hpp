/// The breaches of a run: where the protocol broke a promise, then the harms worth a look, the most
/// instructive first. `dibs run` and `dibs explain` number them alike, from 1.
#pragma once

#include "base/time.hpp"
#include "history/indexed_run.hpp"
#include "lease/protocol.hpp"
#include "metrics/metrics.hpp"
#include "metrics/tries.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace dibs::show {

struct breach {
  std::optional<lease::invariant> broken;  ///< a promise; else a harm
  metrics::harm harm{};
  sim_time t{};
  sim_duration size{};  ///< of a harm: how long it lasted, where that ranks harms of its kind
  ride_id ride;         ///< none if a broken promise names no ride
  driver_id driver;
  std::string headline;  ///< one sentence without a full stop
  bool counts = true;    ///< in the figures of the run: it is of the measured time
  /// The tries that made it, in the order in which they matter: of a double assignment the one that
  /// came first, then the other. Empty if nothing of the kind is found.
  std::vector<metrics::try_index> tries;
  std::size_t further = 0;  ///< leases that had a part in it too, and that are not told of
};

[[nodiscard]] std::vector<breach> breaches_of(const chronicle& c);

/// Of a run in which nobody was hurt by a breach: what was not seen, and how its riders and drivers
/// fared all the same.
[[nodiscard]] std::string calm_of(const chronicle& c);

/// Of the rides that were given up without a driver the one for which most tries were made; none if
/// there is none.
[[nodiscard]] ride_id given_up(const chronicle& c);

/// When the harm was there, which `t` need not be: a yes is lost when its lease ends, or when the
/// write that was asked for before that is refused; a promise is broken when the driver is taken
/// off again; a driver was hidden when the lease that hid her is over.
[[nodiscard]] sim_time harm_instant(const chronicle& c, const breach& b);

/// When its holder was done with this try; never if it was not.
[[nodiscard]] sim_time closed_at(const chronicle& c, const metrics::try_record& t);

/// When the ledger refused the write that came of this accept; never if it did not.
[[nodiscard]] sim_time refused_write(const chronicle& c, const metrics::try_record& t);

/// When its story begins: its ride is asked for, or the first of its tries is there.
[[nodiscard]] sim_time story_begin(const chronicle& c, const breach& b);

/// Tries that the harm came of without being its own: of a lost accept those that made its token
/// stale, granted after it and before its write was refused, or that the ride had been given to
/// before she said yes; of a confirm that should not have been taken those that had the driver
/// then.
[[nodiscard]] std::vector<metrics::try_index> rivals_of(const chronicle& c, const breach& b);

}  // namespace dibs::show
