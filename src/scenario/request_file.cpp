#include "scenario/request_file.hpp"

#include "scenario/file_faults.hpp"
#include "scenario/file_sample.hpp"
#include "scenario/matrix_file.hpp"
#include "scenario/request_columns.hpp"
#include "scenario/request_doubts.hpp"
#include "scenario/request_places.hpp"
#include "scenario/ride_times.hpp"
#include "scenario/time_evidence.hpp"
#include "scenario/trace_source.hpp"
#include "scenario/zone_columns.hpp"
#include "text/csv_number.hpp"
#include "text/escape.hpp"
#include "text/plural.hpp"
#include "world/request_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

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
    wanted_column{"to_time", &trace_columns::to_time, column_kind::time, trip_end::to},
    wanted_column{"from_time", &trace_columns::from_time, column_kind::start, trip_end::from}};

constexpr std::string_view lost_remedy =
    ". Take such rows out of the file, or write the scenario yourself, from that of `dibs init`, "
    "with a greater `lost_max` beside `file`";

using column_places = std::array<std::optional<std::size_t>, looked_for.size()>;
/// The places among these of the end of a trip and its beginning.
constexpr std::size_t to_time = 6;
constexpr std::size_t from_time = 7;

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

void doubt_drivers_place(const file_sample& s, const column_places& at, request_file& found) {
  if (at[1] && is_of_driver(s.names[*at[1]])) {
    found.doubts.push_back(
        fmt::format("by its name {} is where a driver was, and no other column says where a ride "
                    "begins",
                    shown_column(s, *at[1])));
  }
}

column_places take_columns(const file_sample& s,
                           const world::zone_map& zones,
                           request_file& found) {
  column_places at;
  const auto dates = columns_of_dates(s);
  for (std::size_t i = 1; i < to_time; ++i) {
    at[i] = column_for(s, looked_for[i].kind, looked_for[i].end, zones);
  }
  take_place(s, zones, at, 1);
  take_place(s, zones, at, 3);
  const ride_times times = times_of_ride(s, zones, dates, found);
  at[0] = times.time;
  if (at[5] == at[0]) {
    at[5].reset();  // `trip_time` of a clock
  }
  at[to_time] = times.to_time;
  at[from_time] = times.from_time;
  if (at[5] && at[to_time] &&
      are_told_by_times(s, *at[5], at[from_time].value_or(*at[0]), *at[to_time], found)) {
    at[5].reset();
  }
  if (at[5] && at[to_time] && ends_at_door(s, times, *at[5])) {
    at[to_time].reset();
    at[from_time].reset();
  }
  doubt_drivers_place(s, at, found);
  for (std::size_t i = 0; i < looked_for.size(); ++i) {
    if (at[i]) {
      found.columns.*looked_for[i].which = s.names[*at[i]];
    } else if (i == from_time) {
      continue;  // it is `time`
    }
    found.findings.push_back(
        {looked_for[i].what, at[i] ? s.names[*at[i]] : "", at[i] ? s.rows.front()[*at[i]] : ""});
  }
  return at;
}

/// What may be a second time or a length is never passed over in silence.
void name_unused(const file_sample& s, const column_places& at, request_file& found) {
  std::vector<std::string> unused;
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    const std::string& name = s.names[i];
    const bool may_be = fit_of(name, column_kind::time, trip_end::from) > 1 ||
                        fit_of(name, column_kind::time, trip_end::to) > 1 ||
                        fit_of(name, column_kind::duration, trip_end::from) > 0;
    const bool is_used =
        std::ranges::find(at, std::optional(i)) != at.end() || name == found.columns.date;
    if (may_be && !is_used) {
      unused.push_back(shown_column(s, i));
    }
  }
  if (!unused.empty()) {
    found.doubts.push_back(
        fmt::format("not used, though named as a time or a length: {}", fmt::join(unused, ", ")));
  }
}

