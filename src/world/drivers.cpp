#include "world/drivers.hpp"

#include "base/ensure.hpp"
#include "base/random.hpp"

#include <algorithm>

namespace dibs::world {

std::size_t class_of(const driver_key& key, std::span<const double> shares) {
  ensure(!shares.empty(), "drivers have a class");
  constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15ULL;  // 2^64 / 1.618...
  const std::uint64_t first = stream::keyed(key.seed, purpose::driver_class, key.generation).bits();
  const std::uint64_t step = first + golden_ratio * key.driver.value;
  const double u = static_cast<double>(step >> 11) * 0x1p-53;
  double sum = 0;
  for (std::size_t i = 0; i + 1 < shares.size(); ++i) {
    sum += shares[i];
    if (u < sum) {
      return i;
    }
  }
  // Rounding may leave the sum a little below 1: the last class that anyone has takes the rest.
  const auto last = std::find_if(shares.rbegin(), shares.rend(), [](double s) { return s > 0; });
  return static_cast<std::size_t>(shares.rend() - last) - (last == shares.rend() ? 0 : 1);
}

point place_of(const driver_key& key, placement how, const places& where) {
  stream random = stream::keyed(key.seed, purpose::driver_place, key.driver.value, key.generation);
  return how == placement::demand ? where.origin(random) : where.map().anywhere(random);
}

sim_duration shift_of(const driver_key& key, const distribution& shifts) {
  stream random = stream::keyed(key.seed, purpose::shift, key.driver.value, key.generation);
  const sim_duration whole = draw(shifts, random);
  if (whole == forever) {
    return forever;
  }
  const sim_duration left =
      key.generation == 0 && whole > 0ns ? draw(uniform_duration{0ns, whole}, random) : whole;
  return std::max(sim_duration{1}, left);
}

}  // namespace dibs::world
