#include "scenario/time_evidence.hpp"

#include "text/csv_number.hpp"
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
  const auto repeated = std::ranges::unique(times).size();
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
    ++of_hour[static_cast<std::size_t>(row.time_of_day / 1h)];
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
      ++rides;
      lengths_s.push_back(in_seconds(row.trip));
    }
  }
  const sim_duration step = std::max<sim_duration>(5min, apart);
  found.lasts = std::min<sim_duration>((last / step + 1) * step, 2h);
  const double days = static_cast<double>(std::max<std::size_t>(t.days.size(), 1));
  found.rides_per_hour = rides / days / (in_seconds(found.lasts) / 3600);
  if (found.rides_per_hour < 1 && days > 1) {
    found.doubts.push_back(
        fmt::format("the mean of {:.0f} days has {:.2g} rides in its busiest hour: choose a day "
                    "(`demand.1.day`), or ask for more by `demand.1.scale`",
                    days,
                    found.rides_per_hour));
  }
  if (t.has_trips && rides > 0) {
    const double sum = std::accumulate(lengths_s.begin(), lengths_s.end(), 0.0);
    found.mean_trip = sim_duration{std::llround(sum / rides * 1e9)};
    look_at_lengths(found, lengths_s);
  }
}

std::vector<time_gap> gaps_between(const file_sample& s, std::size_t from, std::size_t to) {
  text::clock_time_reader first = times_of(s, from);
  text::clock_time_reader second = times_of(s, to);
  std::vector<time_gap> gaps;
  for (std::size_t row = 0; row < s.rows.size(); ++row) {
    const auto a = world::time_in_field(
        first, s.rows[row][from], s.separator, world::time_unit_of(s.names[from]));
    const auto b = world::time_in_field(
        second, s.rows[row][to], s.separator, world::time_unit_of(s.names[to]));
    if (a && b) {
      gaps.emplace_back(row,
                        (b->day - a->day) * sim_duration{24h} + b->time_of_day - a->time_of_day);
    }
  }
  return gaps;
}

bool are_told_by_times(const file_sample& s,
                       std::size_t length,
                       std::size_t from,
                       std::size_t to,
                       request_file& found) {
  struct other_unit {
    const char* name;
    double seconds;
  };
  constexpr std::array units{
      other_unit{"minutes", 60}, other_unit{"hours", 3600}, other_unit{"milliseconds", 0.001}};
  const auto gaps = gaps_between(s, from, to);
  for (const other_unit& unit : units) {
    std::size_t agree = 0;
    for (const auto& [row, gap] : gaps) {
      const auto read = world::length_in_field(
          s.rows[row][length], s.separator, world::length_unit_of(s.names[length]));
      // Whole minutes are off by as much as one of them.
      const double seconds = read ? in_seconds(*read) * unit.seconds : 0;
      agree += seconds > 0 && std::abs(seconds - in_seconds(gap)) <=
                                  std::max(unit.seconds, 0.1 * in_seconds(gap))
                   ? 1U
                   : 0U;
    }
    if (gaps.size() >= gaps_min &&
        static_cast<double>(agree) >= agreeing * static_cast<double>(gaps.size())) {
      found.doubts.push_back(fmt::format(
          "{} counts {}, as the two times say in {} of {} rows: how long a trip took is "
          "taken from these",
          shown_column(s, length),
          unit.name,
          agree,
          gaps.size()));
      return true;
    }
  }
  return false;
}

std::optional<std::string> date_beside(const file_sample& s, std::size_t time) {
  text::clock_time_reader times = times_of(s, time);
  const auto first = world::time_in_field(times, s.rows.front()[time], s.separator);
  if (!first || first->has_date || first->is_number) {
    return std::nullopt;
  }
  const auto is_date = [](const std::string& value) {
    using order = text::clock_time_reader::slashes;
    return std::ranges::any_of(std::array{order::month_first, order::day_first}, [&](order how) {
      const auto day = text::clock_time_reader(how).read(value + " 00:00");
      return day && day->has_date;
    });
  };
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    const auto others = [&](const auto& row) { return row[i] != s.rows.front()[i]; };
    const bool is_of_end = fit_of(s.names[i], column_kind::date, trip_end::to) > 0;
    if (!is_of_end && is_date(s.rows.front()[i]) && std::ranges::any_of(s.rows, others)) {
      return fmt::format(
          "the date stands in column {} and the time in {}: write both into one column, as "
          "{} {}",
          shown_column(s, i),
          shown_column(s, time),
          text::display_text(s.rows.front()[i], 30),
          text::display_text(s.rows.front()[time], 30));
    }
  }
  return std::nullopt;
}

void look_at_clock(const file_sample& s, std::size_t time, request_file& found) {
  text::clock_time_reader times = times_of(s, time);
  const std::string& field = s.rows.front()[time];
  const auto first = world::time_in_field(times, field, s.separator);
  const bool is_number = first && text::number_in_field(field, s.separator);
  const bool is_dense = is_number && (field.starts_with("19") || field.starts_with("20")) &&
                        (field.size() == 12 || field.size() == 14);
  if (first && first->has_date && !is_dense && (is_number || world::says_utc(field))) {
    found.doubts.push_back(
        fmt::format("the times in {} {} and are taken as they are, in UTC: "
                    "`shift` makes them those of the city's clock, as `shift: -5h`",
                    shown_column(s, time),
                    is_number ? "count from 1970" : "end in the zone UTC"));
  }
}

}  // namespace dibs::scenario
