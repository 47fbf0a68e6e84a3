#include "checkers/observed_state.hpp"

#include "base/ensure.hpp"

#include <algorithm>
#include <utility>

namespace dibs::checkers {
namespace {

constexpr driver_record unknown_driver{};
constexpr ride_record unknown_ride{};

}  // namespace

observed_state::observed_state(const options& what) : what_(what), drivers_(what.drivers) {}

const token_record* observed_state::find(token_id token, driver_id d) const {
  const record_index i = index_of(token, d);
  return i == no_record ? nullptr : &records_[i];
}

const token_record* observed_state::holder_of(driver_id d) const {
  const record_index i = driver(d).holder;
  return i == no_record ? nullptr : &records_[i];
}

const driver_record& observed_state::driver(driver_id d) const {
  return d.value < drivers_.size() ? drivers_[d.value] : unknown_driver;
}

const ride_record& observed_state::ride(ride_id r) const {
  return r.value < rides_.size() ? rides_[r.value] : unknown_ride;
}

std::vector<record_index> observed_state::live_leases() const {
  std::vector<record_index> live;
  for (record_index i = 0; i < records_.size(); ++i) {
    if (records_[i].is_live()) {
      live.push_back(i);
    }
  }
  return live;
}

const open_trip* observed_state::find_trip(token_id token, driver_id d) const {
  if (driver(d).trips == no_trip) {
    return nullptr;
  }
  const record_index i = index_of(token, d);
  return i == no_record ? nullptr : trip_of(i, d);
}

const open_trip* observed_state::trip_of(record_index i, driver_id d) const {
  const trip_index place = place_of_trip(i, d);
  return place == no_trip ? nullptr : &trips_[place];
}

trip_index observed_state::place_of_trip(record_index i, driver_id d) const {
  trip_index place = driver(d).trips;
  while (place != no_trip && trips_[place].record != i) {
    place = trips_[place].next_of_driver;
  }
  return place;
}

record_index observed_state::other_trip_of(driver_id d, token_id token) const {
  for (trip_index i = driver(d).trips; i != no_trip; i = trips_[i].next_of_driver) {
    if (trips_[i].token != token) {
      return trips_[i].record;
    }
  }
  return no_record;
}

record_index observed_state::other_driver_of(ride_id r, driver_id d) const {
  for (trip_index i = ride(r).trips; i != no_trip; i = trips_[i].next_of_ride) {
    if (trips_[i].driver != d) {
      return trips_[i].record;
    }
  }
  return no_record;
}

bool observed_state::manager_knows_of_trip(const token_record& r, sim_time t) const {
  if (!r.committed || r.word_lost || manager_up_since_ == sim_time::max()) {
    return false;
  }
  const sim_time from = std::max(r.since, manager_up_since_);
  return t - from > what_.word_takes;
}

bool observed_state::was_down(node_id n, sim_time since) const {
  const auto found = outages_.find(n);
  return found != outages_.end() && found->second.back >= since;
}

const outage* observed_state::last_crash_of(node_id n) const {
  const auto found = crashes_.find(n);
  return found == crashes_.end() ? nullptr : &found->second;
}

void observed_state::write(const events::lease_granted& f, const events::event& e) {
  const record_index i = add(f.token, f.driver, f.ride);
  token_record& r = records_[i];
  r.at_manager = hold::leased;
  r.holder = f.matcher;
  r.since = r.armed = e.t;
  r.armed_local = e.local;
  r.due = saturating_add(f.expires, what_.grace);
  driver_record& d = slot(f.driver);
  d.holder = i;
  d.holder_is_trip = false;
  d.highest_granted = std::max(d.highest_granted, f.token);
}

void observed_state::write(const events::lease_renewed& f, const events::event& e) {
  const record_index i = index_of(f.token, f.driver);
  if (i == no_record || records_[i].at_manager != hold::leased) {
    return;
  }
  records_[i].armed = e.t;
  records_[i].armed_local = e.local;
  records_[i].due = saturating_add(f.expires, what_.grace);
}

void observed_state::write(const events::lease_reset& f, const events::event& e) {
  write(events::lease_renewed{f.token, f.driver, f.expires}, e);
}

void observed_state::write(const events::confirm_accepted& f, const events::event& e) {
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
    r.due = saturating_add(e.local, what_.confirm_hold);
  }
}

