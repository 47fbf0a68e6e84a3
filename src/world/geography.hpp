/// Where things are: degrees become points on a sphere, and points become distances and times.
///
/// Plain arithmetic, built on `base/real.hpp`: the same bits on every machine. Distances are
/// great-circle distances on a sphere of the earth's mean radius (IUGG), the same as haversine
/// gives, but taken from the chord between two points, which needs no sines. In a world without
/// geography all points are one and every distance and travel time is 0.
#pragma once

#include "base/point.hpp"
#include "base/random.hpp"
#include "base/time.hpp"

#include <cstdint>

namespace dibs::world {

inline constexpr double earth_radius_m = 6371008.8;

struct place_in_degrees {
  double lat = 0;
  double lon = 0;
};

/// An area in degrees. `west > east` reaches across the 180th meridian.
struct bounds {
  double south = 0;
  double west = 0;
  double north = 0;
  double east = 0;
};

struct geography_options {
  world::bounds bounds;
  double detour = 1;         ///< road length over great-circle length
  double speed_m_per_s = 1;  ///< along the road
};

/// The box around the bounds in the frame's own metres, for spatial indices.
struct extent {
  double west = 0;
  double south = 0;
  double east = 0;
  double north = 0;
};

class geography {
 public:
  /// A world without geography.
  geography() = default;

  /// Requires: -90 <= south < north <= 90, longitudes within +-180, detour >= 1, speed > 0.
  explicit geography(const geography_options& options);

  [[nodiscard]] bool is_map() const { return is_map_; }

  /// Whether a place lies within the bounds, edges included; always, without geography.
  [[nodiscard]] bool is_inside(place_in_degrees place) const;

  /// Requires: |lat| <= 90, |lon| <= 180.
  [[nodiscard]] point project(place_in_degrees place) const;
  [[nodiscard]] place_in_degrees degrees_of(const point& place) const;

  [[nodiscard]] double distance_m(const point& from, const point& to) const;
  /// A share of the way along the great circle, for shares of 0 to 1 of a way that is short against
  /// the earth: the straight line between the two, lifted to the ground.
  [[nodiscard]] point between(const point& from, const point& to, double share) const;

  [[nodiscard]] sim_duration travel_time(const point& from, const point& to) const;

  /// The straight line under a great-circle distance: points nearer than the distance are exactly
  /// those nearer than the chord.
  [[nodiscard]] double chord_of(double distance_m) const;

  /// Uniform over the area within the bounds. Takes two numbers, in any world.
  [[nodiscard]] point anywhere(stream& random) const;

  /// Uniform over the disc of this radius around a place; it may reach out of the bounds. Takes two
  /// numbers, in any world.
  [[nodiscard]] point near(const point& centre, double radius_m, stream& random) const;

  /// Which of grid x grid equal parts of the extent a place lies in, counted from the south-west by
  /// rows; the nearest one for a place outside. 0 without geography. Requires: grid > 0.
  [[nodiscard]] std::uint32_t cell_of(const point& place, std::uint32_t grid) const;

  /// Covers every place within the bounds, if not much more.
  [[nodiscard]] world::extent extent() const { return extent_; }

 private:
  [[nodiscard]] point project_sines(double sin_lat,
                                    double cos_lat,
                                    double sin_lon,
                                    double cos_lon) const;
  [[nodiscard]] world::extent extent_of_bounds() const;
  [[nodiscard]] double width_degrees() const;

  bool is_map_ = false;
  geography_options options_;
  double centre_lon_ = 0;
  double sin_centre_lat_ = 0;
  double cos_centre_lat_ = 1;
  double ns_per_m_ = 0;
  world::extent extent_;
};

}  // namespace dibs::world
