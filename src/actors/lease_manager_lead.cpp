// The lease manager after a crash, and the second manager that follows and replaces the first.

#include "actors/lease_manager.hpp"
#include "actors/node_options.hpp"

#include <algorithm>

namespace dibs::actors {
namespace {

constexpr std::uint32_t managers = 2;
constexpr std::uint32_t words_a_term = 1U << 20U;
constexpr std::uint32_t terms_counted = UINT32_MAX / words_a_term;

node_id other_manager(const runtime::context& x) {
  return {node_kind::lease_manager, 1 - x.self().index()};
}

/// Whether a word comes after the newest so far, which it then is.
bool is_news(std::uint32_t nth, std::uint32_t& newest) {
  const bool is_newer = newest < nth;
  newest = std::max(newest, nth);
  return is_newer;
}

}  // namespace

void lease_manager::start(context& x) {
  const auto& options = lease_of(x);
  if (options.cleanup.kind == scenario::cleanup::periodic &&
      options.cleanup.by == scenario::sweep_clock::manager) {
    x.after(options.cleanup.every, sweep_due{});
  }
  if (options.restart.leases == scenario::after_restart::checkpoint) {
    x.after(options.restart.checkpoint, checkpoint_due{});
  }
  if (options.standby && leads_) {
    x.send(other_manager(x), lead_heartbeat{term_});
    x.after(options.standby->heartbeat, heartbeat_due{term_});
  } else if (options.standby) {
    x.after(options.standby->after, leader_silent{heard_});
  }
}

// -- restart -------------------------------------------------------------------------------------

void lease_manager::restart(context& x) {
  if (lease_of(x).standby) {
    leads_ = false;  // until it turns out that nobody else leads
    behind_ = true;
  }
  start(x);
  if (leads_) {
    recover(x);
  }
}

void lease_manager::recover(context& x) {
  const auto& options = lease_of(x);
  const local_time now = x.now();
  switch (options.restart.leases) {
    case scenario::after_restart::kept:
      break;
    case scenario::after_restart::extended:
      leases_.extend_all(now);
      break;
    case scenario::after_restart::checkpoint:
      leases_.restore_checkpoint(now);
      break;
    case scenario::after_restart::forgotten:
      for (const lease::ended& e : leases_.forget(options.restart.keeps_tokens)) {
        report(x, e, false);
      }
      rides_.clear();
      work_.clear();
      zones_.clear();
      return;
  }
  const bool has_moved = options.restart.leases != scenario::after_restart::kept;
  for (const auto& due : leases_.pending()) {
    if (!due.confirmed && has_moved && now < due.when && due.when != local_time::max()) {
      x.publish(events::lease_reset{due.token, due.driver, due.when - options.grace});
    }
    if (due.confirmed) {
      watch(x, due.driver, due.token, due.when);
    } else {
      watch_expiry(x, due.driver, due.token, due.when);
    }
  }
  for (const auto& due : rides_.pending()) {
    watch_claim(x, ride_id{due.thing}, std::max(due.when - now, sim_duration::zero()));
  }
  for (const auto& due : zones_.pending()) {
    x.after(std::max(due.when - now, sim_duration::zero()), zone_due{zone_id{due.thing}});
  }
  ask_for_trips(x);
}

void lease_manager::ask_for_trips(context& x) {
  if (lease_of(x).commit == scenario::commit_at::manager) {
    return;  // the trips are this manager's own word, and the ledger may have missed it
  }
  for (const auto& trip : leases_.trips()) {
    x.send(the_ledger, whose_trip{trip.driver, trip.ride, trip.token});
  }
}

void lease_manager::on(context& x, const checkpoint_due& m) {
  leases_.take_checkpoint(x.now());
  x.after(lease_of(x).restart.checkpoint, m);
}

// -- leading and following -----------------------------------------------------------------------

// A word may be overtaken by a newer one. Were it believed, the follower would forget what it knew
// and, once it leads, end leases that are long over and grant drivers who are confirmed. A leader's
// words count as newer than those of an earlier one, who may not have heard that it is replaced.
std::uint32_t lease_manager::next_word(std::uint32_t newest) const {
  return std::max(newest + 1, std::min(term_, terms_counted) * words_a_term);
}

lease_manager::words& lease_manager::words_about(const context& x, driver_id d) {
  words_.resize(x.world().options.drivers.count);
  return words_[d.value];
}

void lease_manager::tell_follower(context& x, driver_id d) {
  if (!lease_of(x).standby || !leads_) {
    return;
  }
  std::uint32_t& newest = words_about(x, d).of_lease;
  newest = next_word(newest);
  const auto e = leases_.entry_of(d);
  const auto holder = static_cast<std::uint16_t>(e.holder.is_some() ? e.holder.value : 0xffffU);
  x.send(other_manager(x),
         follow_lease{e.token, e.due, e.ride, d, holder, e.state, e.was_committed, newest});
}

void lease_manager::tell_follower_of_trip(context& x, driver_id d, token_id trip) {
  if (lease_of(x).standby && leads_) {
    std::uint32_t& newest = words_about(x, d).of_trip;
    newest = next_word(newest);
    x.send(other_manager(x), follow_trip{trip, d, newest});
  }
}

void lease_manager::on(context& x, const follow_lease& m) {
  if (!leads_ && is_news(m.nth, words_about(x, m.driver).of_lease)) {
    leases_.adopt_lease(m.driver,
                        {.token = m.token,
                         .trip = {},
                         .due = m.due,
                         .ride = m.ride,
                         .holder = matcher_id{m.holder},
                         .state = m.state,
                         .was_committed = m.was_committed});
  }
}

void lease_manager::on(context& x, const follow_trip& m) {
  if (!leads_ && is_news(m.nth, words_about(x, m.driver).of_trip)) {
    leases_.adopt_trip(m.driver, m.token);
  }
}

void lease_manager::on(context& x, const lead_heartbeat& m) {
  if (m.term < term_) {
    return;  // from a leader that has not heard of its successor
  }
  if (leads_ && m.term > term_) {
    step_down(x);
  }
  if (leads_) {
    return;
  }
  term_ = m.term;
  ++heard_;
  x.after(lease_of(x).standby->after, leader_silent{heard_});
  if (behind_ && !lease_of(x).standby->old_leader_acts) {
    behind_ = false;
    x.send(other_manager(x), catch_up{});
  }
}

// What it granted after the other took the lead nobody else knows of, and nobody else would end.
void lease_manager::step_down(context& x) {
  leads_ = false;
  behind_ = true;
  for (const lease::machine::due& each : leases_.pending()) {
    if (!each.confirmed) {
      const ride_id r = leases_.entry_of(each.driver).ride;
      x.send(other_manager(x), lease_in_doubt{r, each.driver, each.token, each.holder});
    }
  }
}

void lease_manager::on(context& x, const lease_in_doubt& m) {
  if (!leads_ || m.driver.value >= newest_known_.size()) {
    return;
  }
  token_id& newest = newest_known_[m.driver.value];
  if (newest < m.token) {
    newest = m.token;  // a copy of this question ends nothing
    report(x, {m.token, m.driver, m.ride, m.holder, events::lease_ending::forgotten}, true);
  }
}

void lease_manager::on(context& x, const catch_up&) {
  for (std::uint32_t d = 0; d < x.world().options.drivers.count; ++d) {
    tell_follower(x, driver_id{d});
    tell_follower_of_trip(x, driver_id{d}, leases_.entry_of(driver_id{d}).trip);
  }
}

void lease_manager::on(context& x, const heartbeat_due& m) {
  if (leads_ && m.term == term_) {
    x.send(other_manager(x), lead_heartbeat{term_});
    x.after(lease_of(x).standby->heartbeat, m);
  }
}

void lease_manager::on(context& x, const leader_silent& m) {
  if (!leads_ && m.heard == heard_) {
    take_the_lead(x);
  }
}

void lease_manager::take_the_lead(context& x) {
  leads_ = true;
  newest_known_.resize(x.world().options.drivers.count);
  for (std::uint32_t d = 0; d < newest_known_.size(); ++d) {
    newest_known_[d] = leases_.entry_of(driver_id{d}).token;
  }
  // It may have heard of leases of a later term than its leader's word that reached it.
  term_ = std::max(term_, leases_.newest_term());
  // Each manager has every other term, so that two that take the lead at once differ in it.
  term_ += term_ % managers == x.self().index() ? 1U : 2U;
  if (lease_of(x).restart.keeps_tokens) {
    leases_.begin_term(term_);
  }
  x.publish(events::leader_changed{x.self(), static_cast<std::uint8_t>(term_)});
  announce(x);
  recover(x);
  x.send(other_manager(x), lead_heartbeat{term_});
  x.after(lease_of(x).standby->heartbeat, heartbeat_due{term_});
}

void lease_manager::announce(context& x) {
  for (std::uint32_t m = 0; m < x.world().options.matchers.count; ++m) {
    x.send(node_of(matcher_id{m}), leader_is{x.self().index(), term_});
  }
  x.send(the_ledger, ledger_leader_is{x.self().index(), term_});
}

void lease_manager::on(context& x, const revoke& m) {
  if (!leads_) {
    return;
  }
  if (const auto ended = leases_.release(m.driver, m.token, events::lease_ending::expired)) {
    report(x, *ended, true);
  }
}

}  // namespace dibs::actors
