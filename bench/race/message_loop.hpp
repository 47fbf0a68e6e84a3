/// The offer race (`race_model.hpp`) message by message as the engine has it, and nothing else: one
/// loop on the engine's queue, arrays, no actors. Riders appear, are told and leave, drivers come
/// to work, are sent, arrive and drop off, matchers watch their leases, the ledger records and
/// closes. A message carries nearly all that its receiver would have to look up: of a lease only
/// its state is kept, of a ride only its offer. Nothing can be lost, late, repeated, cut, paused or
/// crashed, and one protocol is all there is.
///
/// A message is data that finds its receiver, as in the engine. So an event of it is a floor for
/// what one of an engine of actors takes, where nodes remember the least that they must
/// (`node_memory.hpp`): with draws by keys alone for a run that nobody watches, and with a record
/// that the least of readers reads for one that is watched, on its own thread or from a second one
/// (`bare_record.hpp`).
#pragma once

#include "base/prefetch.hpp"
#include "base/time.hpp"
#include "bench/race/bare_loop.hpp"
#include "bench/race/bare_record.hpp"
#include "bench/race/message_step.hpp"
#include "bench/race/node_memory.hpp"
#include "bench/race/race_model.hpp"
#include "events/calls.hpp"
#include "events/causes.hpp"
#include "events/facts.hpp"
#include "runtime/event_queue.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dibs::bench {

template <class Record, class Memory = no_memory>
class message_loop {
 public:
  message_loop(std::uint32_t drivers, double hours, std::uint64_t seed)
      : record_(drivers, seed),
        memory_(drivers),
        leases_(drivers),
        ends_(sim_duration{static_cast<std::int64_t>(hours * 3600e9)}) {}

  /// Runs to the end; the number of events. The loop is one piece, and what it calls for a kind of
  /// message another.
  std::uint64_t run();

  [[nodiscard]] std::uint64_t committed() const { return committed_; }
  [[nodiscard]] std::uint64_t rides() const { return rides_; }
  [[nodiscard]] const Record& record() const { return record_; }

 private:
  using event = message_event;
  using kind = message_step;
  using model = race_model;
  using receiver = void (message_loop::*)(const event&);

  struct lease {
    sim_time expires{};
    std::uint32_t token = 0;
    enum : std::uint8_t { free, leased, busy } state = free;
  };

  static constexpr std::uint64_t events_between_looks = 4096;

  template <bool is_large>
  std::uint64_t run_to_end() {
    std::uint64_t events = 0;
    for (std::uint32_t d = 0; d < leases_.size(); ++d) {
      at_once({.driver = d}, kind::come_to_work);
    }
    expect_ride(0);
    while (!queue_.empty() && queue_.next_due() < ends_) {
      const event e = queue_.pop();
      if constexpr (is_large) {
        queue_.look_ahead([this](const event& next) {
          fetch_line(&leases_[next.driver]);
          memory_.fetch(next);
        });
      }
      now_ = e.due;
      ++events;
      if (memory_.takes(e)) {
        (this->*receivers[static_cast<std::size_t>(e.kind)])(e);
      }
      if (events % events_between_looks == 0 && record_.is_stuck(now_)) {
        break;
      }
    }
    record_.finish();
    return events;
  }

  // -- sending

  void hop(const event& e, kind to) {
    const std::uint32_t which = e.tries * 256U + static_cast<std::uint32_t>(to);
    auto random = record_.template draws<purpose::latency>(e.ride, which);
    after(e, to, model::hop(memory_.hop_mean(to), random));
  }
  void at_once(const event& e, kind to) { after(e, to, sim_duration::zero()); }
  void after(const event& last, kind to, sim_duration delay) {
    event e = last;
    e.due = now_ + delay;
    e.kind = to;
    e.order = order_++;
    queue_.push(e);
  }

  void expect_ride(std::uint32_t number) {
    auto random = record_.template draws<purpose::ride_gap>(number, 0);
    const auto drivers = static_cast<std::uint32_t>(leases_.size());
    after({.ride = number}, kind::next_ride, model::ride_gap(drivers, random));
  }

  // -- receiving

  /// What a node has for one kind of message, apart from what it has for others.
  template <std::size_t Kind>
  [[gnu::noinline]] DIBS_ALL_IN_ONE_PIECE void receive(const event& e) {
    handle(static_cast<kind>(Kind), e);
  }
  template <std::size_t... Kinds>
  static constexpr std::array<receiver, sizeof...(Kinds)> all_receivers(
      std::index_sequence<Kinds...> /*kinds*/) {
    return {&message_loop::receive<Kinds>...};
  }
  static const std::array<receiver, message_steps> receivers;

