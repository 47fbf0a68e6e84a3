/// Chooses the driver whom a matcher tries next for a ride.
///
/// Pure: the caller says which drivers are excluded (such as those that the ride tried before) and
/// gives the random stream. During one call the answer about a driver must not change. Never
/// returns an excluded driver; returns nobody only if nobody is left. Where several matchers pursue
/// one ride at once, the second takes the second choice, and so on: `others` says how many choices
/// to skip.
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

/// Finds the choice among drivers who are named in order of preference, some of them repeatedly.
template <class Excluded>
class choice {
 public:
  /// `is_excluded` outlives it.
  choice(const Excluded& is_excluded, std::uint32_t others)
      : is_excluded_(is_excluded), others_(others) {}
  choice(const Excluded&& is_excluded, std::uint32_t others) = delete;

  /// Whether this driver is the choice: not excluded, not named before, and the one after `others`.
  [[nodiscard]] bool falls_on(driver_id d) {
    if (is_excluded_(d) || std::find(left_.begin(), left_.end(), d) != left_.end()) {
      return false;
    }
    const bool is_it = left_.size() == others_;
    if (!is_it) {
      left_.push_back(d);
    }
    return is_it;
  }

 private:
  const Excluded& is_excluded_;
  std::uint32_t others_;
  std::vector<driver_id> left_;  ///< choices of the other matchers
};

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
                                                    std::vector<neighbour>& scratch,
                                                    std::uint32_t others = 0) {
  choice found(is_excluded, others);
  // Mostly one of the first two is the choice, and looking for more of them takes longer.
  std::uint32_t look = std::min(policy.candidates, std::uint32_t{2});
  for (std::size_t known = 0;; look = std::min(policy.candidates, look * 4)) {
    available.nearest(place, look, policy.chord_m, scratch);
    for (; known < scratch.size(); ++known) {
      if (found.falls_on(scratch[known].driver)) {
        return scratch[known].driver;
      }
    }
    if (scratch.size() < look || look == policy.candidates) {
      return std::nullopt;
    }
  }
}

/// Whether the other matchers take every driver who is not excluded, so that no choice is left.
/// `driver_at(i)` names the `count` drivers.
template <class DriverAt, class Excluded>
[[nodiscard]] bool are_left_to(std::uint32_t others,
                               std::uint32_t count,
                               const DriverAt& driver_at,
                               const Excluded& is_excluded) {
  std::uint32_t left = 0;
  for (std::uint32_t i = 0; i < count && left <= others; ++i) {
    left += is_excluded(driver_at(i)) ? 0U : 1U;
  }
  return left <= others;
}

/// How often a driver is drawn before all are looked at one after another.
inline constexpr int draws_max = 16;

/// Where there are no more, they are looked at before any is drawn, until somebody will do: a
/// matcher that keeps looking mostly finds that nobody will, which draws show last.
inline constexpr std::uint32_t few_drivers = 64;

/// One of `count` drivers who is not excluded; `driver_at(i)` names them. A few are drawn, each as
/// likely: if none will do, the rest are looked at one after another from a random start, which
/// ends, but prefers those who follow excluded ones. Nothing excluded: exactly uniform.
template <class DriverAt, class Excluded>
[[nodiscard]] std::optional<driver_id> draw_among(std::uint32_t count,
                                                  const DriverAt& driver_at,
                                                  choice<Excluded>& found,
                                                  stream& random) {
  if (count == 0) {
    return std::nullopt;
  }
  for (int i = 0; i < draws_max; ++i) {
    const driver_id drawn = driver_at(static_cast<std::uint32_t>(random.below(count)));
    if (found.falls_on(drawn)) {
      return drawn;
    }
  }
  const auto start = static_cast<std::uint32_t>(random.below(count));
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t left = count - start;
    const driver_id next = driver_at(i < left ? start + i : i - left);
    if (found.falls_on(next)) {
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
                                                   stream& random,
                                                   std::uint32_t others = 0) {
  const std::uint32_t count = available.size();
  const auto driver_at = [&available](std::uint32_t n) { return available.pick(n); };
  if (count <= few_drivers && are_left_to(others, count, driver_at, is_excluded)) {
    return std::nullopt;
  }
  choice found(is_excluded, others);
  for (int i = 0; i < draws_max; ++i) {
    const driver_id drawn{static_cast<std::uint32_t>(random.below(available.drivers()))};
    if (available.contains(drawn) && found.falls_on(drawn)) {
      return drawn;
    }
  }
  return draw_among(count, driver_at, found, random);
}

/// Any of the fleet's `drivers` who is not excluded, available or not: a matcher without a view.
template <class Excluded>
[[nodiscard]] std::optional<driver_id> pick_blind(std::uint32_t drivers,
                                                  const Excluded& is_excluded,
                                                  stream& random,
                                                  std::uint32_t others = 0) {
  const auto driver_at = [](std::uint32_t n) { return driver_id{n}; };
  if (drivers <= few_drivers && are_left_to(others, drivers, driver_at, is_excluded)) {
    return std::nullopt;
  }
  choice found(is_excluded, others);
  return draw_among(drivers, driver_at, found, random);
}

}  // namespace dibs::match