/// What may be a drop-off where none was found: places, by their values, that are not used.
void name_other_places(const file_sample& s,
                       const world::zone_map& zones,
                       const column_places& at,
                       request_file& found) {
  const bounds_options& b = found.bounds;
  const auto within = [](const std::optional<double>& x, double from, double to) {
    return x && *x != std::floor(*x) && *x >= from && *x <= to;
  };
  const auto is_place = [&](const std::string& value, bool may_be_id) {
    const auto number = text::number_in_field(value, s.separator);
    return within(number, b.south, b.north) || within(number, b.west, b.east) ||
           world::place_named(value, may_be_id ? zones : world::zone_map{});
  };
  std::vector<std::string> others;
  for (std::size_t i = 0; !at[3] && i < s.names.size(); ++i) {
    const bool may_be_id = fit_of(s.names[i], column_kind::place, trip_end::from) > 0 ||
                           fit_of(s.names[i], column_kind::place, trip_end::to) > 0;
    const auto places =
        std::ranges::count_if(s.rows, [&](const auto& row) { return is_place(row[i], may_be_id); });
    const bool is_used = std::ranges::find(at, std::optional(i)) != at.end();
    if (!is_used && static_cast<double>(places) >= fits_from * static_cast<double>(s.rows.size())) {
      others.push_back(shown_column(s, i));
    }
  }
  if (!others.empty()) {
    found.doubts.push_back(
        fmt::format("no column was taken for the drop-off, so trips end where others begin; not "
                    "used, though their values look like places: {}. If they are the drop-off, "
                    "name them in `columns`, as `to_lat` and `to_lon`",
                    fmt::join(others, ", ")));
  }
}

/// A drop-off whose columns are there, and blank.
void name_blank_end(const file_sample& s, const column_places& at, request_file& found) {
  const bool is_read = at[3] || std::ranges::find(s.names, found.columns.to_lat) != s.names.end();
  for (std::size_t i = 0; !is_read && i < s.names.size(); ++i) {
    const bool may_be = fit_of(s.names[i], column_kind::latitude, trip_end::to) > 0 ||
                        fit_of(s.names[i], column_kind::place, trip_end::to) > 1;
    if (may_be &&
        std::ranges::all_of(s.rows, [i](const auto& row) { return world::is_blank(row[i]); })) {
      found.doubts.push_back(
          fmt::format("no row has a drop-off, {} is blank: trips end where "
                      "others begin",
                      text::display_text(s.names[i], 60)));
      return;
    }
  }
}

/// Says in which rows a latitude is none that is lived at. Where that is most of them, the columns
/// are taken the other way round.
void look_for_exchanged(const file_sample& s, column_places& at, request_file& found) {
  for (const std::size_t lat : {1U, 3U}) {
    if (!at[lat] || !at[lat + 1] || at[lat] == at[lat + 1]) {
      continue;
    }
    const std::size_t rows = rows_exchanged(s, {*at[lat], *at[lat + 1]});
    if (rows == 0) {
      continue;
    }
    const bool is_most = 2 * rows > s.rows.size();
    found.doubts.push_back(fmt::format(
        "latitude and longitude look exchanged in {} of {} rows, in columns {} and {}: a latitude "
        "beyond {:g} degrees, where nobody asks for rides{}",
        rows,
        s.rows.size(),
        text::display_text(s.names[*at[lat]], 60),
        text::display_text(s.names[*at[lat + 1]], 60),
        inhabited_to,
        is_most ? "; so each column is taken for the other" : ""));
    if (is_most) {
      std::swap(at[lat], at[lat + 1]);
      std::swap(found.columns.*looked_for[lat].which, found.columns.*looked_for[lat + 1].which);
      std::swap(found.findings[lat].column, found.findings[lat + 1].column);
      std::swap(found.findings[lat].said, found.findings[lat + 1].said);
    }
  }
}

tl::unexpected<error> fault_of_file(const std::filesystem::path& path, const std::string& fault) {
  return failure(exit_code::invalid_input,
                 fmt::format("{}: {}", text::display_text(path.string(), 400), fault));
}

/// Requires: there are columns of the first.
std::vector<place_columns> ends_at(const column_places& at) {
  std::vector<place_columns> ends{{*at[1], *at[2]}};
  if (at[3] && at[4]) {
    ends.emplace_back(*at[3], *at[4]);
  }
  return ends;
}

/// Of a square there are no columns.
std::vector<place_columns> ends_of(const matrix_format& format, const file_sample& s) {
  const auto at = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(s.names, name) - s.names.begin());
  };
  const matrix_columns& c = format.columns;
  return format.form == matrix_form::square
             ? std::vector<place_columns>()
             : std::vector<place_columns>{{at(c.lat), at(c.lon)}, {at(c.to_lat), at(c.to_lon)}};
}

