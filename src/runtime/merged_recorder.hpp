/// The facts of many threads, merged into one history in order of true time.
///
/// A node handles an event, or a few that wait, at one instant: the moment at which it begins. All
/// facts that it records then have that time. Moments are totally ordered, by time and then by a
/// count that only grows. A message is sent before the moment in which it is received begins, so no
/// fact comes before its cause.
///
/// Invariant: `drain` hands on the facts of a moment only when no moment that is still under way,
/// or may yet begin, is before it. Thread-safe, but for `drain`, which one thread calls.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/facts.hpp"
#include "events/observer.hpp"
#include "runtime/event.hpp"
#include "stats/histogram.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace dibs::runtime {

/// How often the record is merged and its observers see more of it, in seconds.
inline constexpr double merge_every = 0.01;

/// When a node handles what has come.
struct recorded_instant {
  sim_time t{};
  std::uint64_t order = 0;

  friend constexpr auto operator<=>(const recorded_instant&, const recorded_instant&) = default;
};

/// How late what was due was handled, in true time.
struct lateness {
  stats::histogram timers;
  stats::histogram messages;
};

/// `Clock` has `now()`, which never runs backwards, on any thread.
template <class Clock>
class merged_recorder {
 public:
  explicit merged_recorder(const Clock& clock) : clock_(clock) {}

  /// A node begins to handle what has come.
  [[nodiscard]] recorded_instant begin(node_id who) {
    stripe& s = stripe_of(who);
    const std::lock_guard lock(s.guard);
    return open(s);
  }

  /// It has handled these, each due at its `due`. Takes the facts, and leaves none.
  void end(node_id who,
           const recorded_instant& m,
           std::span<const event> handled,
           std::vector<events::event>& facts) {
    stripe& s = stripe_of(who);
    const std::lock_guard lock(s.guard);
    close(s, m, handled, facts);
  }

  /// The same, and it begins to handle what comes next. A lock waits until all is written that was
  /// under way to memory, so one is better than two.
  [[nodiscard]] recorded_instant end_and_begin(node_id who,
                                               const recorded_instant& m,
                                               std::span<const event> handled,
                                               std::vector<events::event>& facts) {
    stripe& s = stripe_of(who);
    const std::lock_guard lock(s.guard);
    close(s, m, handled, facts);
    return open(s);
  }

  /// Hands the observers what nothing can come before any more; up to when that is.
  sim_time drain(const std::vector<events::observer*>& observers) {
    const sim_time sure = collect(clock_.now());
    tell(observers, {sure, 0});
    return sure;
  }

  /// The same at the end, for everything. Requires: nothing is under way.
  void drain_all(const std::vector<events::observer*>& observers) {
    collect(clock_.now());
    tell(observers, {sim_time::max(), 0});
  }

  [[nodiscard]] bool is_idle() {
    return std::ranges::all_of(stripes_, [](stripe& s) {
      const std::lock_guard lock(s.guard);
      return s.under_way.empty();
    });
  }
  [[nodiscard]] std::uint64_t facts() const { return facts_; }

  /// Events handled so far.
  [[nodiscard]] std::uint64_t handled() {
    std::uint64_t sum = 0;
    for (stripe& s : stripes_) {
      const std::lock_guard lock(s.guard);
      sum += s.handled;
    }
    return sum;
  }

  [[nodiscard]] lateness how_late() {
    lateness sum;
    for (stripe& s : stripes_) {
      const std::lock_guard lock(s.guard);
      sum.timers.merge(s.late.timers);
      sum.messages.merge(s.late.messages);
    }
    return sum;
  }

 private:
  /// The facts of one instant, in a batch of facts.
  struct instant_batch {
    recorded_instant when;
    std::size_t first = 0;
    std::size_t count = 0;
  };
  /// Batches in any order, and their facts, some of which may be of no batch any more.
  struct fact_batches {
    std::vector<instant_batch> batches;
    std::vector<events::event> facts;

