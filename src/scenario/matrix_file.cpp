#include "scenario/matrix_file.hpp"

#include "scenario/trace_source.hpp"
#include "text/clock_time.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "world/od_matrix.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace dibs::scenario {
namespace {

using found_column = std::optional<std::size_t>;

double share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// Whether the first line and the first column name places.
bool is_square_of(const file_sample& s, const auto& is_place) {
  const std::size_t columns = s.names.size() - 1;
  if (columns < 2) {
    return false;
  }
  const auto in_line = std::count_if(s.names.begin() + 1, s.names.end(), is_place);
  const auto in_column =
      std::ranges::count_if(s.rows, [&](const auto& row) { return is_place(row.front()); });
  return share(static_cast<std::size_t>(in_line), columns) >= fits_from &&
         share(static_cast<std::size_t>(in_column), s.rows.size()) >= fits_from;
}

/// A trace has instants: times that are on no grid.
bool has_instants(const file_sample& s, std::size_t column) {
  constexpr std::size_t enough = 20;
  constexpr sim_duration grid = 5min;
  text::clock_time_reader times = times_of(s, column);
  std::size_t off_grid = 0;
  for (const auto& row : s.rows) {
    const auto when = world::matrix_time(times, row[column], s.separator);
    off_grid += when && when->time_of_day % grid != sim_duration{0} ? 1U : 0U;
  }
  return s.rows.size() >= enough && share(off_grid, s.rows.size()) > 0.1;
}

/// From one beginning to the next where they fill the day evenly, else an hour at most.
sim_duration length_of_periods(const file_sample& s, std::size_t column) {
  constexpr sim_duration usual = 1h;
  text::clock_time_reader times = times_of(s, column);
  std::set<sim_duration> begins;
  for (const auto& row : s.rows) {
    if (const auto when = world::matrix_time(times, row[column], s.separator)) {
      begins.insert(when->time_of_day);
    }
  }
  if (begins.size() < 2) {
    return usual;
  }
  sim_duration least = 24h;
  for (auto next = std::next(begins.begin()); next != begins.end(); ++next) {
    least = std::min(least, *next - *std::prev(next));
  }
  const bool fills_day = least * static_cast<std::int64_t>(begins.size()) == sim_duration{24h};
  return fills_day ? least : std::min(least, usual);
}

/// The columns of both ends: coordinates, else such as say the place at once.
struct ends_found {
  found_column lat, lon, to_lat, to_lon;

  [[nodiscard]] bool all() const { return lat && lon && to_lat && to_lon; }
};

ends_found ends_in(const file_sample& s, const world::zone_map& zones) {
  ends_found e{column_for(s, column_kind::latitude, trip_end::from, zones),
               column_for(s, column_kind::longitude, trip_end::from, zones),
               column_for(s, column_kind::latitude, trip_end::to, zones),
               column_for(s, column_kind::longitude, trip_end::to, zones)};
  if (!e.all()) {
    e.lat = e.lon = column_for(s, column_kind::place, trip_end::from, zones);
    e.to_lat = e.to_lon = column_for(s, column_kind::place, trip_end::to, zones);
  }
  return e;
}

class pairs_guess {
 public:
  pairs_guess(const file_sample& few,
              const file_sample& many,
              std::vector<request_file::finding>& findings)
      : few_(few), many_(many), findings_(findings) {}

  std::optional<matrix_format> find(const world::zone_map& zones) {
    const ends_found ends = ends_in(few_, zones);
    if (!ends.all()) {
      return std::nullopt;
    }
    std::set<std::size_t> taken{*ends.lat, *ends.lon, *ends.to_lat, *ends.to_lon};
    const auto rides = column_for(few_, column_kind::rides, trip_end::from, zones, taken);
    if (!rides) {
      return std::nullopt;
    }
    taken.insert(*rides);
    const auto time = column_for(few_, column_kind::period, trip_end::from, zones, taken);
    if (time && has_instants(few_, *time)) {
      return std::nullopt;
    }
    matrix_columns& c = format_.columns;
    take("lat", ends.lat, c.lat);
    take("lon", ends.lon, c.lon);
    take("to_lat", ends.to_lat, c.to_lat);
    take("to_lon", ends.to_lon, c.to_lon);
    take("rides", rides, c.rides);
    if (time) {
      taken.insert(*time);
      take_period(*time, column_for(few_, column_kind::period, trip_end::to, zones, taken));
    } else {
      findings_.push_back({"time", "", ""});
    }
    format_.per = time_in_name(c.rides);
    findings_.push_back({"per",
                         format_.per ? c.rides : "",
                         format_.per ? text::duration(*format_.per)
                         : time      ? "its period"
                                     : "a day"});
    return format_;
  }

 private:
  void take(const char* what, found_column at, std::string& name) {
    name = few_.names[*at];
    findings_.push_back({what, name, few_.rows.front()[*at]});
  }

  void take_period(std::size_t time, found_column to_time) {
    take("time", time, format_.columns.time.emplace());
    if (to_time) {
      take("to_time", to_time, format_.columns.to_time.emplace());
      return;
    }
    format_.period = length_of_periods(many_, time);
    findings_.push_back({"period", "", text::duration(format_.period)});
  }

