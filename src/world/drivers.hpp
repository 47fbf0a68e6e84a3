/// Who a driver is, where she starts and how long she stays: keyed by (driver, generation), where
/// generation counts the drivers who came and left under one number.
///
/// Plain functions of the key: no driver depends on another.
#pragma once

#include "base/distribution.hpp"
#include "base/ids.hpp"
#include "base/point.hpp"
#include "base/time.hpp"
#include "world/places.hpp"

#include <cstdint>
#include <span>

namespace dibs::world {

struct driver_key {
  std::uint64_t seed = 0;
  driver_id driver;
  std::uint32_t generation = 0;
};

/// The driver's class, as an index into the shares, which add up to 1. Consecutive drivers step
/// through (0, 1) by the golden ratio (Weyl's sequence), so that a fleet of n has each class within
/// a few of n times its share, where independent draws would stray by the square root of n.
[[nodiscard]] std::size_t class_of(const driver_key& key, std::span<const double> shares);

enum class placement : std::uint8_t {
  demand,   ///< where rides start
  uniform,  ///< anywhere within the bounds
};

[[nodiscard]] point place_of(const driver_key& key, placement how, const places& where);

/// How long the driver stays, at least 1 ns. The first under a number is met somewhere along her
/// shift: what is left is uniform within its length.
[[nodiscard]] sim_duration shift_of(const driver_key& key, const distribution& shifts);

}  // namespace dibs::world
