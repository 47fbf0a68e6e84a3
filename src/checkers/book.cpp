#include "checkers/book.hpp"

#include "base/ensure.hpp"

#include <algorithm>

namespace dibs::checkers {
namespace {

constexpr driver_record unknown_driver{};
constexpr ride_record unknown_ride{};

}  // namespace

book::book(const options& what) : what_(what), drivers_(what.drivers) {}

const token_record* book::find(token_id token, driver_id d) const {
  const record_index i = index_of(token, d);
  return i == no_record ? nullptr : &records_[i];
}

const token_record* book::holder_of(driver_id d) const {
  const record_index i = driver(d).holder;
  return i == no_record ? nullptr : &records_[i];
}

const driver_record& book::driver(driver_id d) const {
  return d.value < drivers_.size() ? drivers_[d.value] : unknown_driver;
}

const ride_record& book::ride(ride_id r) const {
  return r.value < rides_.size() ? rides_[r.value] : unknown_ride;
}

record_index book::other_trip_of(driver_id d, token_id token) const {
  for (record_index i = driver(d).trips; i != no_record; i = records_[i].next_of_driver) {
    if (records_[i].token != token) {
      return i;
    }
  }
  return no_record;
}

record_index book::other_driver_of(ride_id r, driver_id d) const {
  for (record_index i = ride(r).trips; i != no_record; i = records_[i].next_of_ride) {
    if (records_[i].driver != d) {
      return i;
    }
  }
  return no_record;
}

bool book::manager_knows_of_trip(const token_record& r, sim_time t) const {
  if (!r.committed || r.word_lost || manager_up_since_ == sim_time::max()) {
    return false;
  }
  const sim_time from = std::max(r.since, manager_up_since_);
  return t - from > what_.word_takes;
}

bool book::was_down(node_id n, sim_time since) const {
  const auto found = outages_.find(n);
  return found != outages_.end() && found->second.back >= since;
}

const outage* book::last_crash_of(node_id n) const {
  const auto found = crashes_.find(n);
  return found == crashes_.end() ? nullptr : &found->second;
}

void book::write(const events::lease_granted& f, const events::event& e) {
  const record_index i = add(f.token, f.driver, f.ride);
  token_record& r = records_[i];
  r.at_manager = hold::leased;
  r.holder = f.matcher;
  r.since = r.armed = e.t;
  r.armed_local = e.local;
  r.due = later(f.expires, what_.grace);
  driver_record& d = slot(f.driver);
  d.holder = i;
  d.highest_granted = std::max(d.highest_granted, f.token);
}

void book::write(const events::lease_renewed& f, const events::event& e) {
  const record_index i = index_of(f.token, f.driver);
  if (i == no_record || records_[i].at_manager != hold::leased) {
    return;
  }
  records_[i].armed = e.t;
  records_[i].armed_local = e.local;
  records_[i].due = later(f.expires, what_.grace);
}

void book::write(const events::lease_reset& f, const events::event& e) {
  write(events::lease_renewed{f.token, f.driver, f.expires}, e);
}

void book::write(const events::confirm_accepted& f, const events::event& e) {
  const record_index i = index_of(f.token, f.driver);
  if (i == no_record || f.repeated) {
    return;
  }
  token_record& r = records_[i];
  r.was_confirmed = true;
  if (r.at_manager == hold::leased) {
    r.at_manager = hold::confirmed;
    r.armed = e.t;
    r.armed_local = e.local;
    r.due = later(e.local, what_.confirm_hold);
  }
}

void book::write(const events::lease_ended& f, const events::event&) {
  const record_index i = index_of(f.token, f.driver);
  if (i == no_record) {
    return;
  }
  token_record& r = records_[i];
  r.at_manager = hold::over;
  r.stray = r.stray || r.trip_open;
  if (driver_record& d = slot(f.driver); d.holder == i) {
    d.holder = no_record;
  }
}

void book::write(const events::call_made& f, const events::event&) {
  if (f.what != events::call::release) {
    return;
  }
  if (const record_index i = index_of(f.token, f.driver); i != no_record) {
    records_[i].given_back = true;
  }
}

void book::write(const events::offer_answered& f, const events::event&) {
  // Nobody asks about the others, and a look-up for each answer would cost.
  if (f.answer != events::verdict::declined) {
    slot(f.driver).has_left = false;
    return;
  }
  if (const record_index i = index_of(f.token, f.driver); i != no_record) {
    records_[i].declined = true;
  }
}

// Whoever ends her shift between her yes and the trip does not come.
void book::write(const events::driver_went_offline& f, const events::event&) {
  slot(f.driver).has_left = true;
  hinder_trips_of(f.driver);
}

void book::write(const events::write_refused& f, const events::event&) {
  records_[index_or_new(f.token, f.driver, f.ride)].refused = true;
}

void book::write(const events::trip_committed& f, const events::event& e) {
  const record_index i = index_or_new(f.token, f.driver, f.ride);
  driver_record& d = slot(f.driver);
  d.highest_taken = std::max(d.highest_taken, f.token);
  if (records_[i].committed) {
    return;
  }
  records_[i].committed = true;
  records_[i].since = e.t;
  records_[i].stray = records_[i].at_manager == hold::over;
  open_trip(i);
  const driver_record& her = slot(f.driver);
  records_[i].hindered = records_[i].hindered || her.is_out || ledger_is_out_ ||
                         her.drives != no_record || her.is_misled || her.has_left;
}

void book::write(const events::trip_ended& f, const events::event& e) {
  if (const record_index i = index_of(f.token, f.driver); i != no_record) {
    close_trip(i, e.t);
    record_index& drives = slot(f.driver).drives;
    drives = drives == i ? no_record : drives;
  }
}

// Who called a trip off and boards even so is driven, and the driver's next trip waits.
void book::write(const events::rider_picked_up& f, const events::event&) {
  if (const record_index i = index_of(f.token, f.driver); i != no_record) {
    slot(f.driver).is_misled = false;
    slot(f.driver).drives = i;
    if (records_[i].revoked) {
      hinder_trips_of(f.driver);
    }
  }
}

void book::write(const events::assignment_revoked& f, const events::event& e) {
  if (const record_index i = index_of(f.token, f.driver); i != no_record) {
    close_trip(i, e.t);
    records_[i].revoked = true;
  }
}

void book::write(const events::message_lost& f, const events::event&) {
  const record_index i = f.token.is_some() ? index_.find(f.token) : no_record;
  if (i != no_record) {
    token_record& r = records_[i];
    r.mishap = true;
    r.word_lost = r.word_lost || (f.from.kind() == node_kind::ledger && is_manager(f.to));
    if (r.committed && f.to.kind() == node_kind::driver) {
      slot(r.driver).is_misled = true;
    }
  }
  for (record_index trip = ride(f.ride).trips; trip != no_record;
       trip = records_[trip].next_of_ride) {
    records_[trip].hindered = true;
  }
}

void book::write(const events::node_crashed& f, const events::event& e) {
  goes_down(f.node, e.t, true);
}

void book::write(const events::node_paused& f, const events::event& e) {
  goes_down(f.node, e.t, false);
}

void book::write(const events::node_restarted& f, const events::event& e) {
  comes_back(f.node, e.t);
}

void book::write(const events::node_resumed& f, const events::event& e) { comes_back(f.node, e.t); }

record_index book::index_of(token_id token, driver_id d) const {
  // Nearly every event is about the last token of its driver, or grants her the next one: the table
  // of all tokens, which no cache holds, is asked about the rest.
  const driver_record& of = driver(d);
  if (token > of.highest_known) {
    return no_record;
  }
  if (of.latest != no_record && records_[of.latest].token == token) {
    return of.latest;
  }
  const record_index i = index_.find(token);
  return i == no_record || records_[i].driver == d ? i : open_under(token, d);
}

// A manager that counts anew grants a token again, to another driver.
record_index book::open_under(token_id token, driver_id d) const {
  const driver_record& of = driver(d);
  if (of.holder != no_record && records_[of.holder].token == token) {
    return of.holder;
  }
  record_index trip = of.trips;
  while (trip != no_record && records_[trip].token != token) {
    trip = records_[trip].next_of_driver;
  }
  return trip;
}

record_index book::index_or_new(token_id token, driver_id d, ride_id r) {
  const record_index i = index_of(token, d);
  return i != no_record ? i : add(token, d, r);
}

record_index book::add(token_id token, driver_id d, ride_id r) {
  const auto i = static_cast<record_index>(records_.size());
  records_.push_back({.token = token, .driver = d, .ride = r});
  index_.set(token, i);
  driver_record& of = slot(d);
  of.latest = i;
  of.highest_known = std::max(of.highest_known, token);
  return i;
}

driver_record& book::slot(driver_id d) {
  ensure(d.is_some(), "a fact about a lease names its driver");
  if (d.value >= drivers_.size()) {
    drivers_.resize(std::max<std::size_t>(d.value + std::size_t{1}, drivers_.size() * 2));
  }
  return drivers_[d.value];
}

ride_record& book::slot(ride_id r) {
  ensure(r.is_some(), "a fact about a trip names its ride");
  return rides_.grown(r.value);
}

void book::open_trip(record_index i) {
  token_record& r = records_[i];
  driver_record& d = slot(r.driver);
  ride_record& of_ride = slot(r.ride);
  for (record_index j = d.trips; j != no_record; j = records_[j].next_of_driver) {
    r.hindered = records_[j].hindered = true;
    r.stray = records_[j].stray = true;
  }
  for (record_index j = of_ride.trips; j != no_record; j = records_[j].next_of_ride) {
    r.hindered = records_[j].hindered = true;
  }
  r.trip_open = true;
  r.next_of_driver = d.trips;
  d.trips = i;
  r.next_of_ride = of_ride.trips;
  of_ride.trips = i;
  of_ride.was_taken = true;
}

void book::close_trip(record_index i, sim_time t) {
  token_record& r = records_[i];
  if (!r.trip_open) {
    return;
  }
  r.trip_open = false;
  driver_record& d = slot(r.driver);
  record_index* link = &d.trips;
  while (*link != i) {
    link = &records_[*link].next_of_driver;
  }
  *link = r.next_of_driver;
  link = &slot(r.ride).trips;
  while (*link != i) {
    link = &records_[*link].next_of_ride;
  }
  *link = r.next_of_ride;
  d.last_trip_over = t;
  // With two trips she drives the one written last, and its end makes her available: the manager
  // need not have heard that the other was called off.
  if (d.holder != no_record && records_[d.holder].committed) {
    d.holder = no_record;
  }
}

void book::hinder(node_id node, bool is_out) {
  if (node.kind() == node_kind::driver) {
    slot(driver_id{node.index()}).is_out = is_out;
    hinder_trips_of(driver_id{node.index()});
  } else if (node.kind() == node_kind::ledger && what_.commit_at_manager) {
    // It is the ledger who sends her, and may not have heard of the trip yet.
    ledger_is_out_ = is_out;
    for (std::uint32_t d = 0; d < drivers_.size(); ++d) {
      hinder_trips_of(driver_id{d});
    }
  }
}

void book::hinder_trips_of(driver_id d) {
  for (record_index i = driver(d).trips; i != no_record; i = records_[i].next_of_driver) {
    records_[i].hindered = true;
  }
}

void book::goes_down(node_id node, sim_time t, bool is_crash) {
  hinder(node, true);
  outages_[node] = {.down = t, .is_crash = is_crash};
  if (is_crash) {
    crashes_[node] = outages_[node];
  }
  manager_up_since_ = is_manager(node) ? sim_time::max() : manager_up_since_;
}

void book::comes_back(node_id node, sim_time t) {
  hinder(node, false);
  if (const auto found = outages_.find(node); found != outages_.end()) {
    found->second.back = t;
    if (found->second.is_crash) {
      crashes_[node] = found->second;
    }
  }
  manager_up_since_ = is_manager(node) ? t : manager_up_since_;
}

sim_duration span(local_time from, local_time to) {
  const bool beyond = from < local_time{} && to > local_time::max() + from.time_since_epoch();
  return beyond ? forever : to - from;
}

}  // namespace dibs::checkers
