/// How another process's clock differs from this one's: from questions and answers, of which the
/// quickest says most (Cristian 1989). Pure.
#pragma once

#include "processes/packet.hpp"

#include <cstdint>
#include <limits>

namespace dibs::processes {

class clock_offset {
 public:
  void hear(const clock_answer& a, std::int64_t came_at) {
    const std::int64_t took = came_at - a.asked_at;
    ++answers_;
    if (took < round_trip_) {
      round_trip_ = took;
      ahead_ = a.reads - (a.asked_at + took / 2);
    }
  }
  [[nodiscard]] int answers() const { return answers_; }
  /// What its clock reads when this one reads `here`.
  [[nodiscard]] std::int64_t there(std::int64_t here) const { return here + ahead_; }
  /// By so much at most that is wrong.
  [[nodiscard]] std::int64_t error_max() const { return round_trip_ / 2; }

 private:
  int answers_ = 0;
  std::int64_t round_trip_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t ahead_ = 0;
};

}  // namespace dibs::processes
