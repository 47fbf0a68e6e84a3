#include "lease/leadership_machine.hpp"

#include <algorithm>

namespace dibs::lease {
namespace {

constexpr std::uint32_t managers = 2;
constexpr std::uint32_t words_a_term = 1U << 20U;
constexpr std::uint32_t terms_counted = UINT32_MAX / words_a_term;

/// Whether a word comes after the newest so far, which it then is.
bool is_news(std::uint32_t nth, std::uint32_t& newest) {
  const bool is_newer = newest < nth;
  newest = std::max(newest, nth);
  return is_newer;
}

}  // namespace

void leadership_machine::start(turn& t) const {
  if (rules_.lease.standby && leads_) {
    beat(t);
  } else if (rules_.lease.standby) {
    t.after(rules_.lease.standby->after, messages::leader_silent{heard_});
  }
}

void leadership_machine::come_back() {
  if (rules_.lease.standby) {
    leads_ = false;
    is_behind_ = true;
  }
}

void leadership_machine::beat(turn& t) const {
  t.send(other(), messages::lead_heartbeat{term_});
  t.after(rules_.lease.standby->heartbeat, messages::heartbeat_due{term_});
}

void leadership_machine::on(turn& t, const messages::heartbeat_due& m) const {
  if (leads_ && m.term == term_) {
    beat(t);
  }
}

// -- the words about leases and trips ------------------------------------------------------------

std::uint32_t leadership_machine::next_word(std::uint32_t newest) const {
  return std::max(newest + 1, std::min(term_, terms_counted) * words_a_term);
}

leadership_machine::words& leadership_machine::words_about(driver_id d) {
  words_.resize(rules_.drivers);
  return words_[d.value];
}

void leadership_machine::tell_lease(turn& t, const machine& leases, driver_id d) {
  if (!rules_.lease.standby || !leads_) {
    return;
  }
  std::uint32_t& newest = words_about(d).of_lease;
  newest = next_word(newest);
  const auto e = leases.entry_of(d);
  const auto holder = static_cast<std::uint16_t>(e.holder.is_some() ? e.holder.value : 0xffffU);
  t.send(
      other(),
      messages::follow_lease{e.token, e.due, e.ride, d, holder, e.state, e.was_committed, newest});
}

void leadership_machine::tell_trip(turn& t, driver_id d, token_id trip) {
  if (rules_.lease.standby && leads_) {
    std::uint32_t& newest = words_about(d).of_trip;
    newest = next_word(newest);
    t.send(other(), messages::follow_trip{trip, d, newest});
  }
}

void leadership_machine::tell_all(turn& t, const machine& leases) {
  for (driver_id d{0}; d.value < rules_.drivers; ++d.value) {
    tell_lease(t, leases, d);
    tell_trip(t, d, leases.entry_of(d).trip);
  }
}

void leadership_machine::hear(const messages::follow_lease& m, machine& leases) {
  if (!leads_ && is_news(m.nth, words_about(m.driver).of_lease)) {
    leases.adopt_lease(m.driver,
                       {.token = m.token,
                        .trip = {},
                        .due = m.due,
                        .ride = m.ride,
                        .holder = matcher_id{m.holder},
                        .state = m.state,
                        .was_committed = m.was_committed});
  }
}

void leadership_machine::hear(const messages::follow_trip& m, machine& leases) {
  if (!leads_ && is_news(m.nth, words_about(m.driver).of_trip)) {
    leases.adopt_trip(m.driver, m.token);
  }
}

// -- who leads -----------------------------------------------------------------------------------

void leadership_machine::hear(turn& t, const messages::lead_heartbeat& m, const machine& leases) {
  if (m.term < term_) {
    return;  // from a leader that has not heard of its successor
  }
  if (leads_ && m.term > term_) {
    step_down(t, leases);
  }
  if (leads_) {
    return;
  }
  term_ = m.term;
  ++heard_;
  t.after(rules_.lease.standby->after, messages::leader_silent{heard_});
  if (is_behind_ && !rules_.lease.standby->old_leader_acts) {
    is_behind_ = false;
    t.send(other(), messages::catch_up{});
  }
}

// What it granted after the other took the lead nobody else knows of, and nobody else would end.
void leadership_machine::step_down(turn& t, const machine& leases) {
  leads_ = false;
  is_behind_ = true;
  for (const machine::due& each : leases.pending()) {
    if (!each.confirmed) {
      const ride_id r = leases.entry_of(each.driver).ride;
      t.send(other(), messages::lease_in_doubt{r, each.driver, each.token, each.holder});
    }
  }
}

std::optional<ended> leadership_machine::forget_doubtful(const messages::lease_in_doubt& m) {
  if (!leads_ || m.driver.value >= newest_known_.size() ||
      newest_known_[m.driver.value] >= m.token) {
    return std::nullopt;
  }
  newest_known_[m.driver.value] = m.token;  // a copy of this question ends nothing
  return ended{m.token, m.driver, m.ride, m.holder, events::lease_ending::forgotten};
}

bool leadership_machine::takes_the_lead(turn& t,
                                        const messages::leader_silent& m,
                                        machine& leases) {
  const bool takes_it = !leads_ && m.heard == heard_;
  if (takes_it) {
    leads_ = true;
    begin_term(t, leases);
  }
  return takes_it;
}

void leadership_machine::begin_term(turn& t, machine& leases) {
  newest_known_.resize(rules_.drivers);
  for (driver_id d{0}; d.value < rules_.drivers; ++d.value) {
    newest_known_[d.value] = leases.entry_of(d).token;
  }
  // It may have heard of leases of a later term than its leader's word that reached it.
  term_ = std::max(term_, leases.newest_term());
  // Each manager has every other term, so that two that take the lead at once differ in it.
  term_ += term_ % managers == rules_.self ? 1U : 2U;
  if (rules_.lease.restart.keeps_tokens) {
    leases.begin_term(term_);
  }
  t.publish(events::leader_changed{{node_kind::lease_manager, rules_.self},
                                   static_cast<std::uint8_t>(term_)});
  for (matcher_id m{0}; m.value < rules_.matchers; ++m.value) {
    t.send(node_of(m), messages::leader_is{rules_.self, term_});
  }
  t.send({node_kind::ledger, 0}, messages::ledger_leader_is{rules_.self, term_});
}

}  // namespace dibs::lease
