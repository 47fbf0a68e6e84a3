#include "world/geography.hpp"

#include "base/ensure.hpp"
#include "base/real.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace dibs::world {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double radians_per_degree = pi / 180;

}  // namespace

geography::geography(const geography_options& options) : is_map_(true), options_(options) {
  const world::bounds& b = options.bounds;
  ensure(b.south >= -90 && b.south < b.north && b.north <= 90, "the bounds reach north");
  ensure(b.west >= -180 && b.west <= 180, "the western bound is a longitude");
  ensure(b.east >= -180 && b.east <= 180, "the eastern bound is a longitude");
  ensure(b.west != b.east, "the bounds reach east");
  ensure(options.detour >= 1, "no road is shorter than the great circle");
  ensure(options.speed_m_per_s > 0, "drivers move");
  centre_lon_ = b.west + width_degrees() / 2;
  const double centre_lat = (b.south + b.north) / 2 * radians_per_degree;
  sin_centre_lat_ = real::sin(centre_lat);
  cos_centre_lat_ = real::cos(centre_lat);
  ns_per_m_ = 1e9 * options.detour / options.speed_m_per_s;
  extent_ = extent_of_bounds();
}

bool geography::is_inside(place_in_degrees place) const {
  if (!is_map_) {
    return true;
  }
  const world::bounds& b = options_.bounds;
  if (place.lat < b.south || place.lat > b.north) {
    return false;
  }
  return b.west <= b.east ? place.lon >= b.west && place.lon <= b.east
                          : place.lon >= b.west || place.lon <= b.east;
}

point geography::project(place_in_degrees place) const {
  ensure(place.lat >= -90 && place.lat <= 90, "a latitude lies between the poles");
  ensure(place.lon >= -180 && place.lon <= 180, "a longitude lies within half a turn");
  if (!is_map_) {
    return {};
  }
  const double lat = place.lat * radians_per_degree;
  double from_centre = place.lon - centre_lon_;
  if (from_centre < -180) {
    from_centre += 360;
  }
  const double lon = from_centre * radians_per_degree;
  return project_sines(real::sin(lat), real::cos(lat), real::sin(lon), real::cos(lon));
}

point geography::project_sines(double sin_lat,
                               double cos_lat,
                               double sin_lon,
                               double cos_lon) const {
  const double outward = cos_lat * cos_lon;  // in the plane of the centre's meridian
  return {earth_radius_m * (cos_lat * sin_lon),
          earth_radius_m * (cos_centre_lat_ * sin_lat - sin_centre_lat_ * outward),
          earth_radius_m * (sin_centre_lat_ * sin_lat + cos_centre_lat_ * outward)};
}

place_in_degrees geography::degrees_of(const point& place) const {
  if (!is_map_) {
    return {};
  }
  const double north = cos_centre_lat_ * place.y + sin_centre_lat_ * place.z;
  const double outward = cos_centre_lat_ * place.z - sin_centre_lat_ * place.y;
  const double from_axis = std::sqrt(place.x * place.x + outward * outward);
  double lon = centre_lon_ + real::angle_of(place.x, outward) / radians_per_degree;
  if (lon > 180) {
    lon -= 360;
  } else if (lon < -180) {
    lon += 360;
  }
  return {real::angle_of(north, from_axis) / radians_per_degree, lon};
}

double geography::distance_m(const point& from, const point& to) const {
  const double dx = from.x - to.x;
  const double dy = from.y - to.y;
  const double dz = from.z - to.z;
  const double chord = std::sqrt(dx * dx + dy * dy + dz * dz);
  return 2 * earth_radius_m * real::asin(std::min(1.0, chord / (2 * earth_radius_m)));
}

point geography::between(const point& from, const point& to, double share) const {
  if (!is_map_) {
    return {};
  }
  const point straight{from.x + share * (to.x - from.x),
                       from.y + share * (to.y - from.y),
                       from.z + share * (to.z - from.z)};
  const double lift = earth_radius_m / std::sqrt(straight.x * straight.x + straight.y * straight.y +
                                                 straight.z * straight.z);
  return {straight.x * lift, straight.y * lift, straight.z * lift};
}

