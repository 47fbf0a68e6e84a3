/// The offer race with nothing around it: one loop, one queue, arrays, no actors. With a 4-ary heap
/// it is the limit that the engine is measured against; with the engine's own queue it is the limit
/// of what actors and their links may cost. With draws by keys, facts written down and these hashed
/// it does what a run of dibs must do, and nothing else (`bare_record.hpp`): floors by the virtual
/// hour, in which the engine takes more events.
///
/// Model: D drivers, 10 matchers, one lease manager; rides arrive as a Poisson process of 0.00132 D
/// a second; every message takes an exponential hop of 50 ms on average. A ride asks for leases of
/// uniformly random drivers, up to 5 in all; a lease lasts 15 s; a driver answers an offer after a
/// lognormal time (median 6 s, sigma 0.8) and accepts with probability 0.7; a trip takes 600 s.
/// Every message delivered and every timer fired is one event; timers are never cancelled.
#pragma once

#include "actors/runtime/event_queue.hpp"
#include "base/prefetch.hpp"
#include "base/real.hpp"
#include "base/time.hpp"
#include "bench/bare_record.hpp"
#include "events/facts.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dibs::bench {

enum class bare_step : std::uint8_t {
  arrive,
  request,
  acquire,
  deny,
  grant,
  offer,
  answer,
  confirm,
  release,
  expiry,
  committed,
  retry,
  trip_end,
};

struct bare_event {
  sim_time due{};
  std::uint32_t order = 0;
  std::uint32_t ride = 0;
  std::uint32_t driver = 0;
  std::uint32_t token = 0;
  bare_step kind{};
  std::uint8_t tries = 0;
  bool accepts = false;

  [[nodiscard]] bool before(const bare_event& other) const {
    return due != other.due ? due < other.due : order < other.order;
  }
};

/// A 4-ary heap of whole events.
class bare_heap {
 public:
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] sim_time next_due() const { return heap_.front().due; }

  void push(const bare_event& e) {
    std::size_t i = heap_.size();
    heap_.push_back(e);
    while (i > 0) {
      const std::size_t parent = (i - 1) / 4;
      if (!e.before(heap_[parent])) {
        break;
      }
      heap_[i] = heap_[parent];
      i = parent;
    }
    heap_[i] = e;
  }

  bare_event pop() {
    const bare_event first = heap_.front();
    const bare_event last = heap_.back();
    heap_.pop_back();
    const std::size_t n = heap_.size();
    std::size_t i = 0;
    for (std::size_t child = 1; child < n; child = 4 * i + 1) {
      std::size_t best = child;
      const std::size_t end = child + 4 < n ? child + 4 : n;
      for (std::size_t c = child + 1; c < end; ++c) {
        best = heap_[c].before(heap_[best]) ? c : best;
      }
      if (!heap_[best].before(last)) {
        break;
      }
      heap_[i] = heap_[best];
      i = best;
    }
    if (n > 0) {
      heap_[i] = last;
    }
    return first;
  }

 private:
  std::vector<bare_event> heap_;
};

template <class Queue, class Record = no_record>
class bare_loop {
 public:
  bare_loop(std::uint32_t drivers, double hours, std::uint64_t seed)
      : record_(seed),
        leases_(drivers),
        rate_per_ns_(0.00132 * drivers * 1e-9),
        ends_(sim_duration{static_cast<std::int64_t>(hours * 3600e9)}) {}

  /// Runs to the end; the number of events. All in one piece, as a loop by hand would be.
  [[gnu::flatten]] std::uint64_t run() {
    // Asked once, or small races would pay for it.
    return leases_.size() > cached_drivers ? run_to_end<true>() : run_to_end<false>();
  }

  [[nodiscard]] std::uint64_t committed() const { return committed_; }
  [[nodiscard]] std::uint64_t rides() const { return rides_; }
  [[nodiscard]] const Record& record() const { return record_; }

 private:
  using event = bare_event;
  using kind = bare_step;

  struct lease {
    sim_time expires{};
    std::uint32_t token = 0;
    enum : std::uint8_t { free, leased, busy } state = free;
  };

  static constexpr std::uint32_t matchers = 10;
  static constexpr sim_duration ttl = 15s;
  static constexpr sim_duration trip = 600s;
  static constexpr double hop_mean = 50e6;
  static constexpr double answer_median = 6e9;
  static constexpr double answer_sigma = 0.8;
  static constexpr double acceptance = 0.7;
  static constexpr std::uint8_t tries_max = 5;
  /// A cache holds the leases of so many, and their events.
  static constexpr std::uint32_t cached_drivers = 100'000;

  template <bool is_large>
  std::uint64_t run_to_end() {
    std::uint64_t events = 0;
    expect_ride(0);
    while (!queue_.empty() && queue_.next_due() < ends_) {
      const event e = queue_.pop();
      if constexpr (is_large) {
        look_ahead();
      }
      now_ = e.due;
      ++events;
      handle(e);
    }
    return events;
  }

  sim_duration exponential(double mean, stream& random) {
    return of_ns(-mean * real::log(random.unit()));
  }
  static sim_duration of_ns(double ns) { return sim_duration{static_cast<std::int64_t>(ns)}; }

  void hop(const event& e, kind to) {
    auto&& random = record_.template draws<purpose::latency>(e.ride, key_of(to, e.tries));
    after(e, to, exponential(hop_mean, random));
  }

  static std::uint32_t key_of(kind to, std::uint32_t tries) {
    return tries << 8 | static_cast<std::uint32_t>(to);
  }

