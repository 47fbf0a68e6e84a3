#include "scenario/request_doubts.hpp"

#include "text/csv_number.hpp"
#include "text/escape.hpp"
#include "text/quantity.hpp"
#include "world/digit_groups.hpp"
#include "world/geography.hpp"
#include "world/request_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace dibs::scenario {
namespace {

/// Fewer rows say nothing.
constexpr std::size_t doubtful_rows = 20;

bool has_word(const std::string& name, std::initializer_list<std::string_view> any) {
  const auto words = world::words_in(name);
  return std::ranges::any_of(
      words, [&](const std::string& word) { return std::ranges::find(any, word) != any.end(); });
}

bool is_share(std::size_t part, std::size_t whole, double least) {
  return whole > 0 && static_cast<double>(part) >= least * static_cast<double>(whole);
}

struct vehicle_position {
  sim_duration when{};
  point where;
};

/// A map around a place: distances do not depend on where its middle is.
world::geography map_around(world::place_in_degrees place) {
  return world::geography({.bounds = {std::max(place.lat - 1, -90.0),
                                      std::max(place.lon - 1, -180.0),
                                      std::min(place.lat + 1, 90.0),
                                      std::min(place.lon + 1, 180.0)}});
}

/// From each row to the next one that has the same value in a column.
struct steps_of_id {
  std::vector<sim_duration> times;
  std::vector<double> metres;
  std::size_t near = 0;  ///< as far as a vehicle goes in that time
  std::size_t values = 0;
};

class positions_look {
 public:
  positions_look(const file_sample& s, const request_places& at) : s_(s) {
    text::clock_time_reader times = times_of(s, at.time);
    for (const auto& row : s.rows) {
      const auto when = world::time_in_field(
          times, row[at.time], s.separator, world::time_unit_of(s.names[at.time]));
      const auto lat = text::number_in_field(row[at.lat], s.separator);
      const auto lon = text::number_in_field(row[at.lon], s.separator);
      std::optional<vehicle_position>& position = positions_.emplace_back();
      if (when && lat && lon && std::abs(*lat) <= 90 && std::abs(*lon) <= 180) {
        if (!map_.is_map()) {
          map_ = map_around({*lat, *lon});
        }
        position = vehicle_position{when->day * sim_duration{24h} + when->time_of_day,
                                    map_.project({*lat, *lon})};
      }
    }
  }

  [[nodiscard]] steps_of_id steps_of(std::size_t column, bool has_motions) const {
    // No trip and the way to the next one are so short. Motions tell of positions by themselves.
    const sim_duration most = has_motions ? 15min : 5min;
    constexpr double far_m = 3000;
    constexpr double fast_m_per_s = 40;
    steps_of_id steps;
    std::map<std::string_view, vehicle_position> last;
    for (std::size_t row = 0; row < s_.rows.size(); ++row) {
      const std::string& value = s_.rows[row][column];
      if (!positions_[row] || world::is_blank(value)) {
        continue;
      }
      const auto [before, is_new] = last.try_emplace(value, *positions_[row]);
      if (!is_new) {
        const sim_duration time = positions_[row]->when - before->second.when;
        const double metres = map_.distance_m(before->second.where, positions_[row]->where);
        steps.times.push_back(time);
        steps.metres.push_back(metres);
        steps.near += time >= 0s && time <= most && metres <= far_m &&
                              metres <= fast_m_per_s * std::max(in_seconds(time), 1.0)
                          ? 1U
                          : 0U;
        before->second = *positions_[row];
      }
    }
    steps.values = last.size();
    return steps;
  }