sim_duration geography::travel_time(const point& from, const point& to) const {
  const double ns = distance_m(from, to) * ns_per_m_;
  // A glacier's speed would overflow: whoever travels so slowly does not arrive.
  return ns < 0x1p62 ? sim_duration{std::llround(ns)} : sim_duration{std::int64_t{1} << 62};
}

double geography::chord_of(double distance_m) const {
  ensure(distance_m >= 0, "a distance is not negative");
  const double half_angle = std::min(pi / 2, distance_m / (2 * earth_radius_m));
  return 2 * earth_radius_m * real::sin(half_angle);
}

point geography::anywhere(stream& random) const {
  const double up = random.unit();
  const double across = random.unit();
  if (!is_map_) {
    return {};
  }
  // Equal steps of the sine of the latitude are equal areas (Archimedes).
  const double low = real::sin(options_.bounds.south * radians_per_degree);
  const double high = real::sin(options_.bounds.north * radians_per_degree);
  const double sin_lat = low + up * (high - low);
  const double lon = (across - 0.5) * width_degrees() * radians_per_degree;
  return project_sines(
      sin_lat, std::sqrt((1 - sin_lat) * (1 + sin_lat)), real::sin(lon), real::cos(lon));
}

point geography::near(const point& centre, double radius_m, stream& random) const {
  const double turn = random.unit() * (2 * pi);
  const double outward = random.unit();
  if (!is_map_ || radius_m == 0) {
    return centre;
  }
  // Two directions along the ground, at right angles to the radius through the centre. The frame's
  // y axis is never along that radius, except a quarter of the globe away from the bounds.
  const double x = centre.x / earth_radius_m;
  const double y = centre.y / earth_radius_m;
  const double z = centre.z / earth_radius_m;
  const double across = std::sqrt(x * x + z * z);
  ensure(across > 1e-6, "places are jittered near the bounds");
  const point east{z / across, 0, -x / across};
  const point north{-x * y / across, across, -z * y / across};

  // The area of a cap grows with the square of its chord.
  const double chord = chord_of(radius_m) * std::sqrt(outward);
  const double half_sine = chord / (2 * earth_radius_m);
  const double down = 2 * half_sine * half_sine;  // 1 - cos of the angle, without cancellation
  const double along = 2 * half_sine * std::sqrt((1 - half_sine) * (1 + half_sine));
  const double to_east = along * real::cos(turn);
  const double to_north = along * real::sin(turn);
  return {earth_radius_m * (x - x * down + east.x * to_east + north.x * to_north),
          earth_radius_m * (y - y * down + north.y * to_north),
          earth_radius_m * (z - z * down + east.z * to_east + north.z * to_north)};
}

extent geography::extent_of_bounds() const {
  // The greatest x and y may lie on an edge between corners: walk along the edges.
  constexpr int steps = 64;
  world::extent box{earth_radius_m, earth_radius_m, -earth_radius_m, -earth_radius_m};
  for (int i = 0; i <= steps; ++i) {
    for (int j = 0; j <= steps; ++j) {
      const double lat =
          options_.bounds.south + (options_.bounds.north - options_.bounds.south) * i / steps;
      const double lon = (static_cast<double>(j) / steps - 0.5) * width_degrees();
      const point p = project_sines(real::sin(lat * radians_per_degree),
                                    real::cos(lat * radians_per_degree),
                                    real::sin(lon * radians_per_degree),
                                    real::cos(lon * radians_per_degree));
      box.west = std::min(box.west, p.x);
      box.east = std::max(box.east, p.x);
      box.south = std::min(box.south, p.y);
      box.north = std::max(box.north, p.y);
    }
  }
  return box;
}

double geography::width_degrees() const {
  const double width = options_.bounds.east - options_.bounds.west;
  return width > 0 ? width : width + 360;
}

std::uint32_t geography::cell_of(const point& place, std::uint32_t grid) const {
  if (!is_map_) {
    return 0;
  }
  const auto part = [grid](double at, double from, double to) {
    const double share = std::clamp((at - from) / (to - from), 0.0, 1.0);
    return std::min(static_cast<std::uint32_t>(share * grid), grid - 1);
  };
  return part(place.y, extent_.south, extent_.north) * grid +
         part(place.x, extent_.west, extent_.east);
}

}  // namespace dibs::world
