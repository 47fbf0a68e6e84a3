#include "scenario/time_evidence.hpp"

#include "text/csv_number.hpp"
#include "text/digit_times.hpp"
#include "text/escape.hpp"
#include "text/plural.hpp"
#include "text/quantity.hpp"
#include "world/request_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

namespace dibs::scenario {
namespace {

/// The longest of some usual steps on which all but a hundredth of the times stand, so that many
/// rides begin at one instant; 0 where there is none. Files are rounded so to keep riders unknown.
sim_duration step_of_times(const world::trace& t) {
  constexpr std::size_t rows_min = 20;
  constexpr double together_max = 0.3;
  std::vector<sim_duration> times;
  std::ranges::transform(t.rows, std::back_inserter(times), &world::trace_row::time_of_day);
  std::ranges::sort(times);
  std::size_t most = 0;
  for (auto next = times.begin(); next != times.end();) {
    const auto [begin, end] = std::equal_range(next, times.end(), *next);
    most = std::max(most, static_cast<std::size_t>(end - begin));
    next = end;
  }
  // One instant for all is no step, but no time at all.
  if (10 * most >= 9 * times.size()) {
    return {};
  }
  const auto repeated = times.end() - std::unique(times.begin(), times.end());
  if (static_cast<double>(repeated) < together_max * static_cast<double>(t.rows.size())) {
    return {};
  }
  constexpr std::array<sim_duration, 6> steps{1h, 30min, 15min, 10min, 5min, 1min};
  for (const sim_duration step : steps) {
    const auto on_it = std::ranges::count_if(
        t.rows, [&](const world::trace_row& row) { return row.time_of_day % step == 0s; });
    if (t.rows.size() >= rows_min &&
        static_cast<double>(on_it) >= 0.99 * static_cast<double>(t.rows.size())) {
      return step;
    }
  }
  return {};
}

void spread_over_step(request_file& found, sim_duration step) {
  if (step == 0s) {
    return;
  }
  found.time_jitter = step / 2;
  found.doubts.push_back(fmt::format(
      "the times are rounded to {}, so that many rides begin at one instant: each is moved by "
      "up to {}, either way (`jitter.time`). If they were cut down rather than rounded, "
      "`shift: {}` sets them right",
      text::print_duration(step),
      text::print_duration(step / 2),
      text::print_duration(step / 2)));
}

/// Trips of half a day and more are as a rule meters that nobody ended.
void look_at_lengths(request_file& found, const std::vector<double>& lengths_s) {
  constexpr double too_long_s = 6 * 3600;
  double sum = 0;
  double most = 0;
  std::size_t usual = 0;
  for (const double each : lengths_s) {
    most = std::max(most, each);
    if (each < too_long_s) {
      sum += each;
      ++usual;
    }
  }
  const std::size_t longer = lengths_s.size() - usual;
  if (usual == 0 || 10 * longer > lengths_s.size()) {
    found.doubts.push_back(
        fmt::format("{} of {} trips of the busiest hours take 6 hours or longer: is how long they "
                    "took in the unit that the column's name says, and are its times of one zone?",
                    longer,
                    lengths_s.size()));
    return;
  }
  found.mean_trip = sim_duration{std::llround(sum / static_cast<double>(usual) * 1e9)};
  if (longer > 0) {
    found.doubts.push_back(
        fmt::format("{} of the busiest hours {} 6 hours or longer, at most {:.1f} h, as of meters "
                    "that nobody ended: take such rows out, for each keeps a driver as long. The "
                    "drivers are counted without them",
                    text::plural(longer, "trip"),
                    longer == 1 ? "is" : "are",
                    most / 3600));
  }
}

}  // namespace

void look_at_hours(request_file& found, const world::trace& t) {
  const sim_duration apart = step_of_times(t);
  spread_over_step(found, apart);
  std::array<double, 24> of_hour{};
  for (const world::trace_row& row : t.rows) {
    of_hour[static_cast<std::size_t>(row.time_of_day / 1h)] += 1 / t.days_at(row.time_of_day);
  }
  found.begins = static_cast<std::int64_t>(busiest_hour(of_hour)) * sim_duration{1h};
  const sim_duration end = found.begins + 2h;
  sim_duration last{};
  double rides = 0;
  std::vector<double> lengths_s;
  for (const world::trace_row& row : t.rows) {
    const sim_duration since = (row.time_of_day - found.begins + 24h) % 24h;
    if (since < end - found.begins) {
      last = std::max(last, since);
      rides += 1 / t.days_at(row.time_of_day);
      lengths_s.push_back(in_seconds(row.trip));
    }
  }
  const sim_duration step = std::max<sim_duration>(5min, apart);
  found.lasts = std::min<sim_duration>((last / step + 1) * step, 2h);
  const double days = static_cast<double>(std::max<std::size_t>(t.days.size(), 1));
  found.rides_per_hour = rides / (in_seconds(found.lasts) / 3600);
  if (found.rides_per_hour < 1 && days > 1) {
    found.doubts.push_back(
        fmt::format("the mean of {:.0f} days has {:.2g} rides in its busiest hour: choose a day "
                    "(`demand.1.day`), or ask for more by `demand.1.scale`",
                    days,
                    found.rides_per_hour));
  }
  if (t.has_trips && !lengths_s.empty()) {
    const double sum = std::accumulate(lengths_s.begin(), lengths_s.end(), 0.0);
    found.mean_trip = sim_duration{std::llround(sum / static_cast<double>(lengths_s.size()) * 1e9)};
    look_at_lengths(found, lengths_s);
  }
}

world::how_times_are how_times_in(const file_sample& s,
                                  std::size_t from,
                                  std::optional<std::size_t> to) {
  using order = text::clock_time_reader::slashes;
  world::trace_columns columns;
  columns.time = s.names[from];
  world::trace_clock clock(columns, {}, {});
  for (const auto& row : s.rows) {
    const auto begins = clock.read(world::time_column::time, row[from], s.separator);
    const auto ends =
        to ? clock.read(world::time_column::to_time, row[*to], s.separator) : std::nullopt;
    if (begins && ends && begins->has_date && ends->has_date) {
      clock.look_at_length(world::time_column::time, *begins, *ends);
    }
  }
  const bool is_day_first =
      clock.has_met_other_order() || (clock.doubts_order() && clock.order().is_other());
  return {.order = is_day_first ? order::day_first : order::month_first, .digits = clock.digits()};
}

std::vector<time_gap> gaps_between(const file_sample& s, std::size_t from, std::size_t to) {
  const world::how_times_are how = how_times_in(s, from, to);
  text::clock_time_reader first(how.order, how.digits);
  text::clock_time_reader second(how.order, how.digits);
  std::vector<time_gap> gaps;
  for (std::size_t row = 0; row < s.rows.size(); ++row) {
    const auto a = world::time_in_field(
        first, s.rows[row][from], s.separator, world::time_unit_of(s.names[from]));
    const auto b = world::time_in_field(
        second, s.rows[row][to], s.separator, world::time_unit_of(s.names[to]));
    if (a && b) {
      gaps.emplace_back(row, between(*a, *b));
    }
  }
  return gaps;
}

namespace {

struct other_unit {
  const char* name;
  double seconds;
};

std::optional<sim_duration> length_of(const file_sample& s, std::size_t row, std::size_t column) {
  return world::length_in_field(
      s.rows[row][column], s.separator, world::length_unit_of(s.names[column]));
}

/// How many rows say that their length counts this unit.
std::size_t rows_agreeing(const file_sample& s,
                          std::size_t length,
                          const std::vector<time_gap>& gaps,
                          const other_unit& unit) {
  std::size_t agree = 0;
  for (const auto& [row, gap] : gaps) {
    const auto read = length_of(s, row, length);
    // Whole minutes are off by as much as one of them.
    const double seconds = read ? in_seconds(*read) * unit.seconds : 0;
    agree += seconds > 0 && std::abs(seconds - in_seconds(gap)) <=
                                std::max(unit.seconds, 0.1 * in_seconds(gap))
                 ? 1U
                 : 0U;
  }
  return agree;
}

/// How long the trips are by their two times on average, over what the lengths say: also times
/// that are rounded tell it so. 0: nothing.
double gap_over_length(const file_sample& s,
                       std::size_t length,
                       const std::vector<time_gap>& gaps) {
  double of_gaps = 0;
  double of_lengths = 0;
  for (const auto& [row, gap] : gaps) {
    const auto read = length_of(s, row, length);
    if (read && gap >= 0s && gap <= 24h) {
      of_gaps += in_seconds(gap);
      of_lengths += in_seconds(*read);
    }
  }
  return of_lengths > 0 ? of_gaps / of_lengths : 0;
}

void doubt_disagreeing_rows(const file_sample& s,
                            std::size_t length,
                            const std::vector<time_gap>& gaps,
                            request_file& found) {
  constexpr double far = 0.5;
  // Times that are rounded are off by as much.
  constexpr std::array<sim_duration, 6> steps{1h, 30min, 15min, 10min, 5min, 1min};
  const auto step = std::ranges::find_if(steps, [&](sim_duration each) {
    return std::ranges::all_of(gaps, [&](const time_gap& g) { return g.second % each == 0s; });
  });
  const double rounded = step == steps.end() ? 0 : in_seconds(*step);
  std::size_t rows = 0;
  std::size_t differ = 0;
  for (const auto& [row, gap] : gaps) {
    const auto read = length_of(s, row, length);
    if (read && gap >= 0s && gap <= 24h) {
      ++rows;
      const double apart = std::abs(in_seconds(*read) - in_seconds(gap));
      differ += apart > std::max(60.0, rounded) && apart > far * in_seconds(std::max(*read, gap))
                    ? 1U
                    : 0U;
    }
  }
  if (rows >= gaps_min && 10 * differ >= rows) {
    found.doubts.push_back(
        fmt::format("{} is not what the two times say in {} of {} rows, by half or more: take it "
                    "out, to have how long a trip took from these",
                    shown_column(s, length),
                    differ,
                    rows));
  }
}

}  // namespace

bool are_told_by_times(const file_sample& s,
                       std::size_t length,
                       std::size_t from,
                       std::size_t to,
                       request_file& found) {
  constexpr std::array units{
      other_unit{"minutes", 60}, other_unit{"hours", 3600}, other_unit{"milliseconds", 0.001}};
  constexpr std::size_t mean_min = 20;
  constexpr double near = 1.25;
  const auto gaps = gaps_between(s, from, to);
  const double ratio = gaps.size() >= mean_min ? gap_over_length(s, length, gaps) : 0;
  for (const other_unit& unit : units) {
    const std::size_t agree = rows_agreeing(s, length, gaps, unit);
    const bool rows_agree =
        gaps.size() >= gaps_min &&
        static_cast<double>(agree) >= agreeing * static_cast<double>(gaps.size());
    const bool means_agree = ratio >= unit.seconds / near && ratio <= unit.seconds * near;
    if (rows_agree || means_agree) {
      found.doubts.push_back(fmt::format(
          "{} counts {}, as the two times say {}: how long a trip took is taken from these. Where "
          "they are rounded, a name that says the unit, as `duration_min`, has it from the column",
          shown_column(s, length),
          unit.name,
          rows_agree ? fmt::format("in {} of {} rows", agree, gaps.size())
                     : fmt::format("by their mean over {} rows", gaps.size())));
      return true;
    }
  }
  doubt_disagreeing_rows(s, length, gaps, found);
  return false;
}

std::set<std::size_t> columns_of_dates(const file_sample& s) {
  std::set<std::size_t> dates;
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    text::clock_time_reader days;
    bool has_some = false;
    const bool are_all = std::ranges::all_of(s.rows, [&](const auto& row) {
      const std::string& value = row[i];
      if (world::is_blank(value)) {
        return true;
      }
      has_some = true;
      return value.size() == 8 && (value.starts_with("19") || value.starts_with("20")) &&
             text::are_digits(value) && days.read(value + " 00:00");
    });
    if (has_some && are_all) {
      dates.insert(i);
    }
  }
  return dates;
}