  const file_sample& few_;
  const file_sample& many_;
  std::vector<request_file::finding>& findings_;
  matrix_format format_;
};

/// What holds every place but 0, 0, which many files say of one that is not known.
bounds_options bounds_of(const world::od_matrix& m, const world::geography& earth) {
  constexpr double margin = 0.01;
  bounds_options b{.south = 90, .west = 180, .north = -90, .east = -180};
  for (const world::trace_row& pair : m.pairs) {
    for (const point& end : {pair.origin, pair.destination}) {
      const auto at = earth.degrees_of(end);
      if (std::abs(at.lat) > 1e-6 || std::abs(at.lon) > 1e-6) {
        b.south = std::min(b.south, at.lat);
        b.north = std::max(b.north, at.lat);
        b.west = std::min(b.west, at.lon);
        b.east = std::max(b.east, at.lon);
      }
    }
  }
  if (b.south > b.north) {
    return {};
  }
  const auto down = [](double x) { return std::floor((x - margin) * 100) / 100; };
  const auto up = [](double x) { return std::ceil((x + margin) * 100) / 100; };
  return {.south = std::max(down(b.south), -90.0),
          .west = std::max(down(b.west), -180.0),
          .north = std::min(up(b.north), 90.0),
          .east = std::min(up(b.east), 180.0)};
}

/// The two hours, from a full hour on, in which most is asked for; the first of equals.
sim_duration busiest(const world::od_matrix& m) {
  sim_duration best{};
  double most = 0;
  for (sim_duration hour{0}; hour < 24h; hour += 1h) {
    const double rides = m.rides_within(hour, 2h);
    if (rides > most * (1 + 1e-9)) {
      most = rides;
      best = hour;
    }
  }
  return best;
}

}  // namespace

std::optional<matrix_format> matrix_in(const file_sample& few,
                                       const file_sample& many,
                                       const world::zone_map& zones,
                                       std::vector<request_file::finding>& findings) {
  const auto is_place = [&](const std::string& name) {
    return world::place_named(name, zones).has_value();
  };
  if (!is_square_of(few, is_place)) {
    return pairs_guess(few, many, findings).find(zones);
  }
  findings.push_back({"origins", few.names.front(), few.rows.front().front()});
  findings.push_back({"destinations", "the others", few.names[1]});
  findings.push_back({"rides", "the others", few.rows.front()[1]});
  findings.push_back({"per", "", "a day"});
  matrix_format square;
  square.form = matrix_form::square;
  return square;
}

result<request_file> look_at_matrix(const std::filesystem::path& path, request_file found) {
  world_options world;
  world.bounds = {.south = -90, .west = -180, .north = 90, .east = 180};
  const world::geography earth = map_of(world);
  const auto read =
      world::read_matrix(path, {.format = *found.matrix, .zones = found.zones}, earth);
  if (!read) {
    return tl::unexpected<error>(read.error());
  }
  found.bounds = bounds_of(*read, earth);
  found.rows = read->rows;
  found.days = read->days;
  found.begins = busiest(*read);
  found.lasts = 2h;
  found.rides_per_hour = read->rides_within(found.begins, found.lasts) / 2;
  if (read->rows_lost > 0) {
    found.doubts.push_back(fmt::format(
        "{} left out, since they lack what is needed: {}",
        text::plural(read->rows_lost, found.matrix->form == matrix_form::square ? "cell" : "row"),
        fmt::join(read->lost, "; ")));
  }
  if (!found.matrix->per && !found.matrix->columns.time) {
    found.doubts.emplace_back(
        "nothing says in which time so many ride: it is taken to be a day; `per: 1h` makes it an "
        "hour");
  }
  if (read->days > 1) {
    found.doubts.push_back(fmt::format("of {} days the mean is taken", read->days));
  }
  doubt_bounds(found);
  return found;
}

bool may_be_matrix(const file_sample& s) {
  std::set<std::string, std::less<>> rows;
  for (const auto& row : s.rows) {
    rows.insert(row.front());
  }
  if (is_square_of(s, [&](const std::string& name) { return rows.contains(name); })) {
    return true;
  }
  const auto has = [&](column_kind kind, trip_end end) {
    return std::ranges::any_of(s.names,
                               [&](const auto& name) { return fit_of(name, kind, end) > 0; });
  };
  return has(column_kind::rides, trip_end::from) && has(column_kind::place, trip_end::from) &&
         has(column_kind::place, trip_end::to);
}

tl::unexpected<error> no_zones(const std::filesystem::path& path,
                               const std::optional<std::filesystem::path>& zones) {
  const std::string why =
      zones ? fmt::format("too few of these are among the zones of {}",
                          text::display_text(zones->string(), 400))
            : "nothing says where these are: add a CSV file with their middles, as in `--zones "
              "zones.csv`";
  return failure(exit_code::invalid_input,
                 fmt::format("{}: it looks like a matrix of rides between places, and {}",
                             text::display_text(path.string(), 400),
                             why));
}

}  // namespace dibs::scenario
