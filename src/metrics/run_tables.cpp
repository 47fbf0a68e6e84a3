#include "metrics/run_tables.hpp"

#include "base/ensure.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

namespace dibs::metrics {
namespace {

constexpr node_id the_lease_manager{node_kind::lease_manager, 0};
constexpr node_id the_ledger{node_kind::ledger, 0};

/// The place of `i`, which the table grows to hold.
template <class Record, class... Filler>
Record& grown(std::vector<Record>& table, std::uint32_t i, const Filler&... filler) {
  if (i >= table.size()) [[unlikely]] {
    table.resize(std::max<std::size_t>(i + std::size_t{1}, table.size() * 2), filler...);
  }
  return table[i];
}

/// To whom the words go that make an assignment of a yes.
bool is_on_its_way(node_kind to) {
  return to == node_kind::matcher || to == node_kind::lease_manager || to == node_kind::ledger;
}

}  // namespace

run_tables::run_tables(const options& what, worst_harms& found, bool is_followed)
    : window_{what.measured_from, what.measured_until},
      grace_(what.grace),
      reply_timeout_(what.reply_timeout),
      found_(found),
      tries_(what.drivers),
      riders_(window_, is_followed),
      drivers_(window_, what.drivers, tries_, is_followed) {}

void run_tables::write(const events::event& e) {
  ensure(e.t >= now_, "true time never runs backwards");
  now_ = e.t;
  local_ = e.local;
  std::visit([this](const auto& fact) { on(fact); }, e.what);
}

void run_tables::finish(sim_time end) {
  ensure(end >= now_, "a run does not end before its last event");
  drivers_.finish(end);
  riders_.finish(end);
}

// -- supply and demand ----------------------------------------------------------------------------

void run_tables::on(const events::driver_came_online& f) {
  drivers_.came_online(f.driver, f.place, now_);
}

void run_tables::on(const events::driver_went_offline& f) {
  for (try_index i = drivers_.held(f.driver); i != no_try; i = tries_.at(i).next_held) {
    tries_.at(i).in_vain = std::min(tries_.at(i).in_vain, now_);
  }
  drivers_.went_offline(f.driver, now_);
}

void run_tables::on(const events::ride_requested& f) {
  ride_record& r = ride(f.ride);
  if (r.requested != never) {
    return;
  }
  ++requested_;
  r.requested = now_;
  r.origin = f.origin;
  wait_or_not(f.ride);
}

void run_tables::on(const events::ride_abandoned& f) {
  ride(f.ride).abandoned = true;
  leave(f.ride);
}

void run_tables::count_messages(std::uint64_t n) {
  if (window_.holds(now_)) {
    counts_.messages += n;
  }
}

void run_tables::leave(ride_id r) {
  ride(r).gone = std::min(ride(r).gone, now_);
  for (try_index i = ride(r).latest; i != no_try; i = tries_.at(i).earlier_of_ride) {
    try_record& t = tries_.at(i);
    t.closed = std::min(t.closed, now_);
    if (t.is_leased() && t.is_live()) {
      t.in_vain = std::min(t.in_vain, now_);
    }
  }
  wait_or_not(r);
  want_or_not(r);
}

/// Since it sent the offer, so that what it knew of it is gone.
bool run_tables::has_holder_crashed(const try_record& t) const {
  return down_.any_within(t.matcher, {t.sent, now_ + 1ns});
}

// A yes of which a crashed holder never heard was decided against by the crash.
void run_tables::want_or_not(ride_id r) {
  const bool is_wanted = ride(r).is_wanted();
  for (try_index i = ride(r).latest; i != no_try; i = tries_.at(i).earlier_of_ride) {
    try_record& t = tries_.at(i);
    const bool known = t.doubtful ? t.unwanted_if_heard : t.unwanted;
    if (t.decided_against || known == !is_wanted) {
      continue;
    }
    if (!has_holder_crashed(t)) {
      if (t.doubtful) {
        t.unwanted_if_heard = !is_wanted;
      } else {
        t.unwanted = !is_wanted;
      }
    } else {
      t.decided_against = t.decided_against || !t.doubtful;
    }
  }
}

// A crash since then decided all the same.
void run_tables::come_through(try_record& t) {
  if (t.doubtful && !t.decided_against) {
    t.doubtful = false;
    t.unwanted = t.unwanted_if_heard;
    t.decided_against = has_holder_crashed(t);
  }
}

// -- offers ---------------------------------------------------------------------------------------

void run_tables::on(const events::offer_sent& f) {
  const try_index known = tries_.find(f.token, f.driver);
  const try_index i = known == no_try ? add(f.token, f.driver, f.ride) : known;
  try_record& t = tries_.at(i);
  if (t.sent != never) {
    return;
  }
  count_messages(1);
  t.sent = now_;
  t.matcher = f.matcher;
  ++ride(f.ride).offers;
  if (!t.is_leased() && t.is_live()) {
    open_offers_of(f.matcher).push_back(i);
    began(f.ride);
  }
}

void run_tables::on(const events::offer_shown& f) {
  try_record& t = tries_.at(find_or_add(f.token, f.driver, f.ride));
  if (t.shown == never) {
    t.shown = now_;
    t.phone_deadline = f.deadline;
    tries_.on_screen(f.driver) += t.left_screen == never ? 1U : 0U;
  }
}

void run_tables::on(const events::offer_dismissed& f) {
  const try_index i = tries_.find(f.token, f.driver);
  if (i == no_try || tries_.at(i).shown == never || tries_.at(i).left_screen != never) {
    return;
  }
  leave_screen(tries_.at(i));
  tries_.at(i).withdrawn = f.cause == events::dismissal::withdrawn;
}

void run_tables::on(const events::offer_answered& f) {
  try_record& t = tries_.at(find_or_add(f.token, f.driver, f.ride));
  const bool is_yes = f.answer == events::offer_response::accepted;
  // A copy of the offer may be answered anew, and her first yes counts.
  if (t.decided != never && (t.accepted || !is_yes)) {
    return;
  }
  count_messages(1);
  t.decided = now_;
  leave_screen(t);
  t.accepted = is_yes;
  // Once the phone has called it late, a clock that is set back does not make it early.
  t.in_time = f.in_time && (t.shown == never || local_ < t.phone_deadline);
}

void run_tables::on(const events::try_closed& f) {
  const try_index i = f.token.is_some() ? tries_.find(f.token, f.driver) : no_try;
  if (i == no_try) {
    return;
  }
  try_record& t = tries_.at(i);
  const bool is_by_time =
      f.cause == events::try_ending::timed_out || f.cause == events::try_ending::lease_lost;
  t.given_up = t.given_up ||
               (is_by_time && t.is_leased() && t.is_live() && t.known != never && now_ < t.known);
  if (f.cause == events::try_ending::withdrawn && !t.decided_against && !t.doubtful) {
    t.unwanted = true;
  }
  t.decided_against = t.decided_against || f.cause != events::try_ending::committed;
  t.unanswered = t.unanswered || (f.cause == events::try_ending::no_reply && t.asked != never);
  t.closed = std::min(t.closed, now_);
  end_unleased(i);
}

void run_tables::end_unleased(try_index i) {
  try_record& t = tries_.at(i);
  if (t.is_leased() || !t.is_live()) {
    return;
  }
  t.over = now_;
  if (t.sent != never) {
    ended(t.ride);
  }
}

// -- assignments and trips ------------------------------------------------------------------------

void run_tables::on(const events::trip_committed& f) {
  const try_index i = find_or_add(f.token, f.driver, f.ride);
  if (tries_.at(i).committed != never) {
    return;
  }
  ++committed_;
  count_messages(2);
  tries_.at(i).committed = now_;
  note_shared(tries_.at(i).ride);
  ride_record& r = ride(f.ride);
  if (!tries_.at(i).revoked) {
    ++r.drivers;
  }
  if (r.gone == never) {  // a driver for someone who has left is no match
    r.first_commit = std::min(r.first_commit, now_);
  }
  forget_current(i);
  if (tries_.at(i).is_leased() && tries_.at(i).is_live()) {
    tries_.at(i).converted = true;
    end_lease(i);
  } else {
    counts_.stale_writes_taken += tries_.at(i).is_leased() && window_.holds(now_) ? 1U : 0U;
    end_unleased(i);
  }
  drivers_.trip_began(f.driver, now_);
  wait_or_not(f.ride);
  want_or_not(f.ride);
}

/// The ride has a commit more.
void run_tables::note_shared(ride_id r) {
  if (!std::exchange(ride(r).committed, true)) {
    return;
  }
  for (try_index i = ride(r).latest; i != no_try; i = tries_.at(i).earlier_of_ride) {
    tries_.at(i).shares_ride = tries_.at(i).committed != never;
  }
}

void run_tables::on(const events::write_refused& f) {
  count_messages(2);
  const bool is_stale = f.cause == events::write_refusal::stale_token;
  counts_.stale_writes_refused += is_stale && window_.holds(now_) ? 1U : 0U;
  refuse(tries_.find(f.token, f.driver));
}

void run_tables::refuse(try_index i) {
  if (i != no_try) {
    come_through(tries_.at(i));
    tries_.at(i).refused = tries_.at(i).refused || tries_.at(i).closed == never;
    tries_.at(i).decided_against = true;
    tries_.at(i).closed = std::min(tries_.at(i).closed, now_);
  }
}

void run_tables::on(const events::ride_promised& f) {
  try_record& t = tries_.at(find_or_add(f.token, f.driver, f.ride));
  t.promised = std::min(t.promised, now_);
}

void run_tables::on(const events::assignment_revoked& f) {
  const try_index i = find_or_add(f.token, f.driver, f.ride);
  if (tries_.at(i).committed != never && !tries_.at(i).revoked) {
    --ride(tries_.at(i).ride).drivers;
  }
  tries_.at(i).revoked = true;
  if (tries_.at(i).promised != never && f.cause == events::revocation::no_show) {
    tries_.at(i).broken = true;
  }
  end_trip(i, f.driver);
  want_or_not(tries_.at(i).ride);
}

void run_tables::on(const events::rider_picked_up& f) {
  const try_index i = tries_.find(f.token, f.driver);
  const sim_time began = i == no_try ? never : tries_.at(i).committed;
  ride_record& r = ride(f.ride);
  if (began != never && r.pickup < sim_duration::zero()) {
    r.pickup = now_ - began;
  }
}

void run_tables::on(const events::trip_ended& f) {
  const try_index i = tries_.find(f.token, f.driver);
  drivers_.moved(f.driver, f.place, now_);
  if (i != no_try) {
    end_trip(i, f.driver);
  }
}

void run_tables::end_trip(try_index i, driver_id d) {
  try_record& t = tries_.at(i);
  if (t.committed != never && t.trip_over == never) {
    t.trip_over = now_;
    drivers_.trip_over(d, now_);
  }
}

// -- faults ---------------------------------------------------------------------------------------

void run_tables::on(const events::work_failed& f) {
  if (const try_index i = f.token.is_some() ? tries_.find(f.token, f.driver) : no_try;
      i != no_try) {
    try_record& t = tries_.at(i);
    t.failed = t.failed || (t.is_live() && now_ < t.closed);
    t.decided_against = true;
  }
}

void run_tables::on(const events::node_crashed& f) {
  if (f.node.kind() == node_kind::driver) {
    clear_screen(driver_id{f.node.index()});
  } else if (f.node.kind() == node_kind::matcher) {
    const matcher_id m{f.node.index()};
    paused_.ended(m, now_);
    down_.began(m, now_);
    for (const try_index i : std::exchange(open_offers_of(m), {})) {
      end_unleased(i);
    }
  }
}

void run_tables::leave_screen(try_record& t) {
  if (t.left_screen == never) {
    t.left_screen = now_;
    tries_.on_screen(t.driver) -= t.shown != never ? 1U : 0U;
  }
}

void run_tables::clear_screen(driver_id d) {
  try_index i = tries_.latest_of(d);
  while (i != no_try && tries_.on_screen(d) > 0) {
    try_record& t = tries_.at(i);
    if (t.shown != never) {
      leave_screen(t);
    }
    i = t.earlier_of_driver;
  }
}

void run_tables::on(const events::node_restarted& f) {
  if (f.node.kind() == node_kind::matcher) {
    down_.ended(matcher_id{f.node.index()}, now_);
  }
}

void run_tables::on(const events::node_paused& f) {
  if (f.node.kind() == node_kind::matcher) {
    paused_.began(matcher_id{f.node.index()}, now_);
  }
}

void run_tables::on(const events::node_resumed& f) {
  if (f.node.kind() == node_kind::matcher) {
    paused_.ended(matcher_id{f.node.index()}, now_);
  }
}

void run_tables::on(const events::message_lost& f) {
  // What lease manager and ledger tell each other does not decide whether an accept gets through.
  const bool is_between_records = (f.from == the_lease_manager && f.to == the_ledger) ||
                                  (f.from == the_ledger && f.to == the_lease_manager);
  if (!f.token.is_some() || !f.ride.is_some() || is_between_records) {
    return;
  }
  for (try_index i = ride(f.ride).latest; i != no_try; i = tries_.at(i).earlier_of_ride) {
    try_record& t = tries_.at(i);
    if (t.token != f.token) {
      continue;
    }
    const bool is_first = t.lost == never || t.lost_before_shown();
    if (t.is_live() && is_first) {
      t.lost = now_;
      t.lost_from = f.from;
    }
    if (!t.doubtful && t.accepted && !t.decided_against && is_on_its_way(f.to.kind())) {
      t.doubtful = true;
      t.unwanted_if_heard = t.unwanted;
    }
  }
}

// -- tables --------------------------------------------------------------------------------------

try_index run_tables::add(token_id token, driver_id d, ride_id r) {
  const try_index i = tries_.add(token, d, r);
  ride_record& of = ride(r);
  tries_.at(i).earlier_of_ride = std::exchange(of.latest, i);
  tries_.at(i).unwanted = !of.is_wanted();
  return i;
}

try_index run_tables::find_or_add(token_id token, driver_id d, ride_id r) {
  const try_index i = tries_.find(token, d);
  return i == no_try ? add(token, d, r) : i;
}

try_index& run_tables::current_of(driver_id d) { return grown(current_, d.value, no_try); }

void run_tables::forget_current(try_index i) {
  try_index& current = current_of(tries_.at(i).driver);
  if (current == i) {
    current = no_try;
  }
}

std::vector<try_index>& run_tables::open_offers_of(matcher_id m) {
  return grown(open_offers_, m.value);
}

void run_tables::began(ride_id r) {
  ++ride(r).live;
  wait_or_not(r);
}

void run_tables::ended(ride_id r) {
  ensure(ride(r).live > 0, "what ends has begun");
  --ride(r).live;
  wait_or_not(r);
}

void run_tables::wait_or_not(ride_id r) {
  const bool waits = ride(r).is_waiting();
  if (waits == riders_.is_waiting(r)) {
    return;
  }
  if (waits) {
    riders_.ride_waits(r, now_);
  } else {
    riders_.ride_stops(r, now_);
  }
}

}  // namespace dibs::metrics
