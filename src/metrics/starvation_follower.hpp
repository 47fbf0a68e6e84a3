/// Works out blocked riders while a run goes on, so that the tables can forget the spells that are
/// done with.
///
/// Time is cut into slices. A slice waits until each lease that held a driver in it is over. A
/// lease that never ends, as without any clean-up, makes all later slices wait for the end of the
/// run, and the tables keep their spells.
#pragma once

#include "base/time.hpp"
#include "base/time_interval.hpp"
#include "metrics/starvation.hpp"
#include "metrics/starvation_rule.hpp"
#include "metrics/tries.hpp"

#include <cstdint>
#include <deque>
#include <optional>

namespace dibs::metrics {

class starvation_follower {
 public:
  /// `told` outlives it. Requires: it is a story that is followed.
  starvation_follower(run_tables& told,
                      const time_interval& window,
                      std::optional<double> radius_m);

  /// All that was before `now` has been told.
  void follow(sim_time now) {
    if (now >= looks_again_) {
      look(now);
    }
  }

  /// Requires: the story is closed at `end`.
  [[nodiscard]] const starvation& finish(sim_time end);

 private:
  /// A spell in which a lease held a driver.
  struct holding {
    std::uint32_t spell = 0;
    sim_time since{};
    try_index lease = no_try;
  };

  void look(sim_time now);
  void take_begun();
  /// Of all leases that held somebody in a slice that ends by then, it is known what became of
  /// them.
  [[nodiscard]] sim_time decided_until();
  [[nodiscard]] bool is_open(const holding& h) const;

  run_tables& told_;
  starvation_evaluator judge_;
  std::deque<holding> holdings_;  ///< from the first that is open on
  sim_time looks_again_{sim_time::min()};
};

}  // namespace dibs::metrics
