#include "lease/lease_machine.hpp"

#include "base/ensure.hpp"
#include "base/saturating_add.hpp"

#include <algorithm>
#include <utility>

namespace dibs::lease {
namespace {

using events::confirm_refusal;
using events::denial;
using events::lease_ending;

constexpr std::uint64_t tokens_a_term = 1'000'000'000'000;

// Outcomes are built where the caller wants them. Made elsewhere and copied there in wide words,
// they would wait for the narrow fields that were just written: a quarter of an operation's time.

template <class Outcome, class What>
Outcome filled(const auto& fill) {
  Outcome out{std::in_place_type<What>};
  fill(*std::get_if<What>(&out));
  return out;
}

/// `What`: denied or refused.
template <class Outcome, class What, class Cause>
Outcome refusal_of(Cause cause, const std::optional<ended>& previous) {
  return filled<Outcome, What>([&](What& no) {
    no.cause = cause;
    if (previous) {
      no.previous = previous;
    }
  });
}

constexpr auto deny = refusal_of<acquire_outcome, denied, denial>;
constexpr auto refuse = refusal_of<confirm_outcome, refused, confirm_refusal>;

}  // namespace

machine::machine(const machine_options& options, std::uint32_t drivers)
    : options_(options),
      records_(drivers),
      kept_until_(options.hold_min > sim_duration::zero() ? drivers : 0) {
  ensure(options.ttl > sim_duration::zero(), "a lease lasts longer than nothing");
  ensure(options.grace > -options.ttl, "a grace below 0 leaves something of a lease");
}

acquire_outcome machine::acquire(driver_id d,
                                 ride_id ride,
                                 matcher_id holder,
                                 local_time now,
                                 std::uint32_t request,
                                 sim_duration longer) {
  record& r = of(d);
  const auto previous = end_on_sight(d, r, now);
  if (is_retry(r, ride, holder, request) && !is_over(r, now)) {
    const local_time expires = r.due == local_time::max() ? r.due : r.due - options_.grace;
    const sim_duration left = r.due == local_time::max() ? forever : expires - now;
    return granted{r.token, left, expires, std::nullopt, true};
  }
  if (r.trip.is_some()) {
    return deny(denial::on_trip, previous);
  }
  if (r.state != phase::free) {
    return deny(denial::leased, previous);
  }
  if (options_.lock_delay > sim_duration::zero() && now < r.due) {
    return deny(denial::lock_delay, previous);
  }
  const sim_duration ttl = options_.ttl == forever ? forever : options_.ttl + longer;
  const local_time expires = saturating_add(now, ttl);
  r.token = token_id{++last_token_};
  r.ride = ride;
  r.holder = holder;
  r.request = request;
  r.renewals = 0;
  r.left = {};
  r.due = saturating_add(expires, options_.grace);
  r.state = phase::leased;
  r.was_committed = false;
  if (!kept_until_.empty()) {
    kept_until_[d.value] = saturating_add(now, options_.hold_min);
  }
  return filled<acquire_outcome, granted>([&](granted& g) {
    g.token = r.token;
    g.ttl = ttl;
    g.expires = expires;
    if (previous) {
      g.previous = previous;
    }
  });
}

confirm_outcome machine::confirm(driver_id d, token_id token, local_time now, matcher_id by) {
  record& r = of(d);
  const bool was_taken = (r.token == token && (r.was_committed || r.state == phase::confirmed)) ||
                         (options_.protocol.known_by == identity::token && is_trip(r, token));
  if (options_.protocol.repeats && was_taken) {
    return confirmed{.repeated = true, .holder = r.holder, .lease = r.token, .hold_until = r.due};
  }
  const bool expired = r.state == phase::leased && is_over(r, now);
  // A confirm that never looks at the expiry does not see that the lease is over.
  const auto previous =
      options_.protocol.checks_expiry ? end_on_sight(d, r, now) : std::optional<ended>();
  if (r.state == phase::leased && !is_held_by(r, token, by)) {
    return refuse(confirm_refusal::other_token, previous);
  }
  if (expired && options_.protocol.checks_expiry) {
    return refuse(confirm_refusal::expired, previous);
  }
  if (r.trip.is_some()) {
    return refuse(confirm_refusal::on_trip, previous);
  }
  if (r.state != phase::leased) {
    return refuse(confirm_refusal::no_lease, previous);
  }
  if (!options_.commit_on_confirm) {
    r.state = phase::confirmed;
    r.due = saturating_add(now, options_.confirm_hold);
    return filled<confirm_outcome, confirmed>([&](confirmed& c) {
      c.holder = r.holder;
      c.lease = r.token;
      c.hold_until = r.due;
    });
  }
  if (const trip_of_ride other = trip_of(r.ride); other.token.is_some()) {
    return refused{confirm_refusal::ride_taken, end(d, r, lease_ending::cancelled), other};
  }
  const auto other =
      r.token != token ? std::optional(end(d, r, lease_ending::cancelled)) : std::nullopt;
  commit(d, r, token);
  return filled<confirm_outcome, confirmed>([&](confirmed& c) {
    c.committed = true;
    c.holder = r.holder;
    c.lease = r.token;
    if (other) {
      c.other = other;
    }
  });
}

renew_outcome machine::renew(driver_id d,
                             token_id token,
                             local_time now,
                             matcher_id by,
                             std::uint32_t nth,
                             sim_duration longer) {
  record& r = of(d);
  const bool is_leased = r.state == phase::leased;
  const bool current = is_leased && is_held_by(r, token, by);
  const bool expired = current && is_over(r, now);
  const auto previous = end_on_sight(d, r, now);
  if (!current) {
    return refused{is_leased ? confirm_refusal::other_token : confirm_refusal::no_lease, previous};
  }
  if (expired) {
    return refused{confirm_refusal::expired, previous};
  }
  if (options_.numbers_renewals && nth != r.renewals + 1) {
    return refused{confirm_refusal::other_count, previous};
  }
  ++r.renewals;
  const local_time expires = expiry_of_renewal(r, now, longer);
  r.due = saturating_add(expires, options_.grace);
  r.left = {};
  return renewed{r.token, expires == local_time::max() ? forever : expires - now, expires};
}

// The answer to an earlier renewal promised its holder more, if that drew the longer jitter. A
// clock that was set back is no reason to keep more than a renewal can give.
local_time machine::expiry_of_renewal(const record& r, local_time now, sim_duration longer) const {
  if (options_.ttl == forever) {
    return local_time::max();
  }
  const local_time promised =
      std::min(r.due - options_.grace, saturating_add(now, options_.ttl + options_.jitter));
  return std::max(saturating_add(now, options_.ttl + longer), promised);
}

std::optional<ended> machine::release(driver_id d,
                                      token_id token,
                                      lease_ending cause,
                                      matcher_id by) {
  record& r = of(d);
  if (r.state == phase::free || r.state == phase::kept || !is_held_by(r, token, by)) {
    return std::nullopt;
  }
  // Of a lease that it did not mean the releaser knows nothing, least of all why it should end.
  return end(d, r, r.token == token ? cause : lease_ending::released);
}

std::optional<ended> machine::give_back(
    driver_id d, token_id token, lease_ending cause, local_time now, matcher_id by) {
  record& r = of(d);
  const bool is_kept = !kept_until_.empty() && r.state == phase::leased &&
                       is_held_by(r, token, by) && now < kept_until_[d.value];
  if (!is_kept) {
    return release(d, token, cause, by);
  }
  r.state = phase::kept;
  r.due = std::min(r.due, kept_until_[d.value]);
  return std::nullopt;
}

std::optional<machine::kept> machine::just_kept(driver_id d) const {
  const record& r = records_[d.value];
  return r.state == phase::kept ? std::optional(kept{r.token, r.due}) : std::nullopt;
}

lease_ending machine::cause_of_end(const record& r, lease_ending leased) {
  switch (r.state) {
    case phase::free:
    case phase::leased:
      break;
    case phase::confirmed:
      return lease_ending::unwritten;
    case phase::kept:
      return lease_ending::released;
  }
  return leased;
}

std::optional<ended> machine::expire(driver_id d, token_id token, local_time now) {
  record& r = of(d);
  if (r.state == phase::free || r.token != token || !is_over(r, now)) {
    return std::nullopt;
  }
  return end(d, r, cause_of_end(r, lease_ending::expired), now);
}

std::vector<ended> machine::sweep(local_time now, std::size_t at_most) {
  std::vector<ended> all;
  for (std::uint32_t i = 0; i < records_.size() && all.size() < at_most; ++i) {
    record& r = records_[i];
    if (r.state != phase::free && is_over(r, now)) {
      all.push_back(end(driver_id{i}, r, cause_of_end(r, lease_ending::swept), now));
    }
  }
  return all;
}

std::optional<ended> machine::sweep_one(driver_id d, token_id token, local_time now) {
  record& r = of(d);
  if (r.state == phase::free || r.token != token || !is_over(r, now)) {
    return std::nullopt;
  }
  return end(d, r, cause_of_end(r, lease_ending::swept), now);
}

std::optional<ended> machine::sweep_whatever(driver_id d) {
  record& r = of(d);
  return r.state == phase::free ? std::nullopt
                                : std::optional(end(d, r, cause_of_end(r, lease_ending::swept)));
}

std::vector<machine::due> machine::over_at(local_time now, std::size_t at_most) const {
  std::vector<due> all = pending();
  std::erase_if(all, [now](const due& one) { return now < one.when; });
  all.resize(std::min(all.size(), at_most));
  return all;
}

std::optional<ended> machine::trip_began(driver_id d, token_id token) {
  record& r = of(d);
  if (is_old_word(r, token)) {
    return std::nullopt;
  }
  std::optional<ended> other;
  if (r.token == token) {
    convert(r);
  } else if (r.state == phase::leased || r.state == phase::kept) {
    other = end(d, r, lease_ending::cancelled);
  }
  enter_trip(r, token);
  return other;
}

std::optional<ended> machine::write_refused(driver_id d, token_id token) {
  record& r = of(d);
  if (r.state == phase::free || r.token != token) {
    return std::nullopt;
  }
  return end(d, r, lease_ending::denied_by_ledger);
}

bool machine::trip_ended(driver_id d, token_id token, ride_id ride) {
  record& r = of(d);
  const bool was_on_it = leave_trip(r, token);
  if (!was_on_it && !is_old_word(r, token)) {
    // The end overtook the beginning, whose word then comes too late to mean anything.
    note_trip(r, token);
    if (r.token == token && r.state != phase::free) {
      convert(r);
    }
  }
  if (ride.value < trip_of_ride_.size() && trip_of_ride_[ride.value].token == token) {
    trip_of_ride_[ride.value] = {};
  }
  return was_on_it;
}

std::vector<machine::due> machine::pending() const {
  std::vector<due> all;
  for (std::uint32_t i = 0; i < records_.size(); ++i) {
    if (const record& r = records_[i]; r.state != phase::free) {
      all.push_back({driver_id{i}, r.token, r.holder, r.due, r.state != phase::leased});
    }
  }
  return all;
}

std::vector<machine::open_trip> machine::trips() const {
  std::vector<open_trip> all;
  for (std::uint32_t i = 0; i < records_.size(); ++i) {
    const record& r = records_[i];
    const auto add = [&](token_id trip) {
      all.push_back({driver_id{i}, r.token == trip ? r.ride : ride_id::none(), trip});
    };
    if (r.trip.is_some()) {
      add(r.trip);
    }
    for (std::uint32_t w = r.more_trips > 0 ? r.words : 0; w != 0; w = words_[w - 1].before) {
      if (words_[w - 1].is_open && words_[w - 1].trip != r.trip) {
        add(words_[w - 1].trip);
      }
    }
  }
  return all;
}

// -- what survives a failure of the manager ------------------------------------------------------

// Never earlier than its holder was told: jitter or a renewal may have promised more.
void machine::restart_clock(record& r, local_time now, sim_duration left) const {
  if (r.state == phase::leased && r.due != local_time::max() && !is_over(r, now)) {
    r.due = std::max(r.due, saturating_add(saturating_add(now, left), options_.grace));
  }
}

void machine::extend_all(local_time now, sim_duration extra) {
  for (record& r : records_) {
    restart_clock(r, saturating_add(now, extra), options_.ttl);
  }
}

void machine::take_checkpoint(local_time now) {
  for (record& r : records_) {
    if (r.state == phase::leased && r.due != local_time::max()) {
      r.left = std::max(r.due - options_.grace - now, sim_duration{1});
    }
  }
}

void machine::restore_checkpoint(local_time now) {
  for (record& r : records_) {
    restart_clock(r, now, r.left > sim_duration::zero() ? r.left : options_.ttl);
  }
}

std::vector<ended> machine::forget(bool keeps_counter) {
  std::vector<ended> all;
  for (std::uint32_t i = 0; i < records_.size(); ++i) {
    if (records_[i].state != phase::free) {
      all.push_back(end(driver_id{i}, records_[i], lease_ending::forgotten));
    }
    records_[i] = record{};
  }
  trip_of_ride_ = {};
  words_ = {};
  last_token_ = keeps_counter ? last_token_ : 0;
  return all;
}

void machine::begin_term(std::uint32_t term) {
  last_token_ = std::max(last_token_, tokens_a_term * (term - 1));
}

std::uint32_t machine::newest_term() const {
  return static_cast<std::uint32_t>(last_token_ / tokens_a_term + 1);
}

machine::entry machine::entry_of(driver_id d) const {
  const record& r = records_[d.value];
  return {r.token,
          r.trip,
          r.due,
          r.ride,
          r.holder,
          static_cast<std::uint8_t>(r.state),
          r.was_committed};
}

void machine::adopt_lease(driver_id d, const entry& e) {
  record& r = of(d);
  r.token = e.token;
  r.due = e.due;
  r.ride = e.ride;
  r.holder = e.holder;
  r.state = static_cast<phase>(e.state);
  r.was_committed = e.was_committed;
  r.left = {};
  last_token_ = std::max(last_token_, e.token.value);
}

void machine::adopt_trip(driver_id d, token_id trip) {
  record& r = of(d);
  leave_all(r);
  r.trip = trip;
  if (options_.protocol.ledger == ledger_rule::fence || !trip.is_some()) {
    return;
  }
  if (word_of(r, trip) == 0) {
    note_trip(r, trip);
  }
  words_[word_of(r, trip) - 1].is_open = true;
  if (r.token == trip && r.state != phase::free) {
    convert(r);  // the ledger's own word is an old one now, and does not
  }
}

bool machine::is_retry(const record& r, ride_id ride, matcher_id holder, std::uint32_t request) {
  return request != 0 && r.state == phase::leased && r.request == request && r.ride == ride &&
         r.holder == holder;
}

bool machine::is_held_by(const record& r, token_id token, matcher_id by) const {
  switch (options_.protocol.known_by) {
    case identity::token:
      return r.token == token;
    case identity::holder:
      return !by.is_some() || r.holder == by;
    case identity::anyone:
      return true;
  }
  return false;
}

void machine::convert(record& r) {
  r.was_committed = true;
  r.state = phase::free;
  r.due = local_time{};
}

bool machine::is_over(const record& r, local_time now) const { return now >= r.due; }

std::optional<ended> machine::end_on_sight(driver_id d, record& r, local_time now) {
  if (r.state == phase::kept && is_over(r, now)) {
    return end(d, r, lease_ending::released, now);
  }
  if (!options_.ends_on_sight || r.state != phase::leased || !is_over(r, now)) {
    return std::nullopt;
  }
  return end(d, r, lease_ending::expired, now);
}

ended machine::end(driver_id d, record& r, lease_ending cause, std::optional<local_time> at) {
  ensure(r.state != phase::free, "only a live lease can end");
  const bool ran_out = cause == lease_ending::expired || cause == lease_ending::swept ||
                       cause == lease_ending::unwritten;
  r.state = phase::free;
  r.due = ran_out && options_.lock_delay > sim_duration::zero()
              ? saturating_add(at.value_or(r.due), options_.lock_delay)
              : local_time{};
  return {r.token, d, r.ride, r.holder, cause};
}

machine::record& machine::of(driver_id d) {
  ensure(d.value < records_.size(), "the driver is known to the lease manager");
  return records_[d.value];
}

trip_of_ride machine::trip_of(ride_id r) const {
  return r.value < trip_of_ride_.size() ? trip_of_ride_[r.value] : trip_of_ride{};
}

// A fenced ledger takes the writes for a driver in the order of their tokens, so the word of an
// older trip that comes after that of a newer one is a copy or was overtaken. Were it believed, the
// trip that the driver is on would be forgotten, and she granted to somebody else.
// Where it does not fence, an older trip may truly come after a newer, but none twice.
bool machine::is_old_word(const record& r, token_id token) const {
  return options_.protocol.ledger == ledger_rule::fence ? token <= r.last_trip : is_trip(r, token);
}

bool machine::is_trip(const record& r, token_id token) const {
  if (options_.protocol.ledger == ledger_rule::fence || token >= r.last_trip) {
    return token == r.last_trip && token.is_some();
  }
  return word_of(r, token) != 0;
}

std::uint32_t machine::word_of(const record& r, token_id token) const {
  std::uint32_t i = token > r.last_trip ? 0 : r.words;
  while (i != 0 && words_[i - 1].trip != token) {
    i = words_[i - 1].before;
  }
  return i;
}

void machine::note_trip(record& r, token_id token) {
  if (options_.protocol.ledger == ledger_rule::fence) {
    r.last_trip = token;
    return;
  }
  r.last_trip = std::max(r.last_trip, token);
  words_.push_back({token, r.words});
  r.words = static_cast<std::uint32_t>(words_.size());
}

// The word of an older trip may come after that of a newer one, and its end after that: she is on
// the newer one all the same. But a ledger that closes whichever trip a driver is on may never
// close one that she left for another.
void machine::enter_trip(record& r, token_id token) {
  note_trip(r, token);
  if (options_.protocol.ledger != ledger_rule::fence) {
    if (!options_.protocol.fences_every_write) {
      leave_all(r);
    } else if (r.trip.is_some()) {
      ++r.more_trips;
    }
    words_[r.words - 1].is_open = true;
  }
  r.trip = token;
}

void machine::leave_all(record& r) {
  std::uint32_t left = r.more_trips + (r.trip.is_some() ? 1U : 0U);
  for (std::uint32_t i = r.words; i != 0 && left > 0; i = std::as_const(words_)[i - 1].before) {
    if (std::as_const(words_)[i - 1].is_open) {
      words_[i - 1].is_open = false;
      --left;
    }
  }
  r.more_trips = 0;
  r.trip = token_id::none();
}

bool machine::leave_trip(record& r, token_id token) {
  const std::uint32_t heard = word_of(r, token);
  const bool was_on_it = r.trip == token || (heard != 0 && words_[heard - 1].is_open);
  if (heard != 0) {
    words_[heard - 1].is_open = false;
  }
  if (was_on_it && r.more_trips > 0) {
    --r.more_trips;
    r.trip = r.trip == token ? last_open(r) : r.trip;
  } else if (was_on_it) {
    r.trip = token_id::none();
  }
  return was_on_it;
}

token_id machine::last_open(const record& r) const {
  std::uint32_t i = r.words;
  while (i != 0 && !words_[i - 1].is_open) {
    i = words_[i - 1].before;
  }
  return i == 0 ? token_id::none() : words_[i - 1].trip;
}

void machine::commit(driver_id d, record& r, token_id token) {
  enter_trip(r, token);
  r.was_committed = r.token == token;
  r.state = phase::free;
  r.due = local_time{};
  if (options_.protocol.ledger == ledger_rule::fence) {
    trip_of_ride_.grown(r.ride.value) = {token, d};
  }
}

}  // namespace dibs::lease
