#include "scenario/matrix_file.hpp"

#include "scenario/request_doubts.hpp"
#include "scenario/trace_source.hpp"
#include "scenario/trip_evidence.hpp"
#include "scenario/zone_columns.hpp"
#include "text/clock_time.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "world/od_matrix.hpp"
#include "world/request_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
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
bool is_square_of(const file_sample& s, const auto& is_known) {
  const auto is_place = [&](const std::string& name) {
    return !world::is_blank(name) && is_known(name);
  };
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

/// From one beginning to the next where they fill the day evenly, else an hour at most.
sim_duration length_of_periods(const file_sample& s, std::size_t column) {
  constexpr sim_duration usual = 1h;
  text::clock_time_reader times = times_of(s, column);
  const world::period_numbers how = numbers_of(s, column);
  std::set<sim_duration> begins;
  for (const auto& row : s.rows) {
    if (const auto when = world::matrix_time(times, row[column], s.separator, how)) {
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
count_columns ends_in(const file_sample& s, const world::zone_map& zones) {
  const auto column = [&](column_kind kind, trip_end end) {
    return column_for(s, kind, end, zones);
  };
  count_columns c{.lat = column(column_kind::latitude, trip_end::from),
                  .lon = column(column_kind::longitude, trip_end::from),
                  .to_lat = column(column_kind::latitude, trip_end::to),
                  .to_lon = column(column_kind::longitude, trip_end::to)};
  const auto place = column(column_kind::place, trip_end::from);
  if (!c.has_ends() && place) {
    c.lat = c.lon = place;
    c.to_lat = c.to_lon = column(column_kind::place, trip_end::to);
  }
  return c;
}

std::string clauses(const std::vector<std::string>& why) {
  return fmt::format("{}", fmt::join(why, "; "));
}

/// Of a month's days those of this kind.
double share_of_month(std::string_view kind_of_day) {
  const std::vector<std::string> words = world::words_in(kind_of_day);
  const auto has = [&](std::string_view word) {
    return std::ranges::any_of(words, [&](const auto& each) { return each.starts_with(word); });
  };
  return has("weekday") ? 5.0 / 7 : has("weekend") ? 2.0 / 7 : 1;
}

/// Whether a count is a mean by its name.
bool is_mean(std::string_view name) {
  constexpr auto means = std::to_array<std::string_view>({"average", "avg", "mean", "rate"});
  const std::vector<std::string> words = world::words_in(name);
  return std::ranges::any_of(words, [&](const std::string& each) {
    return std::ranges::find(means, std::string_view(each)) != means.end();
  });
}

class pairs_guess {
 public:
  pairs_guess(const file_sample& few, const file_sample& many, request_file& found)
      : few_(few), many_(many), found_(found) {}

  /// Errors are clauses.
  tl::expected<std::optional<matrix_format>, std::string> find(const world::zone_map& zones) {
    count_columns at = ends_in(few_, zones);
    if (!at.has_origin()) {
      return std::nullopt;
    }
    std::set<std::size_t> taken{*at.lat, *at.lon};
    if (at.has_ends()) {
      taken.insert({*at.to_lat, *at.to_lon});
    }
    const auto take_next = [&](column_kind kind, trip_end end) {
      const auto next = column_for(few_, kind, end, zones, taken);
      taken.insert(next.value_or(*at.lat));
      return next;
    };
    at.rides = take_next(column_kind::rides, trip_end::from);
    if (!at.rides) {
      return std::nullopt;
    }
    at.time = take_next(column_kind::period, trip_end::from);
    at.date = take_next(column_kind::date, trip_end::from);
    month_ = month_beside(taken);
    const row_evidence seen = evidence_in(few_, at);
    if (!seen.are_counts()) {
      doubt_trips(seen, *at.rides, at.has_ends());
      return std::nullopt;
    }
    if (!at.has_ends() && names_end()) {
      return std::nullopt;  // zones that are not known, as a rule
    }
    if (!at.has_ends()) {
      return tl::unexpected(no_destinations(at, seen));
    }
    if (const auto unread = at.time ? std::nullopt : unread_period(taken)) {
      return tl::unexpected(unread_words(*unread));
    }
    if (!seen.is_plain()) {
      found_.doubts.push_back(fmt::format(
          "taken for counts of rides, since {}; though {}. If each row is one trip, take {} out, "
          "or write `kind: trace` with the columns of the trip",
          clauses(seen.of_counts),
          clauses(seen.of_trips),
          text::display_text(few_.names[*at.rides], 60)));
    }
    matrix_columns& c = format_.columns;
    take("lat", at.lat, c.lat);
    take("lon", at.lon, c.lon);
    take("to_lat", at.to_lat, c.to_lat);
    take("to_lon", at.to_lon, c.to_lon);
    take("rides", at.rides, c.rides);
    if (at.time) {
      take_period(*at.time, take_next(column_kind::period, trip_end::to));
    } else {
      found_.findings.push_back({"time", "", ""});
    }
    const bool is_of_months = month_ && (!at.date || !has_days(*at.date));
    if (const found_column date = at.date || !is_of_months ? at.date : month_) {
      take("date", date, c.date.emplace());
    }
    take_per();
    if (is_of_months && !format_.per && !is_mean(c.rides)) {
      take_per_of_month(at.date);
    }
    doubt_other_counts(*at.rides, taken);
    found_.findings.push_back({"per",
                               format_.per ? c.rides : "",
                               format_.per ? text::duration(*format_.per)
                               : at.time   ? "its period"
                                           : "a day"});
    return format_;
  }

 private:
  void take(const char* what, found_column at, std::string& name) {
    name = few_.names[*at];
    found_.findings.push_back({what, name, few_.rows.front()[*at]});
  }

  void take_period(std::size_t time, found_column to_time) {
    take("time", time, format_.columns.time.emplace());
    if (to_time) {
      take("to_time", to_time, format_.columns.to_time.emplace());
      return;
    }
    format_.period = length_of_periods(many_, time);
    found_.findings.push_back({"period", "", text::duration(format_.period)});
  }

  /// Beside periods a number of a week is of as many of them as the week has days.
  void take_per() {
    const matrix_columns& c = format_.columns;
    constexpr sim_duration day = 24h;
    format_.per = time_in_name(c.rides);
    if (!format_.per || *format_.per < day || !c.time) {
      return;
    }
    if (c.to_time && *format_.per > day) {
      found_.doubts.push_back(fmt::format(
          "{} is of {} by its name, and its periods differ in length: it is taken to be of one "
          "day's period; `scale: {:.3g}` makes it so",
          text::display_text(c.rides, 60),
          text::duration(*format_.per),
          in_seconds(day) / in_seconds(*format_.per)));
    }
    const double days = in_seconds(*format_.per) / in_seconds(day);
    const sim_duration periods{std::llround(in_seconds(format_.period) * days * 1e9)};
    format_.per = c.to_time || days == 1 ? std::nullopt : std::optional(periods);
  }

  /// A column of months or of years, the shorter ones first: counts beside it are of all of one
  /// where no day is said.
  [[nodiscard]] found_column month_beside(const std::set<std::size_t>& taken) const {
    found_column best;
    for (std::size_t i = 0; i < few_.names.size(); ++i) {
      const auto length = months_or_years_in(few_.names[i]);
      const auto least = best ? months_or_years_in(few_.names[*best]) : std::nullopt;
      best = !taken.contains(i) && length && (!least || *length < *least) ? i : best;
    }
    return best;
  }

  /// Not kinds of days, as WEEKDAY.
  [[nodiscard]] bool has_days(std::size_t date) const {
    const std::string& first = many_.rows.front()[date];
    return first.find_first_of("0123456789") != std::string::npos;
  }

  /// A mean is taken over the kinds of days, of which each has a part of the month.
  void take_per_of_month(found_column kinds) {
    const auto whole = months_or_years_in(few_.names[*month_]).value_or(sim_duration{});
    std::set<std::string_view> all;
    for (const auto& row : many_.rows) {
      all.insert(kinds ? std::string_view(row[*kinds]) : std::string_view());
    }
    const double part =
        all.size() == 1 ? share_of_month(*all.begin()) : 1 / static_cast<double>(all.size());
    const double days = in_seconds(whole) / in_seconds(24h) * part;
    const sim_duration one = format_.columns.time ? format_.period : sim_duration{24h};
    format_.per = sim_duration{std::llround(in_seconds(one) * days * 1e9)};
    found_.doubts.push_back(fmt::format(
        "the counts are taken for those of all its days, by {}: of {:.1f} days {}. If they are "
        "those of one day, take `per` out",
        shown_column(few_, *month_),
        days,
        kinds ? fmt::format("for each {} of {}",
                            text::display_text(few_.names[*kinds], 60),
                            text::plural(all.size(), "kind"))
              : std::string("each")));
  }

  /// What counts rides too is never passed over in silence.
  void doubt_other_counts(std::size_t rides, const std::set<std::size_t>& taken) {
    std::vector<std::string> others;
    for (std::size_t i = 0; i < few_.names.size(); ++i) {
      const int fit = fit_of(few_.names[i], column_kind::rides, trip_end::from);
      if (!taken.contains(i) && fit > 1 &&
          fit >= fit_of(few_.names[rides], column_kind::rides, trip_end::from)) {
        others.push_back(shown_column(few_, i));
      }
    }
    if (!others.empty()) {
      found_.doubts.push_back(
          fmt::format("not used, though named as counts of rides: {}", fmt::join(others, ", ")));
    }
  }

  [[nodiscard]] bool names_end() const {
    return std::ranges::any_of(few_.names, [](const std::string& name) {
      return fit_of(name, column_kind::place, trip_end::to) > 0 ||
             fit_of(name, column_kind::latitude, trip_end::to) > 0;
    });
  }

  void doubt_trips(const row_evidence& seen, std::size_t rides, bool has_ends) {
    if (!seen.is_plain() && has_ends) {
      found_.doubts.push_back(
          fmt::format("taken for trips, a row each, since {}; though {}. If a row is of several "
                      "rides, write `kind: matrix` with `columns: {{rides: {}}}`",
                      clauses(seen.of_trips),
                      clauses(seen.of_counts),
                      text::display_text(few_.names[rides], 60)));
    }
  }

  [[nodiscard]] std::string no_destinations(const count_columns& at,
                                            const row_evidence& seen) const {
    return fmt::format(
        "column {} counts rides where they begin ({}), and no column says where they go, so the "
        "file is neither trips nor a matrix: write a row for each origin, destination and hour, as "
        "`origin,destination,hour,trips`, which shares each count out, or a row for each ride, as "
        "`time,lat,lon`",
        text::display_text(few_.names[*at.rides], 60),
        clauses(seen.of_counts));
  }

  /// A column that is named as a period, and whose values are no times: AM, PM.
  [[nodiscard]] found_column unread_period(const std::set<std::size_t>& taken) const {
    for (std::size_t i = 0; i < few_.names.size(); ++i) {
      if (!taken.contains(i) && is_hour(few_.names[i]) && !few_.rows.front()[i].empty()) {
        return i;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string unread_words(std::size_t period) const {
    std::set<std::string> words;
    for (const auto& row : few_.rows) {
      words.insert(text::display_text(row[period], 20));
      if (words.size() == 6) {
        break;
      }
    }
    return fmt::format(
        "column {} names periods in words ({}): write when each begins and ends, in two columns, "
        "as `from,to` and 07:00,09:30",
        text::display_text(few_.names[period], 60),
        fmt::join(words, ", "));
  }

  const file_sample& few_;
  const file_sample& many_;
  request_file& found_;
  matrix_format format_;
  found_column month_;
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

}  // namespace

result<std::optional<matrix_format>> matrix_in(const std::filesystem::path& path,
                                               const file_sample& few,
                                               const file_sample& many,
                                               const world::zone_map& zones,
                                               request_file& found) {
  const auto is_place = [&](const std::string& name) {
    return world::place_named(name, zones).has_value();
  };
  if (!is_square_of(few, is_place)) {
    return pairs_guess(few, many, found).find(zones).map_error([&](const std::string& why) {
      return error{exit_code::invalid_input,
                   fmt::format("{}: {}", text::display_text(path.string(), 400), why)};
    });
  }
  found.findings.push_back({"origins", few.names.front(), few.rows.front().front()});
  found.findings.push_back({"destinations", "the others", few.names[1]});
  found.findings.push_back({"rides", "the others", few.rows.front()[1]});
  found.findings.push_back({"per", "", "a day"});
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
  std::array<double, 24> of_hour{};
  for (std::size_t hour = 0; hour < of_hour.size(); ++hour) {
    of_hour[hour] = read->rides_within(static_cast<std::int64_t>(hour) * sim_duration{1h}, 1h);
  }
  const std::size_t busy = busiest_hour(of_hour);
  found.begins = static_cast<std::int64_t>(busy) * sim_duration{1h};
  found.lasts = of_hour[(busy + 1) % 24] > 0 ? 2h : 1h;
  found.rides_per_hour =
      read->rides_within(found.begins, found.lasts) / (in_seconds(found.lasts) / 3600);
  found.doubts.insert(found.doubts.end(), read->doubts.begin(), read->doubts.end());
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
  if (found.zones) {
    doubt_zones(*found.zones, found);
  }
  const matrix_columns& c = found.matrix->columns;
  const bool is_of_points = c.lat != c.lon || world::read_wkt_point(found.findings.front().said);
  if (found.zones || !is_of_points) {
    std::vector<point> middles;
    for (const world::trace_row& pair : read->pairs) {
      middles.insert(middles.end(), {pair.origin, pair.destination});
    }
    spread_over_zones(middles, earth, found);
  }
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
