/// All rides of a run by number: what the world knows of them, and which rider's seat serves them.
///
/// A ride is written once, when it appears, and read by every node. In a live run several threads
/// share the table. Then it has room for a fixed number of rides, so no entry moves while it is
/// read, and a thread asks only for rides of which a message told it.
#pragma once

#include "base/block_table.hpp"
#include "base/ensure.hpp"
#include "base/ids.hpp"
#include "base/prefetch.hpp"
#include "world/demand.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace dibs::runtime {

/// What is asked for at nearly every event of a ride: half a line of the cache.
struct alignas(32) ride_entry {
  static constexpr std::uint32_t none = UINT32_MAX;

  std::uint64_t key = 0;  ///< of the plan, as is the trip
  sim_duration trip{};
  node_id rider;
  /// Whom its first offers were shown to, a driver once an offer; then the table has them
  /// elsewhere.
  std::array<driver_id, 2> first_shown_to{};
  std::uint32_t latest_showing = none;  ///< there
};
static_assert(sizeof(ride_entry) == 32);

struct ride_ends {
  point origin;
  point destination;
};

class ride_table {
 public:
  /// From here on several threads use the table, which takes `rides_max` rides. `on_leave` is
  /// called whenever a rider is gone.
  void share(std::size_t rides_max, std::function<void()> on_leave) {
    rides_.reserve(rides_max);
    ends_.reserve(rides_max);
    shared_ = std::make_unique<sharing>();
    shared_->rides_max = rides_max;
    shared_->on_leave = std::move(on_leave);
  }
  /// Enters all rides that will appear, each with a seat of its own: several processes then have
  /// the same table, and know each ride of which another speaks. Requires: shared, and empty.
  void foretell(const std::vector<world::ride_plan>& plans) {
    for (const world::ride_plan& plan : plans) {
      enter(plan);
    }
    is_foretold_ = true;
    seats_ = 0;
  }
  [[nodiscard]] bool is_full() const {
    return is_foretold_ ? seats() >= size() : shared_ != nullptr && size() >= shared_->rides_max;
  }

  /// Enters a ride and gives it a seat; a new seat if none is free. Requires: not full.
  ride_id enter(const world::ride_plan& plan) {
    ensure(!is_full(), "a shared book has room for the ride");
    if (is_foretold_) [[unlikely]] {
      const ride_id next{seats_.fetch_add(1, std::memory_order_relaxed)};
      ensure(rides_[next.value].key == plan.key, "rides appear as they were foretold");
      return next;
    }
    const node_id rider{node_kind::rider, take_seat()};
    rides_.push_back({.key = plan.key, .trip = plan.trip, .rider = rider});
    ends_.push_back({plan.origin, plan.destination});
    return ride_id{size_.fetch_add(1, std::memory_order_release)};
  }

  void free_seat(std::uint32_t seat) {
    if (is_foretold_) [[unlikely]] {
      return;  // it is that of one ride alone
    }
    if (shared_ == nullptr) [[likely]] {
      free_seats_.push_back(seat);
      return;
    }
    {
      const std::lock_guard lock(shared_->seats);
      free_seats_.push_back(seat);
    }
    shared_->on_leave();
  }

  /// How many offers of this ride the driver has seen before this one.
  std::uint32_t count_offer(ride_id r, driver_id d) {
    const auto lock = lock_offers(r);
    ride_entry& entry = rides_[r.value];
    auto& first = entry.first_shown_to;
    const auto room = std::ranges::find(first, driver_id{});
    const auto before = static_cast<std::uint32_t>(std::count(first.begin(), room, d));
    if (room == first.end()) [[unlikely]] {
      return before + count_later_offer(r, entry, d);
    }
    *room = d;
    return before;
  }

  [[nodiscard]] const ride_entry& at(ride_id r) const {
    ensure(r.value < size(), "the ride has appeared");
    return rides_[r.value];
  }
  [[nodiscard]] const ride_ends& ends(ride_id r) const {
    ensure(r.value < size(), "the ride has appeared");
    return ends_[r.value];
  }

  /// Prefetches the record of the ride.
  void fetch(ride_id r) const {
    if (r.value < size()) {
      fetch_line(&rides_[r.value]);
    }
  }

  /// Riders who have appeared and are not gone yet.
  [[nodiscard]] std::uint32_t under_way() const {
    const auto lock = lock_seats();
    return seats() - static_cast<std::uint32_t>(free_seats_.size());
  }
  [[nodiscard]] std::uint32_t seats() const { return seats_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint32_t size() const { return size_.load(std::memory_order_relaxed); }

 private:
  /// What several threads need besides.
  struct sharing {
    std::size_t rides_max = 0;
    std::function<void()> on_leave;
    std::mutex seats;
    std::array<std::mutex, 64> offers;  ///< by ride
    std::mutex later_offers;
  };

  /// An offer after a ride's first ones.
  struct showing {
    driver_id to;
    std::uint32_t earlier = ride_entry::none;  ///< of the same ride
  };
  /// So many of a ride are gone through one by one.
  static constexpr std::uint32_t showings_max = 8;

  [[gnu::noinline]] std::uint32_t count_later_offer(ride_id r, ride_entry& entry, driver_id d) {
    const auto lock = shared_ == nullptr ? std::unique_lock<std::mutex>()
                                         : std::unique_lock(shared_->later_offers);
    std::uint32_t before = 0;
    std::uint32_t known = 0;
    for (std::uint32_t i = entry.latest_showing; i != ride_entry::none; ++known) {
      const showing& earlier = showings_[i];
      before += earlier.to == d ? 1U : 0U;
      i = earlier.earlier;
    }
    if (known == showings_max) [[unlikely]] {
      return before + last_offers_[{r, d}]++;
    }
    showings_.push_back({d, entry.latest_showing});
    entry.latest_showing = static_cast<std::uint32_t>(showings_.size() - 1);
    return before;
  }

  [[nodiscard]] std::uint32_t take_seat() {
    const auto lock = lock_seats();
    if (free_seats_.empty()) {
      return seats_.fetch_add(1, std::memory_order_relaxed);
    }
    const std::uint32_t seat = free_seats_.back();
    free_seats_.pop_back();
    return seat;
  }

  [[nodiscard]] std::unique_lock<std::mutex> lock_seats() const {
    return shared_ == nullptr ? std::unique_lock<std::mutex>() : std::unique_lock(shared_->seats);
  }
  [[nodiscard]] std::unique_lock<std::mutex> lock_offers(ride_id r) {
    return shared_ == nullptr ? std::unique_lock<std::mutex>()
                              : std::unique_lock(shared_->offers[r.value % shared_->offers.size()]);
  }

  block_table<ride_entry> rides_;
  block_table<ride_ends> ends_;
  block_table<showing> showings_;
  std::map<std::pair<ride_id, driver_id>, std::uint32_t> last_offers_;  ///< after all these
  std::vector<std::uint32_t> free_seats_;
  std::atomic<std::uint32_t> size_{0};
  std::atomic<std::uint32_t> seats_{0};
  std::unique_ptr<sharing> shared_;
  bool is_foretold_ = false;
};

}  // namespace dibs::runtime