namespace {

/// Digits alone are a date only if they are those of a day of these centuries: an id may be any.
bool is_date(const std::string& value) {
  using order = text::clock_time_reader::slashes;
  const bool is_any_number =
      text::are_digits(value) &&
      (value.size() != 8 || !(value.starts_with("19") || value.starts_with("20")));
  return !is_any_number &&
         std::ranges::any_of(std::array{order::month_first, order::day_first}, [&](order of) {
           const auto day = text::clock_time_reader(of).read(value + " 00:00");
           return day && day->has_date;
         });
}

/// Whether the first rows have dates there.
bool has_dates(const file_sample& s, std::size_t column) {
  constexpr std::ptrdiff_t rows_max = 100;
  const auto rows = std::min(rows_max, std::ranges::ssize(s.rows));
  const auto dates = std::count_if(
      s.rows.begin(), s.rows.begin() + rows, [&](const auto& row) { return is_date(row[column]); });
  return 10 * dates >= 9 * rows;
}

bool has_others(const file_sample& s, std::size_t column) {
  return std::ranges::any_of(
      s.rows, [&](const auto& row) { return row[column] != s.rows.front()[column]; });
}

}  // namespace

std::optional<std::size_t> date_beside(const file_sample& s, std::size_t time) {
  const world::how_times_are how = how_times_in(s, time);
  text::clock_time_reader times(how.order, how.digits);
  const auto first = world::time_in_field(
      times, s.rows.front()[time], s.separator, world::time_unit_of(s.names[time]));
  if (!first || first->has_date || first->day != 0) {
    return std::nullopt;
  }
  const auto named = [&](std::size_t column, trip_end end) {
    return fit_of(s.names[column], column_kind::date, end) > 0;
  };
  std::optional<std::size_t> other;
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    if (i == time || named(i, trip_end::to) || !has_dates(s, i)) {
      continue;
    }
    if (named(i, trip_end::from)) {
      return i;
    }
    // Beside a number, which may be of any day, only a name tells.
    other = other || first->is_number || !has_others(s, i) ? other : i;
  }
  return other;
}

