/// One scenario on the real clock: the same actors as in virtual time, on CAF's work-stealing
/// scheduler, as fast as they can.
///
/// What people and cars do, what is lost and how long messages take are drawn as in virtual time,
/// by the same keys. When something happens is up to the machine, so no live run can be repeated,
/// and no two have the same history; what they measure agrees in distribution.
#pragma once

#include "base/result.hpp"
#include "checkers/run_checker.hpp"
#include "engine/prepared_scenario.hpp"
#include "engine/run.hpp"
#include "match/popularity.hpp"
#include "runtime/merged_recorder.hpp"
#include "runtime/other_processes.hpp"
#include "scenario/scenario.hpp"
#include "store/address.hpp"
#include "store/client.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

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
  std::size_t rides_max = 50'000'000;     ///< more of the demand never appear
  std::optional<store::address> store{};  ///< where leases are kept; here if absent, or `memory`
  std::uint32_t connections = 8;          ///< to it
  bool unsafe_store = false;              ///< also one that may forget what it has acknowledged
  /// That have some of the nodes; null: all are here. Outlives the run.
  runtime::other_processes* others = nullptr;
};

struct live_result {
  run_result run;  ///< `history` tells two runs apart, and repeats neither
  runtime::lateness late;
  bool ran_out_of_rides = false;  ///< `rides_max` was reached
  std::optional<store::store_report> store;
};

/// Runs it until its end, or until `how.stop` says so. Promises that need bounds on delays are not
/// judged: no machine keeps any; nor, with a store outside, are S3 and S9, whose clock is the
/// store's. Errors: demand that cannot be read, memory that runs out, a store that cannot be
/// reached, or one that cannot do what the scenario asks of the lease manager.
[[nodiscard]] result<live_result> run_live(const scenario::scenario& s,
                                           const run_options& how,
                                           const live_options& live);

/// What a live run of the scenario is judged by: what holds however late the machine is.
[[nodiscard]] checkers::options live_checkers_options_of(const scenario::scenario& s,
                                                         std::uint64_t seed);

/// How long the scenario takes at that speed, in seconds of real time.
[[nodiscard]] double live_seconds(const scenario::scenario& s, double speed);

}  // namespace dibs::engine
