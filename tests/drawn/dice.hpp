/// What a drawn scenario is decided by: one random stream, and how wild it is.
#pragma once

#include "base/random.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>

namespace dibs::drawn {

class dice {
 public:
  explicit dice(std::uint64_t seed) : random_(scramble(seed ^ 0x6472617752ULL)) {
    constexpr double moods[] = {0.02, 0.1, 0.35, 0.7};
    wild_ = moods[below(4)];
    gives_ = 0.1 + 0.5 * random_.unit();
  }

  [[nodiscard]] double unit() { return random_.unit(); }
  [[nodiscard]] bool happens(double share) { return random_.unit() < share; }
  /// From 0 up to n - 1.
  [[nodiscard]] std::size_t below(std::size_t n) {
    return static_cast<std::size_t>(random_.bits() % n);
  }
  template <class List>
  [[nodiscard]] const auto& one_of(const List& all) {
    return all[below(std::size(all))];
  }

  /// Whether the next value may be anywhere in its range, and likes the ends of it.
  [[nodiscard]] bool is_wild() { return happens(wild_); }
  /// Whether a field that need not be given is.
  [[nodiscard]] bool gives() { return happens(gives_); }

 private:
  stream random_;
  double wild_ = 0;
  double gives_ = 0;
};

}  // namespace dibs::drawn
