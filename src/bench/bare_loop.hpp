/// The offer race with nothing around it: one loop, one heap, arrays, no actors. The limit that the
/// engine is measured against.
///
/// Model: D drivers, 10 matchers, one lease manager; rides arrive as a Poisson process of 0.00132 D
/// a second; every message takes an exponential hop of 50 ms on average. A ride asks for leases of
/// uniformly random drivers, up to 5 in all; a lease lasts 15 s; a driver answers an offer after a
/// lognormal time (median 6 s, sigma 0.8) and accepts with probability 0.7; a trip takes 600 s.
/// Every message delivered and every timer fired is one event; timers are never cancelled.
#pragma once

#include "base/random.hpp"
#include "base/real.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dibs::bench {

class bare_loop {
 public:
  bare_loop(std::uint32_t drivers, double hours, std::uint64_t seed)
      : random_(stream::keyed(seed, purpose::answer)),
        leases_(drivers),
        rate_per_ns_(0.00132 * drivers * 1e-9),
        ends_(static_cast<std::int64_t>(hours * 3600e9)) {}

  /// Runs to the end; the number of events.
  std::uint64_t run() {
    std::uint64_t events = 0;
    push({.due = exponential(1 / rate_per_ns_), .kind = kind::arrive});
    while (!heap_.empty() && heap_.front().due < ends_) {
      const event e = pop();
      now_ = e.due;
      ++events;
      handle(e);
    }
    return events;
  }

  [[nodiscard]] std::uint64_t committed() const { return committed_; }
  [[nodiscard]] std::uint64_t rides() const { return rides_; }

 private:
  enum class kind : std::uint8_t {
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

  struct event {
    std::int64_t due = 0;
    std::uint32_t order = 0;
    std::uint32_t ride = 0;
    std::uint32_t driver = 0;
    std::uint32_t token = 0;
    bare_loop::kind kind{};
    std::uint8_t tries = 0;
    bool accepts = false;

    [[nodiscard]] bool before(const event& other) const {
      return due != other.due ? due < other.due : order < other.order;
    }
  };

  struct lease {
    std::int64_t expires = 0;
    std::uint32_t token = 0;
    enum : std::uint8_t { free, leased, busy } state = free;
  };

  static constexpr std::int64_t ttl = 15'000'000'000;
  static constexpr std::int64_t trip = 600'000'000'000;
  static constexpr double hop_mean = 50e6;
  static constexpr double answer_median = 6e9;
  static constexpr double answer_sigma = 0.8;
  static constexpr double acceptance = 0.7;
  static constexpr std::uint8_t tries_max = 5;

  std::int64_t exponential(double mean) {
    return static_cast<std::int64_t>(-mean * real::log(random_.unit()));
  }

  void hop(event e, kind to) { after(e, to, exponential(hop_mean)); }

  void after(event e, kind to, std::int64_t delay) {
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
        const auto response =
            static_cast<std::int64_t>(answer_median * real::exp(answer_sigma * z));
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

  // -- a 4-ary heap

  void push(event e) {
    e.order = order_++;
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

  event pop() {
    const event first = heap_.front();
    const event last = heap_.back();
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

  stream random_;
  std::vector<lease> leases_;
  std::vector<event> heap_;
  double rate_per_ns_;
  std::int64_t ends_;
  std::int64_t now_ = 0;
  std::uint32_t order_ = 0;
  std::uint32_t token_ = 0;
  std::uint64_t rides_ = 0;
  std::uint64_t committed_ = 0;
};

}  // namespace dibs::bench