 private:
  const file_sample& s_;
  world::geography map_;
  std::vector<std::optional<vehicle_position>> positions_;
};

/// Positions of a vehicle follow each other, seconds and metres apart.
void doubt_positions(const file_sample& s, const request_places& at, request_file& found) {
  if (at.lat == at.lon || at.to_lat || s.rows.size() < doubtful_rows) {
    return;
  }
  std::vector<std::string> motions;
  for (const std::string& name : s.names) {
    if (has_word(
            name,
            {"speed", "velocity", "bearing", "heading", "occupancy", "azimuth", "sog", "cog"})) {
      motions.push_back(text::display_text(name, 60));
    }
  }
  const positions_look look(s, at);
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    const bool is_id = has_word(s.names[i],
                                {"id",
                                 "taxi",
                                 "taxiid",
                                 "trj",
                                 "trajectory",
                                 "device",
                                 "plate",
                                 "cab",
                                 "vehicle",
                                 "bus",
                                 "mmsi",
                                 "icao24"});
    const bool is_of_many = has_word(s.names[i], {"vendor", "city", "company", "provider", "zone"});
    if (at.used.contains(i) || !is_id || is_of_many) {
      continue;
    }
    steps_of_id steps = look.steps_of(i, !motions.empty());
    const std::size_t next = steps.times.size();
    if (next < doubtful_rows || next < 3 * steps.values ||
        !is_share(steps.near, next, motions.empty() ? 0.8 : 0.5)) {
      continue;
    }
    std::ranges::sort(steps.times);
    std::ranges::sort(steps.metres);
    found.doubts.push_back(fmt::format(
        "the rows look like positions of vehicles on their way: those of one {} follow each "
        "other by {} and {:.0f} m as a rule{}. Each row would become a request: keep "
        "those in which a trip begins",
        shown_column(s, i),
        text::print_duration(steps.times[next / 2] / 1s * sim_duration{1s}),
        steps.metres[next / 2],
        motions.empty() ? "" : fmt::format(", and there is {}", fmt::join(motions, ", "))));
    return;
  }
}

/// A row that stands twice, with an id that is else of one row, was joined badly.
void doubt_repeated_rows(const file_sample& s, request_file& found) {
  std::set<std::vector<std::string>> rows(s.rows.begin(), s.rows.end());
  const std::size_t again = s.rows.size() - rows.size();
  if (again == 0) {
    return;
  }
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    if (!has_word(s.names[i], {"id", "key", "uuid"})) {
      continue;
    }
    std::set<std::string_view> ids;
    for (const auto& row : rows) {
      ids.insert(row[i]);
    }
    if (ids.size() == rows.size()) {
      found.doubts.push_back(fmt::format(
          "{} of {} rows are there before, with the same {} and all else alike: each is a request "
          "of its own here; take them out if they are not",
          again,
          s.rows.size(),
          text::display_text(s.names[i], 60)));
      return;
    }
  }
}

/// Pairs of places on a grid of times, with a number that has fractions beside them.
void doubt_counts(const file_sample& s, const request_places& at, request_file& found) {
  if (!at.to_lat || !at.to_lon || s.rows.size() < doubtful_rows ||
      std::ranges::any_of(s.names, is_of_one_trip)) {
    return;
  }
  constexpr sim_duration grid = 5min;
  text::clock_time_reader times = times_of(s, at.time);
  std::set<std::vector<std::string_view>> pairs;
  std::size_t on_grid = 0;
  for (const auto& row : s.rows) {
    pairs.insert({row[at.lat], row[at.lon], row[*at.to_lat], row[*at.to_lon]});
    const auto when = world::time_in_field(
        times, row[at.time], s.separator, world::time_unit_of(s.names[at.time]));
    on_grid += when && when->time_of_day % grid == 0s ? 1U : 0U;
  }
  if (2 * pairs.size() > s.rows.size() || !is_share(on_grid, s.rows.size(), 0.99)) {
    return;
  }
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    std::size_t fractions = 0;
    bool is_number = !at.used.contains(i) && may_count(s.names[i]);
    for (const auto& row : s.rows) {
      const auto number = text::number_in_field(row[i], s.separator);
      is_number = is_number && number && *number >= 0;
      fractions += number && *number != std::floor(*number) ? 1U : 0U;
    }
    if (is_number && is_share(fractions, s.rows.size(), 0.2)) {
      found.doubts.push_back(
          fmt::format("each row is taken for one ride, but the file looks like counts of rides: {} "
                      "pairs of places are there {} times, at full periods, and {} has fractions. "
                      "If that is how many ride, call it `trips`",
                      pairs.size(),
                      s.rows.size(),
                      shown_column(s, i)));
      return;
    }
  }
}

}  // namespace