void observed_state::write(const events::lease_ended& f, const events::event&) {
  const record_index i = index_of(f.token, f.driver);
  if (i == no_record) {
    return;
  }
  records_[i].at_manager = hold::over;
  if (const trip_index trip = place_of_trip(i, f.driver); trip != no_trip) {
    trips_[trip].stray = true;
  }
  if (driver_record& d = slot(f.driver); d.holder == i) {
    d.holder = no_record;
    d.holder_is_trip = false;
  }
}

void observed_state::write(const events::call_made& f, const events::event&) {
  if (f.what != events::call::release) {
    return;
  }
  if (const record_index i = index_of(f.token, f.driver); i != no_record) {
    records_[i].given_back = true;
  }
}

void observed_state::write(const events::offer_answered& f, const events::event&) {
  // Nobody asks about the others, and a look-up for each answer would cost.
  if (f.answer != events::offer_response::declined) {
    slot(f.driver).has_left = false;
    return;
  }
  if (const record_index i = index_of(f.token, f.driver); i != no_record) {
    records_[i].declined = true;
  }
}

// Whoever ends her shift between her yes and the trip does not come.
void observed_state::write(const events::driver_went_offline& f, const events::event&) {
  slot(f.driver).has_left = true;
  hinder_trips_of(f.driver);
}

void observed_state::write(const events::write_refused& f, const events::event&) {
  records_[index_or_new(f.token, f.driver, f.ride)].refused = true;
}

void observed_state::write(const events::trip_committed& f, const events::event& e) {
  const record_index i = index_or_new(f.token, f.driver, f.ride);
  driver_record& d = slot(f.driver);
  d.highest_taken = std::max(d.highest_taken, f.token);
  if (records_[i].committed) {
    return;
  }
  records_[i].committed = true;
  records_[i].since = e.t;
  d.holder_is_trip = d.holder_is_trip || d.holder == i;
  begin_trip(i);
}

void observed_state::write(const events::trip_ended& f, const events::event& e) {
  if (const record_index i = index_of(f.token, f.driver); i != no_record) {
    end_trip(i, f.driver, e.t);
    record_index& drives = slot(f.driver).drives;
    drives = drives == i ? no_record : drives;
  }
}

// Who called a trip off and boards even so is driven, and the driver's next trip waits.
void observed_state::write(const events::rider_picked_up& f, const events::event&) {
  const record_index i = index_of(f.token, f.driver);
  if (i == no_record) {
    return;
  }
  slot(f.driver).is_misled = false;
  slot(f.driver).drives = i;
  const open_trip* const trip = trip_of(i, f.driver);
  if (trip != nullptr ? trip->was_revoked : std::as_const(records_)[i].revoked) {
    hinder_trips_of(f.driver);
  }
}

void observed_state::write(const events::assignment_revoked& f, const events::event& e) {
  if (const record_index i = index_of(f.token, f.driver); i != no_record) {
    end_trip(i, f.driver, e.t);
    records_[i].revoked = true;
  }
}

void observed_state::write(const events::message_lost& f, const events::event&) {
  const record_index i = f.token.is_some() ? index_.find(f.token) : no_record;
  if (i != no_record) {
    token_record& r = records_[i];
    r.mishap = true;
    r.word_lost = r.word_lost || (f.from.kind() == node_kind::ledger && is_manager(f.to));
    if (r.committed && f.to.kind() == node_kind::driver) {
      slot(r.driver).is_misled = true;
    }
  }
  for (trip_index at = ride(f.ride).trips; at != no_trip; at = trips_[at].next_of_ride) {
    trips_[at].hindered = true;
  }
}

void observed_state::write(const events::node_crashed& f, const events::event& e) {
  goes_down(f.node, e.t, true);
}

void observed_state::write(const events::node_paused& f, const events::event& e) {
  goes_down(f.node, e.t, false);
}

void observed_state::write(const events::node_restarted& f, const events::event& e) {
  comes_back(f.node, e.t);
}

record_index observed_state::index_of(token_id token, driver_id d) const {
  // Nearly every event is about the last token of its driver, or grants her the next one: the table
  // of all tokens, which no cache holds, is asked about the rest.
  const driver_record& of = driver(d);
  if (token > of.highest_known) {
    return no_record;
  }
  if (of.latest != no_record && of.latest_token == token) {
    return of.latest;
  }
  const record_index i = index_.find(token);
  return i == no_record || records_[i].driver == d ? i : open_under(token, d);
}

