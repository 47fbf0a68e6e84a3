#include "scenario/request_places.hpp"

#include "base/real.hpp"
#include "text/csv_number.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace dibs::scenario {
namespace {

/// Of a city, to either side of its middle.
constexpr double city_half_degrees = 2.5;
/// So many places must lie in the city, or where exchanged ones lie.
constexpr double together_from = 0.8;

/// What holds the middle 99 % of the values, a hundredth of a degree wider.
std::pair<double, double> middle_of(std::vector<double> values) {
  constexpr double margin = 0.01;
  std::ranges::sort(values);
  const auto left_out =
      static_cast<std::size_t>(0.005 * static_cast<double>(values.size() - 1));  // at either end
  return {std::floor((values[left_out] - margin) * 100) / 100,
          std::ceil((values[values.size() - 1 - left_out] + margin) * 100) / 100};
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Nothing where the row says none.
std::optional<world::place_in_degrees> place_of(const std::vector<std::string>& row,
                                                const place_columns& at,
                                                char separator,
                                                const world::zone_map& zones) {
  if (at.first == at.second) {
    return world::place_named(row[at.first], zones);
  }
  const auto north = text::number_in_field(row[at.first], separator);
  const auto east = text::number_in_field(row[at.second], separator);
  return north && east ? std::optional(world::place_in_degrees{*north, *east}) : std::nullopt;
}

using place_list = std::vector<world::place_in_degrees>;

place_list all_places(const file_sample& s,
                      const std::vector<place_columns>& ends,
                      const world::zone_map& zones) {
  place_list all;
  for (const auto& row : s.rows) {
    for (const auto& at : ends) {
      const auto place = place_of(row, at, s.separator, zones);
      // 0, 0 is what many files say of a place that is not known.
      if (place && std::abs(place->lat) <= 180 && std::abs(place->lon) <= 180 &&
          (place->lat != 0 || place->lon != 0)) {
        all.push_back(*place);
      }
    }
  }
  return all;
}

std::vector<double> values_of(const place_list& all, double world::place_in_degrees::*which) {
  std::vector<double> values;
  for (const auto& place : all) {
    values.push_back(place.*which);
  }
  return values;
}

/// Those of the city, where there is one.
place_list together(place_list all) {
  using degrees = world::place_in_degrees;
  const double lat = median_of(values_of(all, &degrees::lat));
  place_list of_lat = all;
  std::erase_if(of_lat,
                [&](const degrees& p) { return std::abs(p.lat - lat) > city_half_degrees; });
  const double lon = median_of(values_of(of_lat, &degrees::lon));
  const auto is_near = [&](const degrees& p) {
    return std::abs(p.lat - lat) <= city_half_degrees && std::abs(p.lon - lon) <= city_half_degrees;
  };
  const auto explained = std::ranges::count_if(all, [&](const degrees& p) {
    return is_near(p) || is_near({p.lon, p.lat});
  });
  if (static_cast<double>(explained) >= together_from * static_cast<double>(all.size())) {
    std::erase_if(all, [&](const degrees& p) { return !is_near(p); });
  } else {
    std::erase_if(all, [](const degrees& p) { return std::abs(p.lat) > 90; });
  }
  return all;
}

std::string shown(const file_sample& s, std::size_t column) {
  return text::display_text(s.names[column], 60);
}

/// Empty unless most of the column's points do.
std::string latitude_first(const file_sample& s, std::size_t column) {
  std::size_t points = 0;
  std::size_t wrong = 0;
  std::string first;
  for (const auto& row : s.rows) {
    if (const auto point = world::read_wkt_point(row[column])) {
      ++points;
      if (std::abs(point->lat) > inhabited_to && std::abs(point->lon) <= inhabited_to) {
        first = wrong++ == 0 ? row[column] : first;
      }
    }
  }
  return 2 * wrong <= points
             ? ""
             : fmt::format(
                   "{} of {} points in column {} seem to hold latitude first, as {}: a latitude "
                   "beyond {:g} degrees, where nobody asks for rides; write longitude first, as "
                   "POINT (-73.98 40.75)",
                   wrong,
                   points,
                   shown(s, column),
                   text::display_text(first, 60),
                   inhabited_to);
}

/// Empty unless most of the column's points are none of degrees.
std::string projected(const file_sample& s, std::size_t column) {
  std::size_t points = 0;
  std::size_t beyond = 0;
  for (const auto& row : s.rows) {
    if (const auto point = world::read_wkt_point(row[column])) {
      ++points;
      beyond += std::abs(point->lat) > 180 || std::abs(point->lon) > 180 ? 1U : 0U;
    }
  }
  return 2 * beyond <= points
             ? ""
             : fmt::format(
                   "the points in column {} are no degrees, but look like metres of a "
                   "projection, as {}: convert them to longitude and latitude (EPSG:4326)",
                   shown(s, column),
                   text::display_text(s.rows.front()[column], 60));
}

bool lie_together(const world::place_in_degrees& a, const world::place_in_degrees& b) {
  return std::abs(a.lat - b.lat) <= city_half_degrees &&
         std::abs(a.lon - b.lon) <= city_half_degrees;
}

/// What to do where latitude and longitude of this end are exchanged.
std::string to_exchange(const file_sample& s, const place_columns& at) {
  return at.first == at.second
             ? fmt::format("the two numbers in {}", shown(s, at.first))
             : fmt::format("the names {} and {}", shown(s, at.first), shown(s, at.second));
}

/// Empty unless both ends of most rows lie together only so.
std::string one_exchanged(const file_sample& s,
                          const place_columns& from_at,
                          const place_columns& to_at,
                          const world::zone_map& zones) {
  std::size_t rows = 0;
  std::size_t wrong = 0;
  for (const auto& row : s.rows) {
    const auto from = place_of(row, from_at, s.separator, zones);
    const auto to = place_of(row, to_at, s.separator, zones);
    if (from && to) {
      ++rows;
      wrong += !lie_together(*from, *to) && lie_together(*from, {to->lon, to->lat}) ? 1U : 0U;
    }
  }
  return 2 * wrong <= rows
             ? ""
             : fmt::format(
                   "latitude and longitude of one end look exchanged in {} of {} rows, where "
                   "pick-up "
                   "and drop-off lie together only so: exchange {} if the pick-ups are right, or "
                   "else {}",
                   wrong,
                   rows,
                   to_exchange(s, to_at),
                   to_exchange(s, from_at));
}

}  // namespace

std::string fault_of_ends(const file_sample& s,
                          const std::vector<place_columns>& ends,
                          const world::zone_map& zones) {
  for (const auto& [lat, lon] : ends) {
    for (const auto& fault : {lat == lon ? projected(s, lat) : std::string(),
                              lat == lon ? latitude_first(s, lat) : std::string()}) {
      if (!fault.empty()) {
        return fault;
      }
    }
  }
  return ends.size() == 2 ? one_exchanged(s, ends[0], ends[1], zones) : "";
}

std::size_t rows_exchanged(const file_sample& s, const place_columns& at) {
  return static_cast<std::size_t>(std::ranges::count_if(s.rows, [&](const auto& row) {
    const auto north = text::number_in_field(row[at.first], s.separator);
    const auto east = text::number_in_field(row[at.second], s.separator);
    return at.first != at.second && north && east && std::abs(*north) > inhabited_to &&
           std::abs(*east) <= inhabited_to;
  }));
}

bounds_options bounds_of(const file_sample& s,
                         const std::vector<place_columns>& ends,
                         const world::zone_map& zones) {
  place_list all = all_places(s, ends, zones);
  if (!all.empty()) {
    all = together(std::move(all));
  }
  if (all.empty()) {
    return {};
  }
  const auto [south, north] = middle_of(values_of(all, &world::place_in_degrees::lat));
  const auto [west, east] = middle_of(values_of(all, &world::place_in_degrees::lon));
  return {.south = std::max(south, -90.0),
          .west = std::max(west, -180.0),
          .north = std::min(north, 90.0),
          .east = std::min(east, 180.0)};
}

void doubt_cities(const file_sample& s,
                  const std::vector<place_columns>& ends,
                  const world::zone_map& zones,
                  request_file& found) {
  constexpr double far_km = 100;
  constexpr double of_degree_km = 111.2;
  constexpr std::size_t places_min = 20;
  const bounds_options& b = found.bounds;
  place_list all = all_places(s, ends, zones);
  std::erase_if(all, [&](const world::place_in_degrees& p) {
    return p.lat < b.south || p.lat > b.north || p.lon < b.west || p.lon > b.east;
  });
  const bool is_wide = b.north - b.south > 2 * city_half_degrees ||
                       b.east - b.west > 2 * city_half_degrees;  // which is doubted already
  if (all.size() < places_min || is_wide) {
    return;
  }
  using degrees = world::place_in_degrees;
  const degrees middle{median_of(values_of(all, &degrees::lat)),
                       median_of(values_of(all, &degrees::lon))};
  place_list far = all;
  std::erase_if(far, [&](const degrees& p) {
    const double north = (p.lat - middle.lat) * of_degree_km;
    const double east =
        (p.lon - middle.lon) * of_degree_km * real::cos(middle.lat * 3.14159265 / 180);
    return std::hypot(north, east) <= far_km;
  });
  if (4 * far.size() >= all.size()) {
    found.doubts.push_back(fmt::format(
        "{} of {} places lie more than {:.0f} km from the others, around {:.2f}, {:.2f}: if that "
        "is another city, keep one of them by `world.bounds`",
        far.size(),
        all.size(),
        far_km,
        median_of(values_of(far, &degrees::lat)),
        median_of(values_of(far, &degrees::lon))));
  }
}

void doubt_sameness(const world::trace& t, request_file& found) {
  constexpr std::size_t rows_min = 10;
  constexpr double nearly_all = 0.9;
  const std::size_t rows = t.rows.size();
  std::map<std::pair<double, double>, std::size_t> at_place;
  std::map<sim_duration, std::size_t> at_time;
  for (const world::trace_row& row : t.rows) {
    ++at_place[{row.origin.x, row.origin.y}];
    ++at_time[row.time_of_day];
  }
  const auto most_in = [](const auto& counts) {
    std::size_t most = 0;
    for (const auto& [what, count] : counts) {
      most = std::max(most, count);
    }
    return most;
  };
  const auto doubt = [&](std::size_t most, const char* how, const char* what_then) {
    if (rows >= rows_min && static_cast<double>(most) >= nearly_all * static_cast<double>(rows)) {
      found.doubts.push_back(fmt::format("{} of {} requests {}: {}", most, rows, how, what_then));
    }
  };
  doubt(most_in(at_place),
        "begin at one and the same place",
        "if it is that of something else, such as a weather station, name other columns");
  doubt(most_in(at_time),
        "come at one and the same time of day",
        "if the column has a date only, there is no demand over the day to replay");
}

}  // namespace dibs::scenario
