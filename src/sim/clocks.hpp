/// Every node's own clock, as data: what it reads at a true time, and when it will read a time.
///
/// A node has a monotonic clock, on which its timers and durations run, and a wall clock. Drift
/// bends both; an offset moves the wall clock alone, so a step of the wall clock changes no
/// duration. Integer arithmetic throughout: the same on every machine.
#pragma once

#include "base/distribution.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "sim/node_pattern.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dibs::sim {

/// From `from` on, the clocks of `node` run at a rate of 1 + drift, and its wall clock is off by
/// `offset`, drawn once for each node.
struct clock_error {
  std::string id;
  node_pattern node;
  distribution offset = constant_duration{};
  double drift_ppm = 0;
  sim_duration from{};
};

/// One node's clock.
struct node_clock {
  sim_duration offset{};
  std::int64_t drift_ppb = 0;  ///< above -10^9: time does not stand still
  sim_time from{};

  /// The monotonic clock.
  [[nodiscard]] local_time local(sim_time t) const {
    const sim_duration gained =
        t > from ? sim_duration{scaled((t - from).count(), drift_ppb)} : sim_duration::zero();
    return local_time{t.time_since_epoch() + gained};
  }

  /// The wall clock.
  [[nodiscard]] local_time wall(sim_time t) const {
    return t >= from ? local(t) + offset : local(t);
  }

  /// The first true time at which the monotonic clock reads `when` or later.
  [[nodiscard]] sim_time first_at(local_time when) const;

 private:
  static std::int64_t scaled(std::int64_t ns, std::int64_t ppb) {
    __extension__ using wide = __int128;
    return static_cast<std::int64_t>(wide{ns} * ppb / 1'000'000'000);
  }
};

/// The clocks of all nodes; most are perfect. Where several errors name a node the last one counts.
class clocks {
 public:
  /// `counts[kind]` nodes of each kind are known.
  clocks(const std::vector<clock_error>& errors,
         const std::array<std::uint32_t, node_kinds>& counts,
         std::uint64_t seed);

  [[nodiscard]] const node_clock& of(node_id n) const {
    const auto& table = by_kind_[static_cast<std::size_t>(n.kind())];
    return n.index() < table.size() ? table[n.index()] : perfect_;
  }

  [[nodiscard]] bool all_perfect(node_kind kind) const {
    return by_kind_[static_cast<std::size_t>(kind)].empty();
  }

 private:
  std::array<std::vector<node_clock>, node_kinds> by_kind_;
  node_clock perfect_;
};

}  // namespace dibs::sim
