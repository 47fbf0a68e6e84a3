/// A matcher's rides that wait for the next driver to be free, first come first.
///
/// Whoever becomes free is told to the whole line. What nobody tells is looked for by time: the
/// view that is about to show somebody, and a driver who may be asked again. Reads no clock.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "match/ride_search.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace dibs::match {

class waiting_line {
 public:
  /// False if the ride stands in line already.
  bool join(ride_search& p) {
    if (!p.is_in_line) {
      p.is_in_line = true;
      rides_.push_back(p.ride);
      return true;
    }
    return false;
  }

  /// How long until the line is called, in true time, since the view shows something new then:
  /// `seen`, if anything is on its way. Nothing where it is called by then.
  [[nodiscard]] std::optional<sim_duration> until_seen(sim_time now, std::optional<sim_time> seen) {
    if (!seen || called_at_ > now) {
      return std::nullopt;
    }
    called_at_ = *seen + 1ns;
    return called_at_ - now;
  }

  /// How long until the line is called since a driver may be asked for this ride again, by the
  /// matcher's clock. Nothing where there is none, or it is called then.
  [[nodiscard]] static std::optional<sim_duration> until_rested(ride_search& p, local_time now) {
    const local_time rested = p.next_exclusion_end(now);
    if (rested == local_time::max() || rested == p.wakes) {
      return std::nullopt;
    }
    p.wakes = rested;
    return rested - now;
  }

  /// Everyone in line, which is empty then.
  [[nodiscard]] std::vector<ride_id> call() { return std::exchange(rides_, {}); }

  [[nodiscard]] bool empty() const { return rides_.empty(); }

 private:
  std::vector<ride_id> rides_;
  sim_time called_at_{};  ///< the next time, by what the view shows
};

}  // namespace dibs::match
