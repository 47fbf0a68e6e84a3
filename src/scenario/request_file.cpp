#include "scenario/request_file.hpp"

#include "scenario/file_sample.hpp"
#include "scenario/matrix_file.hpp"
#include "scenario/request_columns.hpp"
#include "scenario/trace_source.hpp"
#include "text/csv_number.hpp"
#include "text/escape.hpp"
#include "text/plural.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace dibs::scenario {
namespace {

/// A column that is looked for, and what its values must be.
struct wanted_column {
  const char* what;
  std::string trace_columns::*which;
  column_kind kind;
  trip_end end;
};

constexpr std::array looked_for{
    wanted_column{"time", &trace_columns::time, column_kind::time, trip_end::from},
    wanted_column{"lat", &trace_columns::lat, column_kind::latitude, trip_end::from},
    wanted_column{"lon", &trace_columns::lon, column_kind::longitude, trip_end::from},
    wanted_column{"to_lat", &trace_columns::to_lat, column_kind::latitude, trip_end::to},
    wanted_column{"to_lon", &trace_columns::to_lon, column_kind::longitude, trip_end::to},
    wanted_column{"trip", &trace_columns::trip, column_kind::duration, trip_end::from},
    wanted_column{"to_time", &trace_columns::to_time, column_kind::time, trip_end::to}};

/// What holds the middle 99 % of the values, a hundredth of a degree wider.
std::pair<double, double> middle_of(std::vector<double> values) {
  constexpr double margin = 0.01;
  std::ranges::sort(values);
  const auto left_out =
      static_cast<std::size_t>(0.005 * static_cast<double>(values.size() - 1));  // at either end
  return {std::floor((values[left_out] - margin) * 100) / 100,
          std::ceil((values[values.size() - 1 - left_out] + margin) * 100) / 100};
}

/// Nothing where the row says none.
std::optional<world::place_in_degrees> place_of(const std::vector<std::string>& row,
                                                std::pair<std::size_t, std::size_t> at,
                                                char separator,
                                                const world::zone_map& zones) {
  if (at.first == at.second) {
    return world::place_named(row[at.first], zones);
  }
  const auto north = text::number_in_field(row[at.first], separator);
  const auto east = text::number_in_field(row[at.second], separator);
  return north && east ? std::optional(world::place_in_degrees{*north, *east}) : std::nullopt;
}

bounds_options bounds_of(const file_sample& s,
                         const std::vector<std::pair<std::size_t, std::size_t>>& ends,
                         const world::zone_map& zones) {
  std::vector<double> lats;
  std::vector<double> lons;
  for (const auto& row : s.rows) {
    for (const auto& at : ends) {
      const auto place = place_of(row, at, s.separator, zones);
      // 0, 0 is what many files say of a place that is not known.
      if (place && std::abs(place->lat) <= 90 && std::abs(place->lon) <= 180 &&
          (place->lat != 0 || place->lon != 0)) {
        lats.push_back(place->lat);
        lons.push_back(place->lon);
      }
    }
  }
  if (lats.empty()) {
    return {};
  }
  const auto [south, north] = middle_of(std::move(lats));
  const auto [west, east] = middle_of(std::move(lons));
  return {.south = std::max(south, -90.0),
          .west = std::max(west, -180.0),
          .north = std::min(north, 90.0),
          .east = std::min(east, 180.0)};
}

/// The two hours, from a full hour on, in which most is asked for.
sim_duration busiest(const world::trace& t) {
  std::array<std::uint64_t, 24> of_hour{};
  for (const world::trace_row& row : t.rows) {
    ++of_hour[static_cast<std::size_t>(row.time_of_day / 1h)];
  }
  std::size_t best = 0;
  const auto rides = [&](std::size_t hour) { return of_hour[hour] + of_hour[(hour + 1) % 24]; };
  for (std::size_t hour = 1; hour < of_hour.size(); ++hour) {
    best = rides(hour) >= rides(best) ? hour : best;  // of equals that which begins with rides
  }
  return static_cast<std::int64_t>(best) * sim_duration{1h};
}

void look_at_hours(request_file& found, const world::trace& t) {
  found.begins = busiest(t);
  const sim_duration end = found.begins + 2h;
  sim_duration last{};
  double rides = 0;
  double trips_s = 0;
  for (const world::trace_row& row : t.rows) {
    const sim_duration since = (row.time_of_day - found.begins + 24h) % 24h;
    if (since < end - found.begins) {
      last = std::max(last, since);
      ++rides;
      trips_s += in_seconds(row.trip);
    }
  }
  const sim_duration step = 5min;
  found.lasts = std::min<sim_duration>((last / step + 1) * step, 2h);
  const double days = static_cast<double>(std::max<std::size_t>(t.days.size(), 1));
  found.rides_per_hour = rides / days / (in_seconds(found.lasts) / 3600);
  if (t.has_trips && rides > 0) {
    found.mean_trip = sim_duration{std::llround(trips_s / rides * 1e9)};
  }
}

using column_places = std::array<std::optional<std::size_t>, looked_for.size()>;

/// Where a file has no latitude and longitude of an end, the column that says its place at once.
void take_place(const file_sample& s,
                const world::zone_map& zones,
                column_places& at,
                std::size_t lat) {
  if (at[lat] && at[lat + 1]) {
    return;
  }
  const auto place = column_for(s, column_kind::place, looked_for[lat].end, zones);
  at[lat] = place;
  at[lat + 1] = place;
}

column_places take_columns(const file_sample& s,
                           const world::zone_map& zones,
                           request_file& found) {
  column_places at;
  for (std::size_t i = 0; i < looked_for.size(); ++i) {
    at[i] = column_for(s, looked_for[i].kind, looked_for[i].end, zones);
  }
  take_place(s, zones, at, 1);
  take_place(s, zones, at, 3);
  for (std::size_t i = 0; i < looked_for.size(); ++i) {
    if (at[i]) {
      found.columns.*looked_for[i].which = s.names[*at[i]];
    }
    found.findings.push_back(
        {looked_for[i].what, at[i] ? s.names[*at[i]] : "", at[i] ? s.rows.front()[*at[i]] : ""});
  }
  return at;
}

/// The share of the requests whose place is among these ids, in the column where it is greatest.
double share_named(const file_sample& requests, const std::set<std::string, std::less<>>& ids) {
  double best = 0;
  for (std::size_t i = 0; i < requests.names.size(); ++i) {
    if (fit_of(requests.names[i], column_kind::place, trip_end::from) > 0) {
      const auto named = std::ranges::count_if(
          requests.rows, [&](const auto& row) { return ids.contains(world::zone_id_in(row[i])); });
      best = std::max(best, static_cast<double>(named) / static_cast<double>(requests.rows.size()));
    }
  }
  // Those of a square matrix stand in its first line.
  const auto in_header = std::ranges::count_if(
      requests.names, [&](const auto& name) { return ids.contains(world::zone_id_in(name)); });
  return std::max(best,
                  static_cast<double>(in_header) / static_cast<double>(requests.names.size()));
}

/// Which columns of a file of zones hold their middles, and which the ids that the requests name.
result<world::zone_file> look_at_zones(const std::filesystem::path& path,
                                       const file_sample& requests) {
  const auto s = read_sample(path, placed_max);
  if (!s) {
    return tl::unexpected<error>(s.error());
  }
  column_places at;
  at[1] = column_for(*s, column_kind::latitude, trip_end::from, {});
  at[2] = column_for(*s, column_kind::longitude, trip_end::from, {});
  take_place(*s, {}, at, 1);
  if (!at[1] || !at[2]) {
    return no_column(path, *s, "latitude and longitude of a zone's middle");
  }
  double best = 0;
  world::zone_file found{path, "", s->names[*at[1]], s->names[*at[2]]};
  for (std::size_t i = 0; i < s->names.size(); ++i) {
    std::set<std::string, std::less<>> ids;
    for (const auto& row : s->rows) {
      ids.emplace(world::zone_id_in(row[i]));
    }
    const double share = i == *at[1] || i == *at[2] ? 0 : share_named(requests, ids);
    if (share > best) {
      best = share;
      found.id = s->names[i];
    }
  }
  if (best < fits_from) {
    return no_column(path, *s, "the ids of zones that the requests name");
  }
  return found;
}

}  // namespace

