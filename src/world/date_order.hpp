/// Whether dates with slashes have the month or the day first, where no date of a file says so: in
/// the right order its days lie closer together, and trips end soon after they begin.
#pragma once

#include "base/time.hpp"

#include <cstdint>
#include <string>

namespace dibs::world {

class date_order {
 public:
  /// The day as it was read, and as it were in the other order.
  void look_at_day(std::int64_t read, std::int64_t other);
  void look_at_length(sim_duration read, sim_duration other);

  [[nodiscard]] bool is_other() const;
  /// What speaks for the order that `is_other` says: a clause; empty if nothing does.
  /// `read`, `other`: what the orders are called.
  [[nodiscard]] std::string why(const char* read, const char* other) const;

 private:
  struct seen {
    std::int64_t first = INT64_MAX;
    std::int64_t last = INT64_MIN;
    std::uint64_t within_day = 0;  ///< trips that end within a day of their beginning

    void look_at(std::int64_t day);
    [[nodiscard]] std::int64_t span() const { return last - first + 1; }
  };

  [[nodiscard]] bool days_tell() const;
  [[nodiscard]] bool ends_tell() const;

  seen read_;
  seen other_;
  std::uint64_t lengths_ = 0;
};

}  // namespace dibs::world