void look_at_clock(const file_sample& s, std::size_t time, request_file& found) {
  const world::how_times_are how = how_times_in(s, time);
  text::clock_time_reader times(how.order, how.digits);
  const std::string& field = s.rows.front()[time];
  const auto first = world::time_in_field(times, field, s.separator);
  const bool is_number = first && text::number_in_field(field, s.separator);
  const bool is_dense = is_number && (field.starts_with("19") || field.starts_with("20")) &&
                        (field.size() == 12 || field.size() == 14);
  const bool is_since_1970 = is_number && !is_dense && how.digits == text::digit_form::count;
  if (first && first->has_date && (is_since_1970 || world::says_utc(field))) {
    // By the sun; where it is that of Greenwich, an hour as in summer.
    constexpr double degrees_of_hour = 15;
    const auto by_sun = std::llround((found.bounds.west + found.bounds.east) / 2 / degrees_of_hour);
    const auto hours = by_sun == 0 ? 1 : by_sun;
    found.doubts.push_back(fmt::format(
        "the times in {} {} and are taken as they are, in UTC: `shift` makes them those of the "
        "city's clock, as `shift: {}h` by its longitude; the busiest hours, `clock.start`, then "
        "move as much, from "
        "{:02}:00 to {:02}:00",
        shown_column(s, time),
        is_since_1970 ? "count from 1970" : "end in the zone UTC",
        hours,
        found.begins / sim_duration{1h},
        (found.begins / sim_duration{1h} + 24 + hours) % 24));
  }
}

}  // namespace dibs::scenario
