/// All rides of a run by number: what the world knows of them, and which rider's seat serves them.
///
/// Facts of the world, written once when a ride appears and read by everyone.
#pragma once

#include "base/ensure.hpp"
#include "base/ids.hpp"
#include "world/demand.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace dibs::actors {

struct ride_entry {
  world::ride_plan plan;
  node_id rider;
  std::vector<driver_id> shown_to;  ///< every driver who saw an offer of it, once for each
};

class ride_book {
 public:
  /// Enters a ride and gives it a seat; a new seat if none is free.
  ride_id enter(const world::ride_plan& plan) {
    if (free_seats_.empty()) {
      free_seats_.push_back(seats_++);
    }
    const node_id rider{node_kind::rider, free_seats_.back()};
    free_seats_.pop_back();
    rides_.push_back({plan, rider, {}});
    return ride_id{static_cast<std::uint32_t>(rides_.size() - 1)};
  }

  void free_seat(std::uint32_t seat) { free_seats_.push_back(seat); }

  /// How many offers of this ride the driver has seen before this one.
  std::uint32_t count_offer(ride_id r, driver_id d) {
    auto& shown_to = rides_[r.value].shown_to;
    const auto before = std::count(shown_to.begin(), shown_to.end(), d);
    shown_to.push_back(d);
    return static_cast<std::uint32_t>(before);
  }

  [[nodiscard]] const ride_entry& at(ride_id r) const {
    ensure(r.value < rides_.size(), "the ride has appeared");
    return rides_[r.value];
  }

  [[nodiscard]] std::uint32_t seats() const { return seats_; }
  [[nodiscard]] std::size_t size() const { return rides_.size(); }

 private:
  std::vector<ride_entry> rides_;
  std::vector<std::uint32_t> free_seats_;
  std::uint32_t seats_ = 0;
};

}  // namespace dibs::actors
