/// The offer race with nothing around it: one loop, one queue, arrays, no actors. With a 4-ary heap
/// it is the limit that the engine is measured against; with the engine's own queue it is the limit
/// of what actors and their links may cost.
///
/// Model: D drivers, 10 matchers, one lease manager; rides arrive as a Poisson process of 0.00132 D
/// a second; every message takes an exponential hop of 50 ms on average. A ride asks for leases of
/// uniformly random drivers, up to 5 in all; a lease lasts 15 s; a driver answers an offer after a
/// lognormal time (median 6 s, sigma 0.8) and accepts with probability 0.7; a trip takes 600 s.
/// Every message delivered and every timer fired is one event; timers are never cancelled.
#pragma once

#include "actors/runtime/event_queue.hpp"
#include "base/random.hpp"
#include "base/real.hpp"
#include "base/time.hpp"

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

template <class Queue>
class bare_loop {
 public:
  bare_loop(std::uint32_t drivers, double hours, std::uint64_t seed)
      : random_(stream::keyed(seed, purpose::answer)),
        leases_(drivers),
        rate_per_ns_(0.00132 * drivers * 1e-9),
        ends_(sim_duration{static_cast<std::int64_t>(hours * 3600e9)}) {}

  /// Runs to the end; the number of events.
  std::uint64_t run() {
    std::uint64_t events = 0;
    push({.due = now_ + exponential(1 / rate_per_ns_), .kind = kind::arrive});
    while (!queue_.empty() && queue_.next_due() < ends_) {
      const event e = queue_.pop();
      now_ = e.due;
      ++events;
      handle(e);
    }
    return events;
  }

  [[nodiscard]] std::uint64_t committed() const { return committed_; }
  [[nodiscard]] std::uint64_t rides() const { return rides_; }

 private:
  using event = bare_event;
  using kind = bare_step;

  struct lease {
    sim_time expires{};
    std::uint32_t token = 0;
    enum : std::uint8_t { free, leased, busy } state = free;
  };

  static constexpr sim_duration ttl = 15s;
  static constexpr sim_duration trip = 600s;
  static constexpr double hop_mean = 50e6;
  static constexpr double answer_median = 6e9;
  static constexpr double answer_sigma = 0.8;
  static constexpr double acceptance = 0.7;
  static constexpr std::uint8_t tries_max = 5;

  sim_duration exponential(double mean) { return of_ns(-mean * real::log(random_.unit())); }
  static sim_duration of_ns(double ns) { return sim_duration{static_cast<std::int64_t>(ns)}; }

  void hop(event e, kind to) { after(e, to, exponential(hop_mean)); }

  void after(event e, kind to, sim_duration delay) {
    e.due = now_ + delay;
    e.kind = to;
    push(e);
  }

  void handle(const event& e) {
    switch (e.kind) {
      case kind::arrive:
        ++rides_;
        hop(e, kind::request);
        push({.due = now_ + exponential(1 / rate_per_ns_),
              .ride = e.ride + 1,
              .kind = kind::arrive});
        return;
      case kind::request:
      case kind::deny:
      case kind::retry:
        try_next(e);
        return;
      case kind::acquire:
        acquire(e);
        return;
      case kind::grant:
        hop(e, kind::offer);
        return;
      case kind::offer: {
        event answer = e;
        const double z = real::normal_quantile(random_.unit());
        const sim_duration response = of_ns(answer_median * real::exp(answer_sigma * z));
        answer.accepts = random_.unit() < acceptance;
        after(answer, kind::answer, response);
        return;
      }
      case kind::answer:
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
        return;
      case kind::trip_end:
        leases_[e.driver].state = lease::free;
        return;
    }
  }

  void try_next(event e) {
    if (e.tries == tries_max) {
      return;
    }
    ++e.tries;
    e.driver = static_cast<std::uint32_t>(random_.below(leases_.size()));
    hop(e, kind::acquire);
  }

  void acquire(event e) {
    lease& l = leases_[e.driver];
    if (l.state != lease::free) {
      hop(e, kind::deny);
      return;
    }
    l = {now_ + ttl, ++token_, lease::leased};
    e.token = l.token;
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
      return;
    }
    l.state = lease::busy;
    ++committed_;
    after(e, kind::trip_end, trip);
    hop(e, kind::committed);
  }

  void free(const event& e) {
    if (holds(e)) {
      leases_[e.driver].state = lease::free;
      hop(e, kind::retry);
    }
  }

  void push(event e) {
    e.order = order_++;
    queue_.push(e);
  }

  stream random_;
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
using bare_loop_on_queue = bare_loop<actors::runtime::event_queue<bare_event>>;

}  // namespace dibs::bench