// A manager that counts anew grants a token again, to another driver.
record_index observed_state::open_under(token_id token, driver_id d) const {
  const driver_record& of = driver(d);
  if (of.holder != no_record && records_[of.holder].token == token) {
    return of.holder;
  }
  trip_index trip = of.trips;
  while (trip != no_trip && trips_[trip].token != token) {
    trip = trips_[trip].next_of_driver;
  }
  return trip == no_trip ? no_record : trips_[trip].record;
}

record_index observed_state::index_or_new(token_id token, driver_id d, ride_id r) {
  const record_index i = index_of(token, d);
  return i != no_record ? i : add(token, d, r);
}

record_index observed_state::add(token_id token, driver_id d, ride_id r) {
  const auto i = static_cast<record_index>(records_.size());
  records_.push_back({.token = token, .driver = d, .ride = r});
  index_.set(token, i);
  driver_record& of = slot(d);
  of.latest = i;
  of.latest_token = token;
  of.highest_known = std::max(of.highest_known, token);
  return i;
}

driver_record& observed_state::slot(driver_id d) {
  ensure(d.is_some(), "a fact about a lease names its driver");
  if (d.value >= drivers_.size()) {
    drivers_.resize(std::max<std::size_t>(d.value + std::size_t{1}, drivers_.size() * 2));
  }
  return drivers_[d.value];
}

ride_record& observed_state::slot(ride_id r) {
  ensure(r.is_some(), "a fact about a trip names its ride");
  return rides_.grown(r.value);
}

void observed_state::begin_trip(record_index i) {
  const token_record& r = records_[i];
  driver_record& d = slot(r.driver);
  ride_record& of_ride = slot(r.ride);
  open_trip begun{
      .record = i,
      .driver = r.driver,
      .ride = r.ride,
      .next_of_driver = d.trips,
      .next_of_ride = of_ride.trips,
      .hindered = d.is_out || ledger_is_out_ || d.drives != no_record || d.is_misled || d.has_left,
      .stray = r.at_manager == hold::over,
      .was_revoked = r.revoked,
      .token = r.token,
      .since = r.since};
  for (trip_index other = d.trips; other != no_trip; other = trips_[other].next_of_driver) {
    begun.hindered = trips_[other].hindered = true;
    begun.stray = trips_[other].stray = true;
  }
  for (trip_index other = of_ride.trips; other != no_trip; other = trips_[other].next_of_ride) {
    begun.hindered = trips_[other].hindered = true;
  }
  d.trips = of_ride.trips = room();
  trips_[d.trips] = begun;
  of_ride.was_taken = true;
}

trip_index observed_state::room() {
  if (free_trips_.empty()) {
    trips_.push_back({});
    return static_cast<trip_index>(trips_.size() - 1);
  }
  const trip_index place = free_trips_.back();
  free_trips_.pop_back();
  return place;
}

void observed_state::end_trip(record_index i, driver_id of, sim_time t) {
  const trip_index place = place_of_trip(i, of);
  if (place == no_trip) {
    return;
  }
  const open_trip& ended = trips_[place];
  driver_record& d = slot(of);
  trip_index* link = &d.trips;
  while (*link != place) {
    link = &trips_[*link].next_of_driver;
  }
  *link = ended.next_of_driver;
  link = &slot(ended.ride).trips;
  while (*link != place) {
    link = &trips_[*link].next_of_ride;
  }
  *link = ended.next_of_ride;
  if (ended.hindered) {
    records_[i].hindered = true;
  }
  free_trips_.push_back(place);
  d.last_trip_over = t;
  // With two trips she drives the one written last, and its end makes her available: the manager
  // need not have heard that the other was called off.
  if (d.holder_is_trip) {
    d.holder = no_record;
    d.holder_is_trip = false;
  }
}

void observed_state::hinder(node_id node, bool is_out) {
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

void observed_state::hinder_trips_of(driver_id d) {
  for (trip_index i = driver(d).trips; i != no_trip; i = trips_[i].next_of_driver) {
    trips_[i].hindered = true;
  }
}

void observed_state::goes_down(node_id node, sim_time t, bool is_crash) {
  hinder(node, true);
  outages_[node] = {.down = t, .is_crash = is_crash};
  if (is_crash) {
    crashes_[node] = outages_[node];
  }
  manager_up_since_ = is_manager(node) ? sim_time::max() : manager_up_since_;
}

void observed_state::comes_back(node_id node, sim_time t) {
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
