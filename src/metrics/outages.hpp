/// When each matcher was down (crash to restart) and when it was paused (pause to resume).
#pragma once

#include "base/ids.hpp"
#include "base/time_interval.hpp"

#include <vector>

namespace dibs::metrics {

class outages {
 public:
  void began(matcher_id m, sim_time now);
  void ended(matcher_id m, sim_time now);

  /// How long the matcher was out within `when`.
  [[nodiscard]] sim_duration length_within(matcher_id m, const time_interval& when) const;
  /// The first instant of `when` at which it was out, an outage without length too; `never` if
  /// none.
  [[nodiscard]] sim_time first_within(matcher_id m, const time_interval& when) const;
  [[nodiscard]] bool any_within(matcher_id m, const time_interval& when) const {
    return first_within(m, when) != never;
  }
  /// When each matcher was out, in the order of time; fewer than there are if none was since.
  [[nodiscard]] const std::vector<std::vector<time_interval>>& all() const { return spells_; }

 private:
  [[nodiscard]] const std::vector<time_interval>* of(matcher_id m) const;

  std::vector<std::vector<time_interval>> spells_;  ///< by matcher, in the order of time
};

}  // namespace dibs::metrics
