/// How long the rides of a live run took, of two spans: from the instant at which a ride should
/// have appeared until a driver was committed to it, and in its matcher. A fold over events.
///
/// In the matcher: from when the rider asks (over a perfect link her request is in its mailbox at
/// that instant) until the matcher has been told of the commit and closes the ride.
#pragma once

#include "base/time.hpp"
#include "events/facts.hpp"
#include "events/observer.hpp"
#include "stats/histogram.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace dibs::bench {

class ride_times final : public events::observer {
 public:
  /// Open loop. `intended`: when the next ride, in the order of their numbers, should appear.
  /// Measures what ends from `from` on.
  ride_times(sim_time from, std::function<sim_time()> intended)
      : from_(from), intended_(std::move(intended)) {}
  /// Closed loop: so many rides are owed from the start of the run on, and one more whenever a trip
  /// is over.
  ride_times(sim_time from, std::uint32_t in_flight) : from_(from), owed_(in_flight, sim_time{}) {}

  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      if (const auto* asked = std::get_if<events::ride_requested>(&e.what)) {
        appear(asked->ride, e.t);
      } else if (const auto* committed = std::get_if<events::trip_committed>(&e.what)) {
        match(rides_[committed->ride.value], e.t);
      } else if (const auto* closed = std::get_if<events::try_closed>(&e.what)) {
        if (closed->cause == events::try_ending::committed) {
          close(rides_[closed->ride.value], e.t);
        }
      } else if (const auto* ended = std::get_if<events::trip_ended>(&e.what)) {
        end(rides_[ended->ride.value], e.t);
      } else if (std::holds_alternative<events::write_refused>(e.what)) {
        refused_writes_ += e.t >= from_ ? 1U : 0U;
      }
    }
  }

  /// Rides that wait at the end have waited so long, at least.
  void finish(sim_time end) {
    if (end < from_) {
      return;
    }
    if (intended_) {
      for (sim_time next = intended_(); next < end; next = intended_()) {
        rides_.push_back({.owed = next});
      }
    }
    for (std::size_t r = rides_.size(); r < owed_.size(); ++r) {
      rides_.push_back({.owed = owed_[r]});
    }
    for (const ride& r : rides_) {
      if (!r.is_matched) {
        ++unmatched_;
        add(to_match_, r.owed, end);
      }
      if (r.asked && !r.is_closed) {
        add(in_matcher_, *r.asked, end);
      }
    }
  }

  [[nodiscard]] const stats::histogram& to_match() const { return to_match_; }
  [[nodiscard]] const stats::histogram& in_matcher() const { return in_matcher_; }
  [[nodiscard]] std::uint64_t matches() const { return matches_; }
  [[nodiscard]] std::uint64_t unmatched() const { return unmatched_; }
  [[nodiscard]] std::uint64_t refused_writes() const { return refused_writes_; }

 private:
  struct ride {
    sim_time owed{};
    std::optional<sim_time> asked{};
    bool is_matched = false;
    bool is_closed = false;  ///< its matcher is done with it
    bool is_over = false;
  };

  static void add(stats::histogram& times, sim_time since, sim_time t) {
    times.add(std::max(t - since, sim_duration::zero()));
  }

  void appear(ride_id r, sim_time t) {
    while (rides_.size() <= r.value) {
      rides_.push_back({.owed = next_owed(t)});
    }
    rides_[r.value].asked = t;
  }

  [[nodiscard]] sim_time next_owed(sim_time now) const {
    if (intended_) {
      return intended_();
    }
    return rides_.size() < owed_.size() ? owed_[rides_.size()] : now;
  }

  void match(ride& r, sim_time t) {
    if (!std::exchange(r.is_matched, true) && t >= from_) {
      ++matches_;
      add(to_match_, r.owed, t);
    }
  }

  void close(ride& r, sim_time t) {
    if (!std::exchange(r.is_closed, true) && t >= from_) {
      add(in_matcher_, r.asked.value_or(t), t);
    }
  }

  void end(ride& r, sim_time t) {
    if (!std::exchange(r.is_over, true) && !intended_) {
      owed_.push_back(t);
    }
  }

  sim_time from_;
  std::function<sim_time()> intended_;
  std::vector<sim_time> owed_;  ///< closed loop, by ride: since when
  std::vector<ride> rides_;
  stats::histogram to_match_;
  stats::histogram in_matcher_;
  std::uint64_t matches_ = 0;
  std::uint64_t unmatched_ = 0;
  std::uint64_t refused_writes_ = 0;
};

}  // namespace dibs::bench
