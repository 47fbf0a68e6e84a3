/// A place on the ground, in metres, in a frame whose z axis leaves the earth at the centre of the
/// scenario's bounds: x is east and y is north to first order, and distances are exact.
#pragma once

namespace dibs {

struct point {
  double x = 0;
  double y = 0;
  double z = 0;

  friend constexpr bool operator==(const point&, const point&) = default;
};

}  // namespace dibs