std::string fault_of_thousands(const file_sample& s, std::size_t length) {
  constexpr double thousand = 1000;
  for (const char mark : {'.', ','}) {
    world::digit_groups groups(mark);
    for (const auto& row : s.rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (i == length) {
          groups.look_at(row[i]);
        } else {
          groups.look_at_other(row[i]);
        }
      }
    }
    // Commas that part thousands in a file of commas are read as they are meant.
    const double as_read = text::number_in_field(groups.first(), s.separator).value_or(0);
    if (groups.are_thousands(s.separator) && as_read < thousand) {
      return fmt::format("column {} parts its thousands, as {}: write its numbers without",
                         text::display_text(s.names[length], 60),
                         text::display_text(groups.first(), 30));
    }
  }
  return "";
}

void doubt_days(const file_sample& s, std::size_t time, request_file& found) {
  text::clock_time_reader times = times_of(s, time);
  const auto first = world::time_in_field(times, s.rows.front()[time], s.separator);
  if (found.columns.date || !first || first->has_date) {
    return;
  }
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    std::set<std::string_view> days;
    for (const auto& row : s.rows) {
      days.insert(row[i]);
    }
    constexpr std::size_t days_max = 31;
    if (i != time && fit_of(s.names[i], column_kind::date, trip_end::from) > 0 && days.size() > 1 &&
        days.size() <= days_max) {
      found.doubts.push_back(
          fmt::format("{} has {} values, as of so many days: the rows of all of them are taken for "
                      "those of one day. `demand.1.scale` makes them fewer",
                      shown_column(s, i),
                      days.size()));
      return;
    }
  }
}

void doubt_rows(const file_sample& many, const request_places& at, request_file& found) {
  doubt_positions(many, at, found);
  doubt_repeated_rows(many, found);
  doubt_counts(many, at, found);
}

void doubt_short_lengths(const world::trace& rows, request_file& found) {
  constexpr double too_short_s = 60;
  double sum_s = 0;
  for (const world::trace_row& row : rows.rows) {
    sum_s += in_seconds(row.trip);
  }
  const double mean_s = sum_s / static_cast<double>(rows.rows.size());
  if (rows.has_trips && rows.rows.size() >= doubtful_rows && mean_s < too_short_s) {
    found.doubts.push_back(
        fmt::format("by column `{}` a trip takes {:.0f} s on average: is it in seconds? If it "
                    "counts minutes, call it so, as `duration_min`",
                    found.columns.trip,
                    mean_s));
  }
}

void spread_over_zones(const std::vector<point>& middles,
                       const world::geography& map,
                       request_file& found) {
  constexpr std::size_t least = 4;
  constexpr std::size_t most = 3000;
  std::vector<point> all = middles;
  const auto place = [](const point& p) { return std::tuple(p.x, p.y, p.z); };
  std::ranges::sort(all, {}, place);
  const auto is_same = [&](const point& a, const point& b) { return place(a) == place(b); };
  all.erase(std::unique(all.begin(), all.end(), is_same), all.end());
  if (all.size() < least || all.size() > most) {
    return;
  }
  std::vector<double> nearest;
  for (const point& a : all) {
    double best = 1e9;
    for (const point& b : all) {
      const double apart = map.distance_m(a, b);
      best = apart > 0 ? std::min(best, apart) : best;
    }
    nearest.push_back(best);
  }
  std::ranges::sort(nearest);
  const double typical = nearest[nearest.size() / 2];
  const double step = typical < 2000 ? 10 : 100;
  found.place_jitter_m = std::max(step, std::round(typical / 2 / step) * step);
  found.doubts.push_back(fmt::format(
      "rides begin and end at the middles of {} zones, as a rule {:.0f} m from the next: each is "
      "moved by up to {:.0f} m, in any direction (`jitter.place`)",
      all.size(),
      typical,
      found.place_jitter_m));
}

}  // namespace dibs::scenario