tl::unexpected<error> no_places(const std::filesystem::path& path,
                                const std::optional<std::filesystem::path>& zones_path,
                                const file_sample& s) {
  const std::string shown = text::display_text(path.string(), 400);
  const auto like = columns_like_zones(s);
  if (!like.empty() && !zones_path && fault_of_values(s, column_kind::latitude).empty() &&
      fault_of_form(path, s).empty()) {
    return failure(
        exit_code::invalid_input,
        fmt::format("{}: no latitude and longitude of a pick-up, but the columns {} look "
                    "like ids of zones: add a CSV file with the middles of these, as in "
                    "`--zones zones.csv`",
                    shown,
                    fmt::join(like, ", ")));
  }
  std::vector<std::string_view> names = names_of(column_kind::latitude, trip_end::from);
  for (const auto kind : {column_kind::longitude, column_kind::place}) {
    const auto more = names_of(kind, trip_end::from);
    names.insert(names.end(), more.begin(), more.end());
  }
  return no_column(path,
                   s,
                   "latitude and longitude of a pick-up, or a WKT point, a cell of H3 or a zone of "
                   "it",
                   column_kind::latitude,
                   std::move(names));
}

void take_date(const file_sample& s, std::size_t time, request_file& found) {
  if (const auto date = date_beside(s, time)) {
    found.columns.date = s.names[*date];
    found.findings.push_back({"date", s.names[*date], s.rows.front()[*date]});
  }
  doubt_days(s, time, found);
}

result<file_sample> read_demand(const std::filesystem::path& path) {
  auto s = read_sample(path, placed_max);
  if (!s) {
    return s;
  }
  const auto mean = std::ranges::find_if(s->names, is_mean_travel_time);
  return mean == s->names.end()
             ? std::move(s)
             : fault_of_file(path,
                             fmt::format("by column {} it says how long trips take, and not how "
                                         "many there are: it is no demand",
                                         text::display_text(*mean, 60)));
}

/// What the rows of these columns cannot be read by. Empty where there is no such fault.
std::string fault_of_rows(const file_sample& s,
                          const column_places& at,
                          const std::vector<place_columns>& ends,
                          const world::zone_map& zones) {
  const std::string fault = at[5] ? fault_of_thousands(s, *at[5]) : "";
  return fault.empty() ? fault_of_ends(s, ends, zones) : fault;
}

/// `many`, `few`: the rows by which places and by which columns are judged.
void take_rows_in(const world::trace& rows,
                  const file_sample& many,
                  const file_sample& few,
                  const world::zone_map& zones,
                  const column_places& at,
                  request_file& found) {
  found.rows = rows.rows.size();
  found.days = rows.days.size();
  found.doubts.insert(found.doubts.end(), rows.doubts.begin(), rows.doubts.end());
  name_blank_end(many, at, found);
  name_other_places(few, zones, at, found);
  name_unused(few, at, found);
  if (const auto unit = world::length_unit_of(found.columns.trip); at[5] && unit.one != 1s) {
    found.doubts.push_back(fmt::format("the lengths in {} are read as {}, by the column's name",
                                       shown_column(few, *at[5]),
                                       unit.name));
  }
  if (rows.rows_lost > 0) {
    found.doubts.push_back(fmt::format("{} left out, since they lack what is needed: {}",
                                       text::plural(rows.rows_lost, "row"),
                                       fmt::join(rows.lost, "; ")));
  }
  if (rows.rows_dropped > 0) {
    found.doubts.push_back(fmt::format("{} left out that {} outside these bounds",
                                       text::plural(rows.rows_dropped, "row"),
                                       rows.rows_dropped == 1 ? "begins or ends" : "begin or end"));
  }
}

/// What the rows say beside their columns, taken together.
void doubt_all_rows(const world::trace& rows,
                    const file_sample& many,
                    const column_places& at,
                    request_file& found) {
  if (found.zones) {
    doubt_zones(*found.zones, found);
  }
  request_places places{*at[0], *at[1], *at[2], at[3], at[4], {}};
  for (const auto& column : at) {
    places.used.insert(column.value_or(*at[0]));
  }
  doubt_rows(many, places, found);
  if (at[5]) {
    doubt_short_lengths(rows, found);
  }
  const bool is_point = world::read_wkt_point(many.rows.front()[*at[1]]).has_value();
  if (at[1] == at[2] && !is_point) {
    std::vector<point> middles;
    for (const world::trace_row& row : rows.rows) {
      middles.push_back(row.origin);
    }
    world_options world;
    world.bounds = found.bounds;
    spread_over_zones(middles, map_of(world), found);
  }
}

}  // namespace

