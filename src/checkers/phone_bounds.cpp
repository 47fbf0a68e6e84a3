#include "checkers/phone_bounds.hpp"

#include <algorithm>

namespace dibs::checkers {
namespace {

using events::lease_ending;

bool for_want_of_time(lease_ending why) {
  return why == lease_ending::expired || why == lease_ending::swept ||
         why == lease_ending::unwritten;
}

}  // namespace

void phone_bound_checker::judge(const events::lease_granted& f, const event_context& s) {
  if (!is_off(s)) {
    of(f.driver).push_back({.token = f.token, .ride = f.ride, .granted = s.t});
  }
}

void phone_bound_checker::judge(const events::lease_ended& f, const event_context& s) {
  shown_offer_state* const one = find(f.driver, f.token);
  if (one == nullptr) {
    return;
  }
  one->lease_over = true;
  if (for_want_of_time(f.cause)) {
    one->ran_out = !one->committed;
    if (one->accepted && !one->committed && f.cause != lease_ending::unwritten) {
      blame_expiry(f.driver, *one, s);
    }
  } else {
    one->ended_early = std::min(one->ended_early, s.t);
  }
  close_done(f.driver);
}

// A lease that is refused because its driver or its ride was taken runs out for that reason.
void phone_bound_checker::judge(const events::confirm_refused& f, const event_context&) {
  shown_offer_state* const one = find(f.driver, f.token);
  if (one != nullptr && f.cause != events::confirm_refusal::expired && !one->lease_over) {
    one->excused = true;
  }
}

void phone_bound_checker::judge(const events::offer_shown& f, const event_context& s) {
  shown_offer_state* const shown = find(f.driver, f.token);
  if (shown == nullptr) {
    return;
  }
  shown->visible = true;
  shown->overtaken = shown->ended_early != sim_time::max();
  for (const shown_offer_state& other : of(f.driver)) {
    if (other.visible && other.ride != f.ride) {
      meetings_.push_back({f.driver, other.token, f.token, false, s.t, s.index});
    }
  }
}

void phone_bound_checker::judge(const events::offer_dismissed& f, const event_context&) {
  if (shown_offer_state* const one = find(f.driver, f.token)) {
    one->visible = false;
    close_done(f.driver);
  }
}

void phone_bound_checker::judge(const events::offer_answered& f, const event_context& s) {
  shown_offer_state* const one = find(f.driver, f.token);
  if (one == nullptr) {
    return;
  }
  one->visible = false;
  one->accepted = f.answer == events::offer_response::accepted && f.in_time;
  if (one->accepted && one->ran_out) {
    blame_expiry(f.driver, *one, s);
  }
  for (const shown_offer_state& other : of(f.driver)) {
    if (one->binds() && other.binds() && other.ride != f.ride) {
      meetings_.push_back({f.driver, other.token, f.token, true, s.t, s.index});
    }
  }
  close_done(f.driver);
}

void phone_bound_checker::judge(const events::trip_committed& f, const event_context&) {
  if (shown_offer_state* const one = find(f.driver, f.token)) {
    one->committed = true;
  }
}

void phone_bound_checker::judge(const events::assignment_revoked& f, const event_context&) {
  end_trip(f.driver, f.token);
}

// An offer that was withdrawn is on the screen until the word arrives, or all its time if it was
// itself on its way when that came; the driver may have been granted to another since. And touching
// intervals share nothing.
void phone_bound_checker::report_overlaps(const observed_state& so_far, violation_log& violations) {
  for (const meeting& m : meetings_) {
    const shown_offer_state* const first = find(m.driver, m.first);
    const shown_offer_state* const second = find(m.driver, m.second);
    if (first == nullptr || second == nullptr || !is_within_bounds(m.driver, *first, so_far) ||
        !is_within_bounds(m.driver, *second, so_far)) {
      continue;
    }
    const bool lasts =
        m.accepts ? first->binds() && second->binds() : first->visible && second->visible;
    const auto was_withdrawn = [&](const shown_offer_state& one) {
      return one.overtaken || (one.ended_early != sim_time::max() &&
                               m.t - one.ended_early <= so_far.what().withdrawal);
    };
    if (lasts && !was_withdrawn(*first) && !was_withdrawn(*second)) {
      violations.enter(invariant::phones_kept_apart,
                       m.t,
                       m.index,
                       "driver {} {} of rides {} and {} at once (tokens {} and {})",
                       ordinal(m.driver),
                       m.accepts ? "accepted the offers" : "was shown the offers",
                       ordinal(first->ride),
                       ordinal(second->ride),
                       m.first.value,
                       m.second.value);
    }
  }
  meetings_.clear();
}

bool phone_bound_checker::is_off(const event_context& s) const {
  return !s.violations.judges(invariant::phones_kept_apart) &&
         !s.violations.judges(invariant::accepts_outlast_expiry);
}

phone_bound_checker::deals& phone_bound_checker::of(driver_id d) {
  if (d.value >= deals_.size()) {
    deals_.resize(std::max<std::size_t>(d.value + std::size_t{1}, deals_.size() * 2));
  }
  return deals_[d.value];
}

phone_bound_checker::shown_offer_state* phone_bound_checker::find(driver_id d, token_id token) {
  if (d.value >= deals_.size()) {
    return nullptr;
  }
  auto& all = deals_[d.value];
  const auto found = std::ranges::find(all, token, &shown_offer_state::token);
  return found == all.end() ? nullptr : &*found;
}

// One whose lease is over may still be shown for the first time, but then nothing but B2 is asked.
void phone_bound_checker::close_done(driver_id d) {
  auto& all = of(d);
  if (all.size() > 1) {
    all.erase(
        std::remove_if(
            all.begin(), all.end() - 1, [](const shown_offer_state& o) { return o.is_done(); }),
        all.end() - 1);
  }
}

void phone_bound_checker::end_trip(driver_id d, token_id token) {
  if (shown_offer_state* const one = find(d, token)) {
    one->lease_over = true;
    one->committed = false;
    one->accepted = false;
    close_done(d);
  }
}

bool phone_bound_checker::is_within_bounds(driver_id d,
                                           const shown_offer_state& o,
                                           const observed_state& so_far) {
  const token_record* const r = so_far.find(o.token, d);
  return r != nullptr && !r->mishap && !so_far.was_down(node_of(d), o.granted) &&
         !so_far.was_down(node_of(r->holder), o.granted) &&
         !so_far.was_down({node_kind::lease_manager, 0}, o.granted) &&
         !so_far.was_down({node_kind::ledger, 0}, o.granted);
}

void phone_bound_checker::blame_expiry(driver_id d,
                                       const shown_offer_state& accepted,
                                       const event_context& s) const {
  if (!accepted.excused && is_within_bounds(d, accepted, s.so_far)) {
    s.report_violation(
        invariant::accepts_outlast_expiry,
        "the lease of driver {} for ride {} ran out (token {}) although she accepted in time",
        ordinal(d),
        ordinal(accepted.ride),
        accepted.token.value);
  }
}

}  // namespace dibs::checkers
