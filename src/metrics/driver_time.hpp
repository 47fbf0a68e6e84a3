/// Every driver's seconds: each instant online counts once, on trip before leased before available.
#pragma once

#include "base/ids.hpp"
#include "base/point.hpp"
#include "base/prefetch.hpp"
#include "base/time_interval.hpp"
#include "metrics/spells.hpp"
#include "metrics/tries.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace dibs::metrics {

enum class driver_state : std::uint8_t { offline, available, leased, on_trip };

class driver_time {
 public:
  /// `tries` outlives it. `is_followed`: somebody follows the spells.
  driver_time(const time_interval& window,
              std::uint32_t drivers,
              try_table& tries,
              bool is_followed);

  void came_online(driver_id d, const point& place, sim_time now);
  void went_offline(driver_id d, sim_time now);
  void lease_began(try_index lease, sim_time now);
  void lease_over(try_index lease, sim_time now);
  void trip_began(driver_id d, sim_time now);
  void trip_over(driver_id d, sim_time now);
  void moved(driver_id d, const point& place, sim_time now);

  /// Prefetches the record of the driver.
  void fetch(driver_id d) const {
    if (d.value < drivers_.size()) {
      fetch_line(&drivers_[d.value]);
    }
  }

  /// Closes what is open; the parts of every driver's time must add up.
  void finish(sim_time end);

  [[nodiscard]] std::uint32_t count(driver_state s) const { return counts_[index(s)]; }
  [[nodiscard]] std::uint32_t online() const;
  /// Time in the window, over all drivers.
  [[nodiscard]] wide_ns total(driver_state s) const { return totals_[index(s)]; }
  [[nodiscard]] wide_ns total_online() const { return total_online_; }
  /// The first of the live leases of a driver; the others are linked.
  [[nodiscard]] try_index held(driver_id d) const;
  /// Each driver's, while she is to be had.
  [[nodiscard]] spell_log<spell>& available_spells() { return available_; }
  [[nodiscard]] const spell_log<spell>& available_spells() const { return available_; }
  /// Each lease's, while its driver is online and not on a trip. A driver under two leases has two
  /// at once.
  [[nodiscard]] spell_log<spell>& held_spells() { return held_; }
  [[nodiscard]] const spell_log<spell>& held_spells() const { return held_; }

 private:
  struct alignas(64) driver_record {
    point place;
    sim_time since{};         ///< in this state
    sim_time online_since{};  ///< if online
    std::uint32_t trips = 0;
    try_index held = no_try;
    std::uint32_t open = 0;  ///< the spell, if available
    bool is_online = false;

    [[nodiscard]] driver_state state() const;
  };
  static_assert(sizeof(driver_record) == 64);

  static constexpr std::size_t index(driver_state s) { return static_cast<std::size_t>(s); }

  template <class Edit>
  void change(driver_id d, sim_time now, Edit edit);
  void leave(const driver_record& r, sim_time now);
  void enter(driver_record& r, sim_time now);
  [[nodiscard]] driver_record& slot(driver_id d);

  time_interval window_;
  try_table& tries_;
  std::vector<driver_record> drivers_;
  spell_log<spell> available_;
  spell_log<spell> held_;
  std::array<std::uint32_t, 4> counts_{};
  std::array<wide_ns, 4> totals_{};
  wide_ns total_online_ = 0;
};

}  // namespace dibs::metrics
