#include "checkers/lease_endings.hpp"

#include <algorithm>

namespace dibs::checkers {
namespace {

using events::lease_ending;

/// Local and true time are whole nanoseconds, and each conversion rounds.
constexpr sim_duration rounding = 1us;

/// What `length` on the manager's clock may be off by in true time. A clock that runs at a rate of
/// 1 + d shows `length` after length / (1 + d); for d up to a half either way that is within twice
/// d of `length`.
sim_duration drift_over(sim_duration length, const options& what) {
  const double share = std::min(1.0, what.drift_ppm * 2e-6);
  const double off = static_cast<double>(length.count()) * share * (1 - 1e-9);
  return sim_duration{static_cast<std::int64_t>(off)} + rounding;
}

}  // namespace

void endings::judge(const events::lease_ended& f, const event_context& s) const {
  judge_count(f, s);
  judge_time(f, s);
}

// Where the manager commits it knows of the trip, and a lease ends by a trip or by an end, never
// both. Where the ledger commits, the manager may end a lease that has become a trip: `unwritten`,
// if the ledger's word was lost; `expired`, if the holder never asked it; or on the holder's own
// word. Then the first of the two was the end. But a driver who declined, or a ledger that refused,
// cannot have committed.
void endings::judge_count(const events::lease_ended& f, const event_context& s) const {
  if (s.token() == nullptr || s.token()->at_manager == hold::never) {
    s.report_violation(invariant::ends_once,
                       "a lease of driver {} ended that was never granted (token {})",
                       ordinal(f.driver),
                       f.token.value);
  } else if (s.token()->at_manager == hold::over) {
    s.report_violation(invariant::ends_once,
                       "token {} of driver {} ended twice",
                       f.token.value,
                       ordinal(f.driver));
  } else if (s.token()->committed &&
             (s.what.commit_at_manager || f.cause == lease_ending::declined ||
              f.cause == lease_ending::denied_by_ledger)) {
    s.report_violation(invariant::ends_once,
                       "token {} of driver {} ended although it had become a trip",
                       f.token.value,
                       ordinal(f.driver));
  }
}

// Two clocks are asked. The manager's own must have reached the deadline. But a manager that uses
// its wall clock passes that test when the clock is set forward by a minute in mid-lease: its 15 s
// are over after 2. True time shows it, since no drift makes 15 s out of 2.
void endings::judge_time(const events::lease_ended& f, const event_context& s) const {
  const bool by_hold = f.cause == lease_ending::unwritten;
  const bool by_expiry = f.cause == lease_ending::expired || f.cause == lease_ending::swept;
  const auto needed = by_hold ? hold::confirmed : hold::leased;
  if (!(by_hold || by_expiry) || s.token() == nullptr || s.token()->at_manager != needed) {
    return;
  }
  if (s.local < s.token()->due) {
    s.report_violation(invariant::steps_change_nothing,
                       "token {} of driver {} ended {} ns before its time",
                       f.token.value,
                       ordinal(f.driver),
                       (s.token()->due - s.local).count());
    return;
  }
  const sim_duration granted = span(s.token()->armed_local, s.token()->due);
  const sim_duration lasted = s.t - s.token()->armed;
  if (lasted < granted - drift_over(granted, s.what)) {
    s.report_violation(invariant::steps_change_nothing,
                       "a step of the clock ended token {} of driver {} after {} of {} ns",
                       f.token.value,
                       ordinal(f.driver),
                       lasted.count(),
                       granted.count());
  }
}

void endings::judge(const events::trip_committed& f, const event_context& s) const {
  if (s.what.commit_at_manager && s.token() != nullptr && s.token()->at_manager == hold::over) {
    s.report_violation(invariant::ends_once,
                       "token {} of driver {} became a trip after it had ended",
                       f.token.value,
                       ordinal(f.driver));
  }
}

void endings::judge(const events::node_crashed& f, const event_context&) {
  if (is_manager(f.node)) {
    manager_crashed_ = true;
    manager_paused_ = false;
  }
}

void endings::judge(const events::node_restarted& f, const event_context&) {
  manager_crashed_ = manager_crashed_ && !is_manager(f.node);
}

void endings::judge(const events::node_paused& f, const event_context&) {
  manager_paused_ = manager_paused_ || is_manager(f.node);
}

void endings::judge(const events::node_resumed& f, const event_context&) {
  manager_paused_ = manager_paused_ && !is_manager(f.node);
}

// A run stops somewhere, so a lease may be open at its end: if its deadline lies beyond, if nobody
// sweeps, or if the manager is down and will end it when it is back.
void endings::finish(const event_context& s, std::span<const record_index> live) const {
  if (!s.what.overstay || manager_crashed_ || manager_paused_) {
    return;
  }
  for (const record_index i : live) {
    const token_record& r = s.so_far.at(i);
    if (r.due == local_time::max()) {
      continue;
    }
    const sim_duration length = span(r.armed_local, saturating_add(r.due, *s.what.overstay));
    if (s.t - r.armed - length > drift_over(length, s.what)) {
      s.report_violation(invariant::ends_once,
                         "token {} of driver {} for ride {}, {} at {} ns, never ended",
                         r.token.value,
                         ordinal(r.driver),
                         ordinal(r.ride),
                         r.at_manager == hold::confirmed ? "confirmed" : "granted or renewed",
                         r.armed.time_since_epoch().count());
    }
  }
}

}  // namespace dibs::checkers
