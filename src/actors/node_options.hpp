/// Short ways to what a core needs in nearly every handler: its own number, and its part of the
/// scenario.
#pragma once

#include "base/ids.hpp"
#include "runtime/context.hpp"
#include "runtime/shared_world.hpp"
#include "scenario/scenario.hpp"

namespace dibs::actors {

inline constexpr node_id the_ledger{node_kind::ledger, 0};

/// The driver whose turn it is.
inline driver_id this_driver(const runtime::context& x) { return driver_id{x.self().index()}; }

/// The matcher whose turn it is.
inline matcher_id this_matcher(const runtime::context& x) { return matcher_id{x.self().index()}; }

/// Who asked for the ride.
inline node_id rider_of(const runtime::context& x, ride_id r) {
  return x.world().rides.at(r).rider;
}

inline const scenario::lease_options& lease_of(const runtime::context& x) {
  return x.world().options.lease;
}

/// Whether a driver sends an answer to an offer that is over.
inline bool sends_late_answers(const runtime::context& x) {
  return x.world().options.drivers.late_answer == scenario::late_answer::sent;
}

inline const scenario::matcher_options& matching_of(const runtime::context& x) {
  return x.world().options.matchers;
}

}  // namespace dibs::actors
