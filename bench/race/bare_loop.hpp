/// The offer race (`race_model.hpp`) with nothing around it: one loop, one queue, arrays, no
/// actors. With a 4-ary heap it is the limit that the engine is measured against; with the engine's
/// own queue it is the limit of what actors and their links may cost. Every message delivered and
/// every timer fired is one event. `message_loop.hpp` has a loop with all the messages of the
/// engine.
#pragma once

#include "base/prefetch.hpp"
#include "base/random.hpp"
#include "base/time.hpp"
#include "bench/race/race_model.hpp"
#include "runtime/event_queue.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

/// A function that calls none, as a loop by hand would be; where nobody debugs it.
#ifdef NDEBUG
#define DIBS_ALL_IN_ONE_PIECE [[gnu::flatten]]
#else
#define DIBS_ALL_IN_ONE_PIECE
#endif

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

/// `Align`: an event takes so many bytes, or a multiple.
template <class Step, std::size_t Align = 8>
struct alignas(Align) event_of {
  sim_time due{};
  std::uint32_t order = 0;
  std::uint32_t ride = 0;
  std::uint32_t driver = 0;
  std::uint32_t token = 0;
  Step kind{};
  std::uint8_t tries = 0;
  bool accepts = false;
  bool is_matchers = false;  ///< a release that the matcher asked for

  [[nodiscard]] bool before(const event_of& other) const {
    return due != other.due ? due < other.due : order < other.order;
  }
};

using bare_event = event_of<bare_step>;

/// A cache holds the leases of so many, and their events.
inline constexpr std::uint32_t cached_drivers = 50'000;

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
        ends_(sim_duration{static_cast<std::int64_t>(hours * 3600e9)}) {}

  /// Runs to the end; the number of events. All in one piece, as a loop by hand would be.
  std::uint64_t run();

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

  void hop(const event& e, kind to) {
    after(e, to, race_model::hop(race_model::hop_mean, random_));
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
        try_next(e);
        return;
      case kind::acquire:
        acquire(e);
        return;
      case kind::grant:
        hop(e, kind::offer);
        return;
      case kind::offer:
        show(e);
        return;
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

  void arrive(const event& e) {
    ++rides_;
    hop(e, kind::request);
    expect_ride(e.ride + 1);
  }

  void expect_ride(std::uint32_t number) {
    const auto drivers = static_cast<std::uint32_t>(leases_.size());
    push({.due = now_ + race_model::ride_gap(drivers, random_),
          .ride = number,
          .kind = kind::arrive});
  }

  void try_next(event e) {
    if (e.tries == race_model::tries_max) {
      return;
    }
    ++e.tries;
    e.driver = static_cast<std::uint32_t>(random_.below(leases_.size()));
    hop(e, kind::acquire);
  }

  void show(event e) {
    const sim_duration response = race_model::response(random_);
    e.accepts = random_.unit() < race_model::acceptance;
    after(e, kind::answer, response);
  }

  void acquire(event e) {
    lease& l = leases_[e.driver];
    if (l.state != lease::free) {
      hop(e, kind::deny);
      return;
    }
    l = {now_ + race_model::ttl, ++token_, lease::leased};
    e.token = l.token;
    after(e, kind::expiry, race_model::ttl);
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
    after(e, kind::trip_end, race_model::trip);
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
  sim_time ends_;
  sim_time now_{};
  std::uint32_t order_ = 0;
  std::uint32_t token_ = 0;
  std::uint64_t rides_ = 0;
  std::uint64_t committed_ = 0;
};

template <class Queue>
DIBS_ALL_IN_ONE_PIECE std::uint64_t bare_loop<Queue>::run() {
  // Asked once, or small races would pay for it.
  return leases_.size() > cached_drivers ? run_to_end<true>() : run_to_end<false>();
}

using bare_loop_on_heap = bare_loop<bare_heap>;
using bare_queue = runtime::event_queue<bare_event>;
using bare_loop_on_queue = bare_loop<bare_queue>;

extern template class bare_loop<bare_heap>;  // compiled once, in `loops.cpp`
extern template class bare_loop<bare_queue>;

}  // namespace dibs::bench
