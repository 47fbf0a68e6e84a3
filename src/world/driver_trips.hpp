/// What a driver drives: the trip that she is on, the one after it, and those that are over.
///
/// Pure: where she is and when it is come in. Of two rides committed to her she drives the one
/// written last, unless someone is on board: then it is the next. A word of a trip that she has
/// driven, or was told is off, sends nobody on the road again, be it a copy or overtaken.
///
///     free --sets out--> to the pick-up --arrives--> boarding --boards--> with rider --> free
///      ^                       |                         |
///      +---------- is told that it is off, or of a newer trip ---------+
#pragma once

#include "base/ids.hpp"
#include "base/point.hpp"
#include "base/time.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

namespace dibs::world {

struct driver_trip {
  token_id token;
  ride_id ride;
};

class driver_trips {
 public:
  /// What she makes of the word of a trip.
  enum class word : std::uint8_t {
    known,        ///< nothing: she has heard it before
    next,         ///< it follows the one under way
    new_trip,     ///< she sets out, and drops the rider to whom she was on her way, if any
    newer_token,  ///< the same for the ride to which she was on her way: that trip ends
  };
  [[nodiscard]] word hear(driver_trip t);

  [[nodiscard]] driver_trip now() const { return {token_, ride_}; }
  /// Where she last was free, or is by now.
  [[nodiscard]] const point& place() const { return place_; }
  [[nodiscard]] bool is_free() const { return leg_ == leg::none; }
  [[nodiscard]] bool is_driving_empty() const {
    return leg_ == leg::to_pickup || leg_ == leg::boarding;
  }

  void stand_at(const point& where) { place_ = where; }
  void set_out(driver_trip t, sim_time now);
  /// How much of the way to the pick-up she has gone, which takes so long in all: 0 to 1.
  [[nodiscard]] double share_gone(sim_time now, sim_duration whole) const;

  [[nodiscard]] bool is_to_pickup(token_id trip) const {
    return leg_ == leg::to_pickup && token_ == trip;
  }
  void arrive(const point& origin) {
    leg_ = leg::boarding;
    place_ = origin;
  }
  /// Whether the rider of that trip, who is met, is on board from now on.
  [[nodiscard]] bool boards(token_id trip);
  [[nodiscard]] bool carries_for(token_id trip) const {
    return leg_ == leg::with_rider && token_ == trip;
  }
  /// She is told that it is off. True if it is the one under way, and nobody is on board.
  [[nodiscard]] bool is_called_off(token_id trip);

  /// The one under way is over. Which it was.
  driver_trip end();
  /// The one that follows; no token: none.
  [[nodiscard]] driver_trip next() const { return others_ ? others_->next : driver_trip{}; }

 private:
  enum class leg : std::uint8_t { none, to_pickup, boarding, with_rider };

  struct others {
    std::array<token_id, 8> over;  ///< the last that are over, in a ring
    std::uint8_t next_over = 0;
    driver_trip next;  ///< as soon as the one with a rider on board is over
  };

  [[nodiscard]] bool knows(token_id trip) const;
  void remember(token_id trip);
  /// Made if there are none yet.
  [[nodiscard]] others& of_others();

  point place_;
  sim_time set_out_at_{};
  std::unique_ptr<others> others_;
  // Of the trip under way: side by side, so that a driver lies in two lines of the cache.
  token_id token_;
  ride_id ride_;
  leg leg_ = leg::none;
};

}  // namespace dibs::world
