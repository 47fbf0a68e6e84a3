/// One scenario on the real clock: the same actors as in virtual time, on CAF's work-stealing
/// scheduler, as fast as they can.
///
/// What people and cars do, what is lost and how long messages take are drawn as in virtual time,
/// by the same keys. When something happens is up to the machine, so no live run can be repeated,
/// and no two have the same history; what they measure agrees in distribution.
#pragma once

#include "base/result.hpp"
#include "engine/prepared_scenario.hpp"
#include "engine/run.hpp"
#include "match/popularity.hpp"
#include "runtime/merged_recorder.hpp"
#include "scenario/scenario.hpp"

#include <cstddef>
#include <cstdint>

namespace dibs::engine {

struct live_options {
  double speed = 1;           ///< true time passes so many times as fast as real time
  std::uint32_t threads = 1;  ///< of CAF's scheduler
  /// No more rides are under way at a time: those that are due wait, and the next one appears when
  /// one of them is over. 0: any number.
  std::uint32_t rides_at_once = 0;
  /// With a number at once: the demand says what rides there are, and not when. Each appears as
  /// soon as there is room.
  bool rides_follow = false;
  /// Matchers pick by it instead of by the scenario's policy; null: they do not. Outlives the run.
  const match::popularity* favourites = nullptr;
  std::size_t rides_max = 50'000'000;  ///< more of the demand never appear
};

struct live_result {
  run_result run;  ///< `history` tells two runs apart, and repeats neither
  runtime::lateness late;
  bool ran_out_of_rides = false;  ///< `rides_max` was reached
};

/// Runs it until its end, or until `how.stop` says so. Promises that need bounds on delays are not
/// judged: no machine keeps any. Errors: demand that cannot be read, memory that runs out.
[[nodiscard]] result<live_result> run_live(const scenario::scenario& s,
                                           const run_options& how,
                                           const live_options& live);

/// How long the scenario takes at that speed, in seconds of real time.
[[nodiscard]] double live_seconds(const scenario::scenario& s, double speed);

}  // namespace dibs::engine
