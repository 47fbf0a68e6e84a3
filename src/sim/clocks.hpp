/// Every node's own clock, as data: what it reads at a true time, and when it will read a time.
///
/// A node has a monotonic clock and a wall clock. Drift bends both; offsets, steps and strobes move
/// the wall clock alone. On which of the two a node's timers run is its own choice: on the
/// monotonic one a step of the wall clock changes no duration, on the wall clock it fires timers
/// early or late. All steps of a run are known ahead, so a timer knows when it will fire. Integer
/// arithmetic throughout: the same on every machine.
#pragma once

#include "base/distribution.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "sim/node_pattern.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dibs::sim {

/// A drift as what a clock gains in a second of true time: 1 us is 1 ppm.
[[nodiscard]] constexpr sim_duration ppm(double drift) {
  return sim_duration{static_cast<std::int64_t>(drift * 1000 + (drift < 0 ? -0.5 : 0.5))};
}

/// Someone sets the wall clock: it jumps by so much and stays there.
struct clock_step {
  sim_duration at{};
  signed_distribution by{};
};

/// The wall clock jumps to and fro: `by` off for `every`, then back for as long, and again.
struct clock_strobe {
  sim_duration every{1s};
  signed_distribution by{};
  sim_duration from{};
  std::optional<sim_duration> until;  ///< to the end of the run if absent
};

/// When the offset is drawn anew.
enum class redraw : std::uint8_t {
  never,
  lease,  ///< whenever the node judges a deadline, once for each ride and driver
};

/// On which of its clocks a node's timers, and its own view of lease deadlines, run.
enum class timebase : std::uint8_t { monotonic, wall };

/// From `from` on, the clocks of `node` run at a rate of 1 + drift, and its wall clock is off by
/// `offset`. Every draw is one for each node.
struct clock_error {
  std::string id;
  node_pattern node;
  signed_distribution offset{};
  signed_distribution drift{};  ///< gained in a second of true time; see `ppm`
  sim_duration from{};
  std::vector<clock_step> steps{};
  std::optional<clock_strobe> strobe{};
  sim::redraw redraw = redraw::never;
  timebase timers = timebase::monotonic;
};

/// One node's clock.
struct node_clock {
  struct step {
    sim_time at{};
    sim_duration by{};
  };

  struct strobe {
    sim_duration every{1s};
    sim_duration by{};
    sim_time from{};
    sim_time until{};  ///< the same as `from`: none
  };

  sim_duration offset{};
  std::int64_t drift_ppb = 0;  ///< above -10^9: time does not stand still
  sim_time from{};
  sim_time healed = sim_time::max();  ///< from here on it runs at the right rate
  timebase timers = timebase::monotonic;
  std::vector<step> steps;  ///< by time
  strobe flicker;
  std::optional<std::uint32_t> redraws;  ///< the entry whose offset is drawn anew, if it is

  /// The monotonic clock.
  [[nodiscard]] local_time local(sim_time t) const {
    return local_time{t.time_since_epoch() + gained_at(t)};
  }

  /// The wall clock.
  [[nodiscard]] local_time wall(sim_time t) const { return local(t) + set_off(t); }

  /// The clock on which the node's timers run.
  [[nodiscard]] local_time reading(sim_time t) const {
    return timers == timebase::wall ? wall(t) : local(t);
  }

  /// The first true time at which the monotonic clock reads `when` or later.
  [[nodiscard]] sim_time first_at(local_time when) const;

  /// The first true time from `now` on at which the clock of the timers reads `when` or later.
  [[nodiscard]] sim_time due(local_time when, sim_time now) const;

  /// From `t` on, which is known ahead, the rate is right and the wall clock reads true time. The
  /// monotonic clock keeps what it has gained: it never jumps.
  void heal(sim_time t);

 private:
  /// `ns * ppb / 10^9` without a number of 128 bits, whose division is slow: whole seconds gain
  /// whole nanoseconds. Requires: ns >= 0.
  static std::int64_t scaled(std::int64_t ns, std::int64_t ppb) {
    constexpr std::int64_t second = 1'000'000'000;
    return ns / second * ppb + ns % second * ppb / second;
  }

  /// What the drift has added up to by `t`.
  [[nodiscard]] sim_duration gained_at(sim_time t) const {
    const sim_time until = t < healed ? t : healed;
    return until > from && drift_ppb != 0 ? sim_duration{scaled((until - from).count(), drift_ppb)}
                                          : sim_duration::zero();
  }
  /// How far the wall clock is set off from the monotonic one at `t`.
  [[nodiscard]] sim_duration set_off(sim_time t) const;
  /// The same but for the strobe.
  [[nodiscard]] sim_duration set_for_good(sim_time t) const;
  /// The most that it is until the next change that lasts.
  [[nodiscard]] sim_duration set_off_at_most(sim_time t) const;
  /// The most that it ever is.
  [[nodiscard]] sim_duration set_off_at_most() const;
  [[nodiscard]] bool is_flickering(sim_time t) const {
    return t >= flicker.from && t < flicker.until;
  }
  /// When it next changes for more than half a period of the strobe, after `t`; sim_time::max() for
  /// never.
  [[nodiscard]] sim_time next_lasting_change(sim_time t) const;
  /// When it next changes, after `t`; sim_time::max() for never.
  [[nodiscard]] sim_time next_change(sim_time t) const;
};

/// The clocks of all nodes; most are perfect. Where several errors name a node the last one counts.
class clocks {
 public:
  /// `counts[kind]` nodes of each kind are known.
  clocks(const std::vector<clock_error>& errors,
         const std::array<std::uint32_t, node_kinds>& counts,
         std::uint64_t seed);

  /// Every clock is right from `t` on; see `node_clock::heal`.
  void heal(sim_time t);

  [[nodiscard]] const node_clock& of(node_id n) const {
    const auto& table = by_kind_[static_cast<std::size_t>(n.kind())];
    return n.index() < table.size() ? table[n.index()] : perfect_;
  }

  /// What the clock of the node's timers reads.
  [[nodiscard]] local_time reading(node_id n, sim_time t) const {
    return all_perfect(n.kind()) ? local_time{t.time_since_epoch()} : of(n).reading(t);
  }

  [[nodiscard]] bool all_perfect(node_kind kind) const {
    return by_kind_[static_cast<std::size_t>(kind)].empty();
  }

  /// What the node's wall clock reads where it judges the deadline of a lease on the driver for the
  /// ride: with `redraw: lease`, as if it were another clock for each.
  [[nodiscard]] local_time wall_for(node_id n,
                                    sim_time t,
                                    std::uint64_t ride_key,
                                    driver_id d) const;

 private:
  std::array<std::vector<node_clock>, node_kinds> by_kind_;
  std::vector<signed_distribution> offsets_;  ///< of the entries, for those that draw anew
  std::uint64_t seed_;
  node_clock perfect_;
};

}  // namespace dibs::sim