    void clear() {
      batches.clear();
      facts.clear();
    }
    /// What the chapters of the other say.
    void append(const fact_batches& other) {
      for (const instant_batch& c : other.batches) {
        const auto first = other.facts.begin() + static_cast<std::ptrdiff_t>(c.first);
        batches.push_back({c.when, facts.size(), c.count});
        facts.insert(facts.end(), first, first + static_cast<std::ptrdiff_t>(c.count));
      }
    }
  };
  /// Nodes share a stripe, so that their threads seldom meet at one lock.
  struct alignas(64) stripe {
    std::mutex guard;
    std::vector<recorded_instant> under_way;
    fact_batches written;
    lateness late;
    std::uint64_t handled = 0;
    fact_batches
        fetched;  ///< whoever drains alone; a room of its own, as large as the stripe needs
  };

  [[nodiscard]] stripe& stripe_of(node_id who) { return stripes_[who.packed * 0x9e3779b1U >> 26]; }

  // Requires, both: the stripe is locked.
  [[nodiscard]] recorded_instant open(stripe& s) {
    const recorded_instant m{clock_.now(), next_order_.fetch_add(1, std::memory_order_relaxed)};
    s.under_way.push_back(m);
    return m;
  }

  void close(stripe& s,
             const recorded_instant& m,
             std::span<const event> handled,
             std::vector<events::event>& facts) {
    const auto begun = std::ranges::find(s.under_way, m);
    *begun = s.under_way.back();
    s.under_way.pop_back();
    s.handled += handled.size();
    for (const event& e : handled) {
      const bool is_timer = e.role != role::message && e.role != role::answer;
      (is_timer ? s.late.timers : s.late.messages).add(std::max(m.t - e.due, sim_duration::zero()));
    }
    if (!facts.empty()) {
      s.written.batches.push_back({m, s.written.facts.size(), facts.size()});
      s.written.facts.insert(s.written.facts.end(), facts.begin(), facts.end());
      facts.clear();
    }
  }

  /// Fetches what is there. A moment before the answer is either among it, or will never be: one
  /// that was under way when its stripe was visited bounds the answer, and one that began later
  /// began after `now` was read.
  sim_time collect(sim_time now) {
    sim_time sure = now;
    for (stripe& s : stripes_) {
      {
        const std::lock_guard lock(s.guard);
        for (const recorded_instant& m : s.under_way) {
          sure = std::min(sure, m.t);
        }
        std::swap(s.written, s.fetched);
      }
      untold_.append(s.fetched);
      s.fetched.clear();
    }
    return sure;
  }

  void tell(const std::vector<events::observer*>& observers, const recorded_instant& until) {
    std::vector<instant_batch>& all = untold_.batches;
    const auto is_before = [](const instant_batch& a, const instant_batch& b) {
      return a.when < b.when;
    };
    std::ranges::sort(all, is_before);
    const auto end =
        std::ranges::find_if(all, [&](const instant_batch& c) { return !(c.when < until); });
    for (auto c = all.begin(); c != end; ++c) {
      const auto first = untold_.facts.begin() + static_cast<std::ptrdiff_t>(c->first);
      batch_.insert(batch_.end(), first, first + static_cast<std::ptrdiff_t>(c->count));
      if (batch_.size() >= batch_size) {
        flush(observers);
      }
    }
    flush(observers);
    all.erase(all.begin(), end);
    kept_.append(untold_);
    std::swap(untold_, kept_);
    kept_.clear();
  }

  void flush(const std::vector<events::observer*>& observers) {
    facts_ += batch_.size();
    for (events::observer* o : observers) {
      o->observe(batch_);
    }
    batch_.clear();
  }

  static constexpr std::size_t batch_size = 256;

  const Clock& clock_;
  std::atomic<std::uint64_t> next_order_{1};
  std::array<stripe, 64> stripes_;
  fact_batches untold_;  ///< what was fetched and may not be handed on yet
  fact_batches kept_;    ///< room, used anew at each turn
  std::vector<events::event> batch_;
  std::uint64_t facts_ = 0;
};

}  // namespace dibs::runtime