  void handle(kind what, const event& e) {
    switch (what) {
      case kind::come_to_work:
        return come_to_work(e);
      case kind::next_ride:
        return next_ride(e);
      case kind::appear:
        return appear(e);
      case kind::want_ride:
        return try_next(e);
      case kind::acquire:
        return acquire(e);
      case kind::lease_refused:
        return lease_refused(e);
      case kind::lease_given:
        return make_offer(e);
      case kind::offer:
        return offer(e);
      case kind::answer_due:
        return answer_due(e);
      case kind::screen_over:
        return screen_over(e);
      case kind::confirm:
        return confirm(e);
      case kind::release:
        return release(e);
      case kind::lease_converted:
        return lease_converted(e);
      case kind::lease_due:
        return end_lease(e, events::lease_ending::expired);
      case kind::try_over:
      case kind::lease_over:
        return lease_over(e);
      case kind::withdraw_ride:
        return withdraw_ride(e);
      case kind::release_seen:
        return release_seen(e);
      case kind::record_commit:
        return at_once(e, kind::drive);
      case kind::drive:
        return at_once(e, kind::at_pickup);
      case kind::at_pickup:
        return at_once(e, kind::arrived);
      case kind::arrived:
        return arrived(e);
      case kind::boarded:
        return after(e, kind::at_drop_off, model::trip);
      case kind::at_drop_off:
        return at_drop_off(e);
      case kind::trip_done:
        return at_once(e, kind::trip_closed);
      case kind::trip_closed:
        return trip_closed(e);
      case kind::unserved:
        return unserved(e);
      case kind::answer_seen:
      case kind::withdraw_offer:
      case kind::assigned:
      case kind::dropped_off:
        return;
    }
  }

  // -- demand and riders

  void next_ride(const event& e) {
    ++rides_;
    memory_.enter_ride();
    at_once(e, kind::appear);
    expect_ride(e.ride + 1);
  }

  void appear(const event& e) {
    note(events::ride_requested{ride(e), {}});
    hop(e, kind::want_ride);
  }

  void arrived(const event& e) {
    hop(e, kind::withdraw_ride);
    note(events::rider_picked_up{ride(e), token(e), driver(e)});
    at_once(e, kind::boarded);
  }

  void unserved(const event& e) {
    note(events::ride_abandoned{ride(e), events::abandonment::tries});
    hop(e, kind::withdraw_ride);
  }

  // -- matchers

  void try_next(const event& last) {
    event e = last;
    if (e.tries == model::tries_max) {
      at_once(e, kind::unserved);
      return;
    }
    ++e.tries;
    auto random = record_.template draws<purpose::pick>(e.ride, e.tries);
    e.driver = static_cast<std::uint32_t>(random.below(leases_.size()));
    e.token = 0;
    memory_.tries(e);
    call(e, node_of(matcher(e)), events::call::acquire);
    hop(e, kind::acquire);
  }

  void lease_refused(const event& e) {
    answered(e, events::call::acquire, events::call_answer::no);
    note(try_closed_by(e, events::try_ending::denied));
    try_next(e);
  }

  void make_offer(const event& e) {
    answered(e, events::call::acquire, events::call_answer::yes);
    note(events::offer_sent{token(e), driver(e), ride(e), matcher(e)});
    memory_.offers(e);
    hop(e, kind::offer);
    after(e, kind::try_over, model::ttl);
  }

  void lease_over(const event& e) {
    if (ends_offer(e, events::try_ending::timed_out)) {
      try_next(e);
    }
  }

  void lease_converted(const event& e) {
    static_cast<void>(ends_offer(e, events::try_ending::committed));
    at_once(e, kind::assigned);
  }

  void release_seen(const event& e) {
    answered(e, events::call::release, events::call_answer::heard);
  }

  /// Whether the offer had not come to an end before.
  [[nodiscard]] bool ends_offer(const event& e, events::try_ending cause) {
    if (!memory_.ends_offer(e)) {
      return false;
    }
    note(try_closed_by(e, cause));
    return true;
  }

  /// The rider may be on board before the matcher knows.
  void withdraw_ride(const event& last) {
    event e = last;
    if (ends_offer(e, events::try_ending::withdrawn)) {
      hop(e, kind::withdraw_offer);
      call(e, node_of(matcher(e)), events::call::release);
      e.is_matchers = true;
      hop(e, kind::release);
    }
  }

  // -- the lease manager

  void acquire(const event& last) {
    event e = last;
    lease& l = leases_[e.driver];
    if (l.state != lease::free) {
      note(events::lease_denied{driver(e), ride(e), matcher(e)});
      hop(e, kind::lease_refused);
      return;
    }
    l = {now_ + model::ttl, ++token_, lease::leased};
    e.token = l.token;
    note(events::lease_granted{
        token(e), driver(e), ride(e), matcher(e), model::ttl, shared_clock(l.expires)});
    after(e, kind::lease_due, model::ttl);
    hop(e, kind::lease_given);
  }

  [[nodiscard]] bool holds(const event& e) const {
    const lease& l = leases_[e.driver];
    return l.state == lease::leased && l.token == e.token;
  }

