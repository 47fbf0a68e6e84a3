/// How long each ride of a live run took from the instant at which it should have appeared until a
/// driver was committed to it. A fold over events.
#pragma once

#include "base/time.hpp"
#include "events/facts.hpp"
#include "events/observer.hpp"
#include "metrics/histogram.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <variant>
#include <vector>

namespace dibs::bench {

class time_to_match final : public events::observer {
 public:
  /// Open loop. `intended`: when the next ride, in the order of their numbers, should appear.
  /// Measures matches from `from` on.
  time_to_match(sim_time from, std::function<sim_time()> intended)
      : from_(from), intended_(std::move(intended)) {}
  /// Closed loop: so many rides are owed from the start of the run on, and each of the others
  /// appears when one is over.
  time_to_match(sim_time from, std::uint32_t at_once) : from_(from), at_once_(at_once) {}

  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      if (const auto* asked = std::get_if<events::ride_requested>(&e.what)) {
        appear(asked->ride, e.t);
      } else if (const auto* committed = std::get_if<events::trip_committed>(&e.what)) {
        match(committed->ride, e.t);
      }
    }
  }

  /// Rides that wait at the end have waited so long, at least.
  void finish(sim_time end) {
    if (intended_) {
      for (sim_time next = intended_(); next < end; next = intended_()) {
        since_.push_back(next);
      }
    } else if (since_.size() < at_once_) {
      since_.resize(at_once_, sim_time{});
    }
    for (const sim_time since : since_) {
      if (since != matched && end >= from_) {
        ++unmatched_;
        took_.add(std::max(end - since, sim_duration::zero()));
      }
    }
  }

  [[nodiscard]] const metrics::histogram& took() const { return took_; }
  [[nodiscard]] std::uint64_t matches() const { return matches_; }
  [[nodiscard]] std::uint64_t unmatched() const { return unmatched_; }

 private:
  static constexpr sim_time matched = sim_time::max();

  void appear(ride_id r, sim_time t) {
    while (since_.size() <= r.value) {
      const sim_time now = since_.size() < at_once_ ? sim_time{} : t;
      since_.push_back(intended_ ? intended_() : now);
    }
    if (!intended_ && r.value >= at_once_) {
      since_[r.value] = t;
    }
  }

  void match(ride_id r, sim_time t) {
    if (since_[r.value] == matched) {
      return;
    }
    if (t >= from_) {
      ++matches_;
      took_.add(std::max(t - since_[r.value], sim_duration::zero()));
    }
    since_[r.value] = matched;
  }

  sim_time from_;
  std::function<sim_time()> intended_;
  std::uint32_t at_once_ = 0;
  std::vector<sim_time> since_;  ///< by ride
  metrics::histogram took_;
  std::uint64_t matches_ = 0;
  std::uint64_t unmatched_ = 0;
};

}  // namespace dibs::bench
