#include "match/popularity.hpp"

#include "base/ensure.hpp"
#include "base/real.hpp"

#include <algorithm>

namespace dibs::match {

popularity::popularity(std::uint32_t drivers, double exponent, std::uint32_t candidates)
    : candidates_(candidates) {
  ensure(drivers > 0 && candidates > 0, "there is someone to draw");
  ensure(exponent >= 0, "the first rank is wanted most");
  up_to_.reserve(drivers);
  double sum = 0;
  for (std::uint32_t rank = 1; rank <= drivers; ++rank) {
    sum += exponent == 0 ? 1.0 : real::exp(-exponent * real::log(rank));
    up_to_.push_back(sum);
  }
}

driver_id popularity::draw(stream& random) const {
  const double where = random.unit() * up_to_.back();
  const auto found = std::upper_bound(up_to_.begin(), up_to_.end() - 1, where);
  return driver_id{static_cast<std::uint32_t>(found - up_to_.begin())};
}

double popularity::share_of(driver_id d) const {
  const double before = d.value == 0 ? 0.0 : up_to_[d.value - 1];
  return (up_to_[d.value] - before) / up_to_.back();
}

}  // namespace dibs::match