void doubt_bounds(request_file& found) {
  constexpr double inhabited_to = 70;  // Tromso lies at 69.6, Ushuaia at -54.8
  constexpr double city_degrees = 5;
  const bounds_options& b = found.bounds;
  if (std::max(std::abs(b.south), std::abs(b.north)) > inhabited_to) {
    found.doubts.push_back(
        fmt::format("latitudes reach from {:g} to {:g}, where nobody asks for rides: are latitude "
                    "and longitude "
                    "exchanged?",
                    b.south,
                    b.north));
  } else if (b.north - b.south > city_degrees || b.east - b.west > city_degrees) {
    found.doubts.push_back(fmt::format(
        "the places spread over {:g} by {:g} degrees: are some of them wrong? Narrow world.bounds",
        b.north - b.south,
        b.east - b.west));
  }
}

result<request_file> look_at_requests(const std::filesystem::path& path,
                                      const std::optional<std::filesystem::path>& zones_path) {
  auto read = read_sample(path, placed_max);
  if (!read) {
    return tl::unexpected<error>(read.error());
  }
  const file_sample few = first_rows(*read, sample_max);
  request_file found;
  world::zone_map zones;
  if (zones_path) {
    auto how = look_at_zones(*zones_path, few);
    auto all = how.and_then([&](const auto& h) { return world::read_zones(*zones_path, h); });
    if (!all) {
      return tl::unexpected<error>(all.error());
    }
    found.zones = std::move(*how);
    zones = std::move(*all);
  }
  if (auto format = matrix_in(few, *read, zones, found.findings)) {
    found.matrix = std::move(*format);
    return look_at_matrix(path, std::move(found));
  }
  const column_places at = take_columns(few, zones, found);
  if (!at[0]) {
    return may_be_matrix(few) ? no_zones(path, zones_path)
                              : no_column(path, few, "the time of a request");
  }
  if (!at[1] || !at[2]) {
    return no_column(
        path,
        few,
        "latitude and longitude of a pick-up, or a WKT point, a cell of H3 or a zone of it");
  }
  std::vector<std::pair<std::size_t, std::size_t>> ends{{*at[1], *at[2]}};
  if (at[3] && at[4]) {
    ends.emplace_back(*at[3], *at[4]);
  }
  found.bounds = bounds_of(*read, ends, zones);
  world_options place;
  place.bounds = found.bounds;
  const auto rows =
      world::read_trace(path, {.columns = found.columns, .zones = found.zones}, map_of(place));
  if (!rows) {
    return tl::unexpected<error>(rows.error());
  }
  found.rows = rows->rows.size();
  found.days = rows->days.size();
  found.doubts = rows->doubts;
  if (rows->rows_lost > 0) {
    found.doubts.push_back(fmt::format("{} left out, since they lack what is needed: {}",
                                       text::plural(rows->rows_lost, "row"),
                                       fmt::join(rows->lost, "; ")));
  }
  if (rows->rows_dropped > 0) {
    found.doubts.push_back(fmt::format("{} left out that begin or end outside these bounds",
                                       text::plural(rows->rows_dropped, "row")));
  }
  doubt_bounds(found);
  look_at_hours(found, *rows);
  return found;
}

}  // namespace dibs::scenario
