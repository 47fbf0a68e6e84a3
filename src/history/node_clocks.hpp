/// The readings of each node's clocks, and by which of its two clocks a node judged.
///
/// A fact carries the time of the clock on which its node's timers run. Where deadlines travel as
/// instants (`deadline: absolute`), a node reads them off its wall clock. That may be wrong by any
/// amount while the timers are right, so it is the clock to show. Both clocks are drawn anew from
/// scenario and seed, as the run drew them.
#pragma once

#include "history/recorded_run.hpp"
#include "metrics/tries.hpp"
#include "sim/clocks.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace dibs::history {

/// Someone set a wall clock.
struct clock_setting {
  sim_time at{};
  sim_duration by{};
};

class node_clocks {
 public:
  /// `of` outlives it.
  explicit node_clocks(const recorded_run& of);

  /// Whether nodes read deadlines off their wall clocks.
  [[nodiscard]] bool by_wall() const { return by_wall_; }

  /// What the clock reads by which the node judges; where each lease has a clock of its own there,
  /// the one for this ride and driver.
  [[nodiscard]] local_time judging(node_id n, sim_time t, ride_id r, driver_id d) const;

  /// What the node's wall clock reads.
  [[nodiscard]] local_time wall(node_id n, sim_time t) const { return clocks_.of(n).wall(t); }

  /// What the clock of the node's timers reads.
  [[nodiscard]] local_time timers(node_id n, sim_time t) const { return clocks_.of(n).reading(t); }

  /// The settings of its wall clock in that time, where the node goes by it.
  [[nodiscard]] std::vector<clock_setting> settings(node_id n, const time_interval& when) const;

  /// How far that clock is ahead of the one of the node's timers, which facts carry.
  [[nodiscard]] sim_duration beyond_timers(node_id n, sim_time t, ride_id r, driver_id d) const;

  /// What the holder reads off the deadline of its lease as it sends the offer: how much of it is
  /// left. Nothing where deadlines travel as durations, or there is none.
  [[nodiscard]] std::optional<sim_duration> left_at_offer(const metrics::try_record& t) const;

  /// Until when, in true time, the holder takes the lease for live by that; not beyond the run.
  /// Nothing for a lease that was renewed.
  [[nodiscard]] std::optional<sim_time> trusted_until(const metrics::try_record& t) const;

  /// Until when, in true time, her phone shows the offer by its own clock; not beyond the run.
  [[nodiscard]] std::optional<sim_time> shown_until(const metrics::try_record& t) const;

  /// The clocks that are off, of matchers, lease managers, the ledger and the drivers that are
  /// drawn, as a page works them out: `on`, `from`, `ppb`, `offset`, `steps`, `strobe`.
  [[nodiscard]] nlohmann::ordered_json json(const std::vector<bool>& drivers) const;

 private:
  [[nodiscard]] std::uint64_t key_of(ride_id r) const;

  const recorded_run& of_;
  bool by_wall_;
  sim::clocks clocks_;
  std::vector<std::uint64_t> ride_keys_;  ///< only where a clock is drawn anew for each lease
};

}  // namespace dibs::history
