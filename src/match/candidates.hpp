/// Whom a matcher tries next for a ride.
///
/// A pure choice: the caller says who is excluded (tried already, for instance) and brings the
/// random stream. Never returns a driver who is excluded; returns nobody only if nobody is left.
/// The caller is asked about drivers in the order of choice, about one of them perhaps again and
/// again, and the first whom he does not exclude is taken; so he gets the second choice if he
/// excludes the first, each time.
#pragma once

#include "base/ids.hpp"
#include "base/point.hpp"
#include "base/random.hpp"
#include "match/supply_index.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace dibs::match {

/// The first of the `candidates` nearest available drivers within reach who is not excluded. Those
/// excluded count among the candidates: a matcher that has tried them all looks no farther.
struct nearest_policy {
  std::uint32_t candidates = 8;
  double chord_m = 0;  ///< the search radius, as a straight line
};

template <class Excluded>
[[nodiscard]] std::optional<driver_id> pick_nearest(const supply_index& available,
                                                    const point& place,
                                                    const nearest_policy& policy,
                                                    const Excluded& is_excluded,
                                                    std::vector<neighbour>& scratch) {
  // Mostly one of the first few will do, and the more are looked for the farther the search goes.
  std::uint32_t look = std::min(policy.candidates, std::uint32_t{2});
  for (std::size_t known = 0;; look = std::min(policy.candidates, look * 4)) {
    available.nearest(place, look, policy.chord_m, scratch);
    for (; known < scratch.size(); ++known) {
      if (!is_excluded(scratch[known].driver)) {
        return scratch[known].driver;
      }
    }
    if (scratch.size() < look || look == policy.candidates) {
      return std::nullopt;
    }
  }
}

/// One of `count` drivers who is not excluded; `driver_at(i)` names them. A few are drawn, each as
/// likely: if none will do, the rest are looked at one after another from a random start, which
/// ends, but prefers those who follow excluded ones. Nothing excluded: exactly uniform.
template <class DriverAt, class Excluded>
[[nodiscard]] std::optional<driver_id> pick_among(std::uint32_t count,
                                                  const DriverAt& driver_at,
                                                  const Excluded& is_excluded,
                                                  stream& random) {
  constexpr int draws_max = 16;
  if (count == 0) {
    return std::nullopt;
  }
  for (int i = 0; i < draws_max; ++i) {
    const driver_id drawn = driver_at(static_cast<std::uint32_t>(random.below(count)));
    if (!is_excluded(drawn)) {
      return drawn;
    }
  }
  const auto start = static_cast<std::uint32_t>(random.below(count));
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t left = count - start;
    const driver_id next = driver_at(i < left ? start + i : i - left);
    if (!is_excluded(next)) {
      return next;
    }
  }
  return std::nullopt;
}

/// Any available driver who is not excluded.
///
/// Drawn from the whole fleet, and again where she is not to be had: so two runs on one seed, which
/// differ in who is free just then, mostly pick the same driver, and what differs between them is
/// what was changed. Where hardly anyone is free, drawn from those who are.
template <class Excluded>
[[nodiscard]] std::optional<driver_id> pick_random(const supply_index& available,
                                                   const Excluded& is_excluded,
                                                   stream& random) {
  constexpr int draws_max = 16;
  for (int i = 0; i < draws_max && available.size() > 0; ++i) {
    const driver_id drawn{static_cast<std::uint32_t>(random.below(available.drivers()))};
    if (available.contains(drawn) && !is_excluded(drawn)) {
      return drawn;
    }
  }
  return pick_among(
      available.size(),
      [&available](std::uint32_t n) { return available.pick(n); },
      is_excluded,
      random);
}

/// Any of the fleet's `drivers` who is not excluded, available or not: a matcher without a view.
template <class Excluded>
[[nodiscard]] std::optional<driver_id> pick_blind(std::uint32_t drivers,
                                                  const Excluded& is_excluded,
                                                  stream& random) {
  return pick_among(
      drivers, [](std::uint32_t n) { return driver_id{n}; }, is_excluded, random);
}

}  // namespace dibs::match
