#include "checkers/hold_duration.hpp"

#include "checkers/clock_drift.hpp"

#include <algorithm>

namespace dibs::checkers {

void holds::judge(const events::lease_granted& f, const event_context& s) {
  judge_standing(s);
  note(f.token, f.driver, f.expires, s);
}

void holds::judge(const events::lease_renewed& f, const event_context& s) {
  note(f.token, f.driver, f.expires, s);
}

void holds::judge(const events::lease_reset& f, const event_context& s) {
  note(f.token, f.driver, f.expires, s);
}

void holds::judge(const events::lease_denied& f, const event_context& s) {
  if (f.cause != events::denial::no_zone) {  // who holds no zone is turned away unread
    judge_standing(s);
  }
}

void holds::note(token_id token, driver_id d, local_time expires, const event_context& s) {
  if (!s.what.ends_on_read || expires == local_time::max()) {
    return;
  }
  const sim_duration most =
      longest(span(s.local, saturating_add(expires, s.what.grace)), s.what.drift_ppm);
  if (most != forever) {
    outlived_.push({s.t + most, d, token});
  }
}

void holds::judge_standing(const event_context& s) {
  while (!outlived_.empty() && outlived_.top().at < s.t) {
    const lease::due_lease<sim_time> one = outlived_.top();
    outlived_.pop();
    const token_record* const r = s.so_far.find(one.token, one.driver);
    if (r == nullptr || !r->is_live() || r->at_manager != hold::leased) {
      continue;
    }
    const sim_duration most = longest(span(r->armed_local, r->due), s.what.drift_ppm);
    if (s.t - r->armed > most) {
      s.report_violation(
          invariant::holds_bounded,
          "token {} still held driver {} at an acquire, {:.3f} s after it had run out",
          r->token.value,
          ordinal(r->driver),
          in_seconds(s.t - r->armed - most));
    }
  }
}

// What a lease says of itself is counted from its grant, its last renewal or its confirm. The
// clean-up comes on top, and on a clock that is slow by d all of it lasts 1 / (1 - d) as long.
void holds::judge_length(const event_context& s) {
  const token_record* const r = s.token();
  if (!s.what.overstay || r == nullptr || !r->is_live() || r->due == local_time::max()) {
    return;
  }
  const sim_duration most =
      longest(span(r->armed_local, saturating_add(r->due, *s.what.overstay)), s.what.drift_ppm);
  if (s.t - r->armed > most) {
    s.report_violation(invariant::holds_bounded,
                       "token {} held driver {} for {:.3f} s, which is {:.3f} s longer than it may",
                       r->token.value,
                       ordinal(r->driver),
                       in_seconds(s.t - r->armed),
                       in_seconds(s.t - r->armed - most));
  }
  const outage* const dead = s.so_far.last_crash_of(node_of(r->holder));
  if (!r->holder.is_some() || dead == nullptr || dead->back <= r->since) {
    return;
  }
  // The last call of the dead may have been on its way when it died.
  const bool called_before = r->armed - dead->down <= s.what.in_flight;
  const sim_time from = std::max(called_before ? r->armed : dead->down, r->since);
  const sim_time until = std::min(dead->back, s.t);
  if (from < until && until - from > most) {
    s.report_violation(invariant::zombies_bounded,
                       "token {} held driver {} for {:.3f} s after its holder had crashed",
                       r->token.value,
                       ordinal(r->driver),
                       in_seconds(until - from));
  }
}

}  // namespace dibs::checkers