  void after(event e, kind to, sim_duration delay) {
    e.due = now_ + delay;
    e.kind = to;
    push(e);
  }

  /// As the engine does, in whose world more belongs to a driver. A heap has no next events to
  /// look at.
  void look_ahead() {
    if constexpr (requires { queue_.look_ahead([](const event&) {}); }) {
      queue_.look_ahead([this](const event& next) { fetch_line(&leases_[next.driver]); });
    }
  }

  void handle(const event& e) {
    switch (e.kind) {
      case kind::arrive:
        arrive(e);
        return;
      case kind::request:
        try_next(e);
        return;
      case kind::deny:
      case kind::retry:
        note(try_closed_by(e, events::try_ending::denied));
        try_next(e);
        return;
      case kind::acquire:
        acquire(e);
        return;
      case kind::grant:
        note(events::offer_sent{token(e), driver(e), ride(e), matcher(e)});
        hop(e, kind::offer);
        return;
      case kind::offer:
        show(e);
        return;
      case kind::answer:
        note(events::offer_answered{
            token(e),
            driver(e),
            ride(e),
            e.accepts ? events::verdict::accepted : events::verdict::declined});
        hop(e, e.accepts ? kind::confirm : kind::release);
        return;
      case kind::confirm:
        confirm(e);
        return;
      case kind::release:
      case kind::expiry:
        free(e);
        return;
      case kind::committed:
        note(try_closed_by(e, events::try_ending::committed));
        return;
      case kind::trip_end:
        leases_[e.driver].state = lease::free;
        note(events::trip_ended{token(e), driver(e), ride(e), {}});
        return;
    }
  }

  void arrive(const event& e) {
    ++rides_;
    note(events::ride_requested{ride(e), {}});
    hop(e, kind::request);
    expect_ride(e.ride + 1);
  }

  void expect_ride(std::uint32_t number) {
    auto&& random = record_.template draws<purpose::ride_gap>(number, 0);
    push({.due = now_ + exponential(1 / rate_per_ns_, random),
          .ride = number,
          .kind = kind::arrive});
  }

  void try_next(event e) {
    if (e.tries == tries_max) {
      note(events::ride_abandoned{ride(e), events::abandonment::tries});
      return;
    }
    ++e.tries;
    auto&& random = record_.template draws<purpose::pick>(e.ride, e.tries);
    e.driver = static_cast<std::uint32_t>(random.below(leases_.size()));
    hop(e, kind::acquire);
  }

  void show(event e) {
    note(events::offer_shown{token(e), driver(e), ride(e)});
    auto&& random = record_.template draws<purpose::answer>(e.driver, e.ride);
    const double z = real::normal_quantile(random.unit());
    const sim_duration response = of_ns(answer_median * real::exp(answer_sigma * z));
    e.accepts = random.unit() < acceptance;
    after(e, kind::answer, response);
  }

  void acquire(event e) {
    lease& l = leases_[e.driver];
    if (l.state != lease::free) {
      note(events::lease_denied{driver(e), ride(e), matcher(e)});
      hop(e, kind::deny);
      return;
    }
    l = {now_ + ttl, ++token_, lease::leased};
    e.token = l.token;
    note(events::lease_granted{token(e), driver(e), ride(e), matcher(e), ttl});
    after(e, kind::expiry, ttl);
    hop(e, kind::grant);
  }

  [[nodiscard]] bool holds(const event& e) const {
    const lease& l = leases_[e.driver];
    return l.state == lease::leased && l.token == e.token;
  }

  void confirm(const event& e) {
    lease& l = leases_[e.driver];
    if (!holds(e) || now_ >= l.expires) {
      note(events::confirm_refused{token(e), driver(e), ride(e)});
      return;
    }
    l.state = lease::busy;
    ++committed_;
    note(events::confirm_accepted{token(e), driver(e), ride(e)});
    note(events::trip_committed{token(e), driver(e), ride(e), matcher(e)});
    after(e, kind::trip_end, trip);
    hop(e, kind::committed);
  }

  void free(const event& e) {
    if (holds(e)) {
      leases_[e.driver].state = lease::free;
      note(events::lease_ended{token(e), driver(e), ride(e)});
      hop(e, kind::retry);
    }
  }

  void push(event e) {
    e.order = order_++;
    queue_.push(e);
  }

  template <class Fact>
  void note(const Fact& fact) {
    record_.note(now_, fact);
  }
  static events::try_closed try_closed_by(const event& e, events::try_ending cause) {
    return {token(e), driver(e), ride(e), matcher(e), cause};
  }
  static token_id token(const event& e) { return token_id{e.token}; }
  static driver_id driver(const event& e) { return driver_id{e.driver}; }
  static ride_id ride(const event& e) { return ride_id{e.ride}; }
  static matcher_id matcher(const event& e) { return matcher_id{e.ride % matchers}; }

  Record record_;
  std::vector<lease> leases_;
  Queue queue_;
  double rate_per_ns_;
  sim_time ends_;
  sim_time now_{};
  std::uint32_t order_ = 0;
  std::uint32_t token_ = 0;
  std::uint64_t rides_ = 0;
  std::uint64_t committed_ = 0;
};

using bare_loop_on_heap = bare_loop<bare_heap>;
using bare_queue = actors::runtime::event_queue<bare_event>;
using bare_loop_on_queue = bare_loop<bare_queue>;
using bare_loop_on_keys = bare_loop<bare_queue, keyed_draws>;
using bare_loop_on_facts = bare_loop<bare_queue, written_record>;
using bare_loop_on_record = bare_loop<bare_queue, hashed_record>;

}  // namespace dibs::bench