  void confirm(const event& e) {
    lease& l = leases_[e.driver];
    if (!holds(e) || now_ >= l.expires) {
      note(events::confirm_refused{token(e), driver(e), ride(e)});
      at_once(e, kind::answer_seen);
      return;
    }
    l.state = lease::busy;
    ++committed_;
    note(events::confirm_accepted{token(e), driver(e), ride(e)});
    note(events::trip_committed{token(e), driver(e), ride(e), matcher(e)});
    at_once(e, kind::record_commit);
    at_once(e, kind::answer_seen);
    hop(e, kind::lease_converted);
  }

  void release(const event& e) {
    end_lease(e, e.is_matchers ? events::lease_ending::released : events::lease_ending::declined);
    if (e.is_matchers) {
      hop(e, kind::release_seen);
    } else {
      at_once(e, kind::answer_seen);
    }
  }

  void end_lease(const event& e, events::lease_ending cause) {
    if (holds(e)) {
      leases_[e.driver].state = lease::free;
      note(events::lease_ended{token(e), driver(e), ride(e), cause});
      hop(e, kind::lease_over);
    }
  }

  void trip_closed(const event& e) { leases_[e.driver].state = lease::free; }

  // -- drivers

  void come_to_work(const event& e) { note(events::driver_came_online{driver(e), {}}); }

  void offer(const event& last) {
    event e = last;
    note(events::offer_shown{token(e), driver(e), ride(e), shared_clock(now_ + model::ttl)});
    auto random = record_.template draws<purpose::answer>(e.driver, e.ride);
    e.accepts = random.unit() < model::acceptance;
    const sim_duration response = model::response(random);
    if (response >= model::ttl) {
      after(e, kind::screen_over, model::ttl);
    }
    after(e, kind::answer_due, response);
  }

  void screen_over(const event& e) { note(events::offer_dismissed{token(e), driver(e)}); }

  void answer_due(const event& e) {
    const auto verdict =
        e.accepts ? events::offer_response::accepted : events::offer_response::declined;
    note(events::offer_answered{token(e), driver(e), ride(e), verdict});
    call(e, node_of(driver(e)), e.accepts ? events::call::confirm : events::call::release);
    hop(e, e.accepts ? kind::confirm : kind::release);
  }

  void at_drop_off(const event& e) {
    at_once(e, kind::dropped_off);
    note(events::trip_ended{token(e), driver(e), ride(e), {}});
    at_once(e, kind::trip_done);
  }

  // -- writing down

  template <class Fact>
  void note(const Fact& fact) {
    record_.note(now_, fact);
  }
  void call(const event& e, node_id client, events::call what) {
    note(events::call_made{client, what, driver(e), ride(e), token(e), e.ride << 3 | e.tries});
  }
  void answered(const event& e, events::call what, events::call_answer answer) {
    note(events::call_answered{
        node_of(matcher(e)), what, answer, driver(e), ride(e), token(e), e.ride << 3 | e.tries});
  }
  static events::try_closed try_closed_by(const event& e, events::try_ending cause) {
    return {token(e), driver(e), ride(e), matcher(e), cause};
  }
  static local_time shared_clock(sim_time t) { return local_time{t.time_since_epoch()}; }
  static token_id token(const event& e) { return token_id{e.token}; }
  static driver_id driver(const event& e) { return driver_id{e.driver}; }
  static ride_id ride(const event& e) { return ride_id{e.ride}; }
  static matcher_id matcher(const event& e) { return matcher_id{e.ride % model::matchers}; }

  Record record_;
  Memory memory_;
  std::vector<lease> leases_;
  runtime::event_queue<event> queue_;
  sim_time ends_;
  sim_time now_{};
  std::uint32_t order_ = 0;
  std::uint32_t token_ = 0;
  std::uint64_t rides_ = 0;
  std::uint64_t committed_ = 0;
};

template <class Record, class Memory>
const std::array<typename message_loop<Record, Memory>::receiver, message_steps>
    message_loop<Record, Memory>::receivers =
        all_receivers(std::make_index_sequence<message_steps>());

template <class Record, class Memory>
DIBS_ALL_IN_ONE_PIECE std::uint64_t message_loop<Record, Memory>::run() {
  return leases_.size() > cached_drivers ? run_to_end<true>() : run_to_end<false>();
}

using bare_messages = message_loop<keyed_draws>;
using unwatched_nodes = message_loop<keyed_draws, node_memory>;
using watched_nodes = message_loop<watched_record, node_memory>;
using apart_nodes = message_loop<second_thread_record, node_memory>;

// Compiled once (`loops.cpp`): to make one piece of a loop takes ten seconds.
extern template class message_loop<keyed_draws>;
extern template class message_loop<keyed_draws, node_memory>;
extern template class message_loop<watched_record, node_memory>;
extern template class message_loop<second_thread_record, node_memory>;

}  // namespace dibs::bench