std::size_t busiest_hour(const std::array<double, 24>& of_hour) {
  const auto rides = [&](std::size_t hour) { return of_hour[hour] + of_hour[(hour + 1) % 24]; };
  std::optional<std::size_t> best;
  for (std::size_t hour = 0; hour < of_hour.size(); ++hour) {
    if (of_hour[hour] > 0 && (!best || rides(hour) > rides(*best) * (1 + 1e-9))) {
      best = hour;
    }
  }
  return best.value_or(0);
}

void doubt_bounds(request_file& found) {
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
  } else {
    constexpr double wide_km = 150;
    world_options world;
    world.bounds = b;
    const world::geography map = map_of(world);
    const auto km = [&](world::place_in_degrees from, world::place_in_degrees to) {
      return map.distance_m(map.project(from), map.project(to)) / 1000;
    };
    const double middle = (b.north + b.south) / 2;
    const double high = km({b.south, b.west}, {b.north, b.west});
    const double wide = km({middle, b.west}, {middle, b.east});
    if (std::max(high, wide) > wide_km) {
      found.doubts.push_back(fmt::format(
          "the map spans {:.0f} km from north to south and {:.0f} km from west to east: "
          "is it one city? Else keep one of them by `world.bounds`",
          high,
          wide));
    }
  }
}

result<request_file> look_at_requests(const std::filesystem::path& path,
                                      const std::optional<std::filesystem::path>& zones_path,
                                      const std::function<void(std::uint64_t)>& on_rows) {
  const auto read = read_demand(path);
  if (!read) {
    return tl::unexpected<error>(read.error());
  }
  const file_sample few = first_rows(*read, sample_max);
  request_file found;
  world::zone_map zones;
  if (zones_path) {
    auto how = look_at_zones(*zones_path, path, few);
    auto all = how.and_then([&](const auto& h) { return world::read_zones(*zones_path, h); });
    if (!all) {
      return tl::unexpected<error>(all.error());
    }
    found.zones = std::move(*how);
    zones = std::move(*all);
  }
  auto format = matrix_in(path, few, *read, zones, found);
  if (!format) {
    return tl::unexpected<error>(format.error());
  }
  if (*format) {
    found.matrix = std::move(**format);
    const std::string fault = fault_of_ends(few, ends_of(*found.matrix, few), zones);
    return fault.empty() ? look_at_matrix(path, std::move(found)) : fault_of_file(path, fault);
  }
  column_places at = take_columns(few, zones, found);
  if (!at[0]) {
    return may_be_matrix(few) ? no_zones(path, zones_path)
                              : no_column(path,
                                          few,
                                          "the time of a request",
                                          column_kind::time,
                                          names_of(column_kind::time, trip_end::from));
  }
  if (!at[1] || !at[2]) {
    return no_places(path, zones_path, few);
  }
  take_date(*read, *at[0], found);
  if (read->encoding == text::text_encoding::windows_1252 ||
      read->encoding == text::text_encoding::two_bytes) {
    found.doubts.emplace_back("the text is no UTF-8: it is read as Windows-1252");
  }
  look_for_exchanged(*read, at, found);
  const std::vector<place_columns> ends = ends_at(at);
  if (const std::string fault = fault_of_rows(*read, at, ends, zones); !fault.empty()) {
    return fault_of_file(path, fault);
  }
  found.bounds = bounds_of(*read, ends, zones);
  world_options place;
  place.bounds = found.bounds;
  const auto rows = world::read_trace(
      path, {.columns = found.columns, .zones = found.zones, .on_rows = on_rows}, map_of(place));
  if (!rows) {
    const bool is_of_lost = rows.error().text.find("lost_max") != std::string::npos;
    const bool is_of_unit = rows.error().text.find("milliseconds") != std::string::npos;
    return failure(rows.error().code,
                   rows.error().text + std::string(is_of_lost && !is_of_unit ? lost_remedy : ""));
  }
  take_rows_in(*rows, *read, few, zones, at, found);
  doubt_bounds(found);
  doubt_cities(*read, ends, zones, found);
  doubt_all_rows(*rows, *read, at, found);
  doubt_sameness(*rows, found);
  look_at_hours(found, *rows);
  look_at_clock(*read, *at[0], found);
  return found;
}

}  // namespace dibs::scenario
