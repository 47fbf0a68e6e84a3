#include "scenario/ride_times.hpp"

#include "scenario/time_evidence.hpp"
#include "text/quantity.hpp"
#include "world/request_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace dibs::scenario {
namespace {

/// The columns from whose times those of this one cannot be taken: of a date without a clock, or of
/// a clock without the date that these have.
std::set<std::size_t> written_otherwise(const file_sample& s, std::size_t time) {
  const auto form = [&s](std::size_t column) -> std::optional<std::pair<bool, bool>> {
    text::clock_time_reader times = times_of(s, column);
    for (const auto& row : s.rows) {
      if (const auto when = world::time_in_field(times, row[column], s.separator)) {
        return std::pair(when->has_date, when->is_number);
      }
    }
    return std::nullopt;
  };
  std::set<std::size_t> others;
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    if (form(i) != form(time)) {
      others.insert(i);
    }
  }
  return others;
}

/// How long the times of one column are after those of another, in the rows that have both.
class times_apart {
 public:
  times_apart(const file_sample& s, std::size_t from, std::size_t to) {
    for (const auto& [row, gap] : gaps_between(s, from, to)) {
      gaps_.push_back(gap);
    }
    // Over midnight, a clock alone goes back by most of a day.
    text::clock_time_reader times = times_of(s, from);
    for (std::size_t row = 0; row < s.rows.size() && !is_clock_; ++row) {
      const auto when = world::time_in_field(
          times, s.rows[row][from], s.separator, world::time_unit_of(s.names[from]));
      is_clock_ = when && !when->has_date && !when->is_number;
    }
    std::ranges::sort(gaps_);
  }

  [[nodiscard]] std::size_t rows() const { return gaps_.size(); }
  [[nodiscard]] sim_duration median() const {
    return gaps_.empty() ? sim_duration{} : gaps_[gaps_.size() / 2];
  }
  [[nodiscard]] std::size_t before() const {
    return count([this](sim_duration gap) { return gap < 0s && (!is_clock_ || gap > -12h); });
  }
  [[nodiscard]] std::size_t days_apart() const {
    return count([](sim_duration gap) { return gap > 24h || gap < -24h; });
  }
  [[nodiscard]] bool are_most(std::size_t part) const {
    return rows() >= gaps_min &&
           static_cast<double>(part) >= agreeing * static_cast<double>(rows());
  }

 private:
  [[nodiscard]] std::size_t count(auto is) const {
    return static_cast<std::size_t>(std::ranges::count_if(gaps_, is));
  }

  std::vector<sim_duration> gaps_;
  bool is_clock_ = false;
};

class times_guess {
 public:
  times_guess(const file_sample& s,
              const world::zone_map& zones,
              const std::set<std::size_t>& dates,
              request_file& found)
      : s_(s), zones_(zones), dates_(dates), found_(found) {}

  ride_times find() {
    at_.time = column_for(s_, column_kind::time, trip_end::from, zones_, dates_);
    if (!at_.time) {
      return at_;
    }
    find_start();
    find_end();
    if (at_.from_time == at_.time || !at_.to_time) {
      at_.from_time.reset();
    }
    look_at_plans();
    return at_;
  }

 private:
  /// A request lies days before its ride only where its time is something else, as when the row
  /// was stored.
  void find_start() {
    std::set<std::size_t> ruled_out = dates_;
    while (true) {
      others_ = written_otherwise(s_, *at_.time);
      others_.insert(dates_.begin(), dates_.end());
      at_.from_time = column_for(s_, column_kind::start, trip_end::from, zones_, others_);
      if (!at_.from_time || at_.from_time == at_.time) {
        return;
      }
      const times_apart apart(s_, *at_.time, *at_.from_time);
      if (!apart.are_most(apart.days_apart())) {
        return;
      }
      ruled_out.insert(*at_.time);
      const auto next = column_for(s_, column_kind::time, trip_end::from, zones_, ruled_out);
      const bool is_start = !next || next == at_.from_time;
      found_.doubts.push_back(fmt::format(
          "{} lies more than a day from {} in {} of {} rows, so it is no time of a request: {}",
          shown_column(s_, *at_.time),
          shown_column(s_, *at_.from_time),
          apart.days_apart(),
          apart.rows(),
          is_start ? "rides are asked for when they begin"
                   : "that is rather " + shown_column(s_, *next)));
      at_.time = is_start ? at_.from_time : next;
    }
  }

  /// What lies before the beginning is no end. Where nothing else is one, a drop-off stays it, for
  /// its rows are wrong; but an arrival was at the door.
  void find_end() {
    const std::size_t start = at_.from_time.value_or(*at_.time);
    std::set<std::size_t> ruled_out = others_;
    std::optional<std::size_t> first;
    while (const auto end = column_for(s_, column_kind::time, trip_end::to, zones_, ruled_out)) {
      const times_apart apart(s_, start, *end);
      if (!apart.are_most(apart.before())) {
        at_.to_time = end;
        return;
      }
      ruled_out.insert(*end);
      if (!is_bare_arrival(s_.names[*end])) {
        first = first ? first : end;
        continue;
      }
      found_.doubts.push_back(
          fmt::format("{} lies before {} in {} of {} rows, so no trip ends there",
                      shown_column(s_, *end),
                      shown_column(s_, start),
                      apart.before(),
                      apart.rows()));
    }
    at_.to_time = first;
  }

  /// Who books for later is not looked for a driver at once, as a rule.
  void look_at_plans() {
    constexpr sim_duration at_once = 10min;
    for (std::size_t i = 0; i < s_.names.size(); ++i) {
      const bool is_start = fit_of(s_.names[i], column_kind::start, trip_end::from) > 0 ||
                            fit_of(s_.names[i], column_kind::time, trip_end::from) > 2;
      if (i == *at_.time || others_.contains(i) || !is_start || !is_planned(s_.names[i])) {
        continue;
      }
      const times_apart apart(s_, *at_.time, i);
      if (apart.rows() >= gaps_min && apart.median() >= at_once) {
        found_.doubts.push_back(fmt::format(
            "rides are asked for at {}, half of them {} or more before {}: a driver is sought from "
            "then on. `columns: {{time: {}}}` seeks one when the ride is wanted",
            shown_column(s_, *at_.time),
            text::print_duration(apart.median() / 1min * sim_duration{1min}),
            shown_column(s_, i),
            s_.names[i]));
      }
    }
  }

  const file_sample& s_;
  const world::zone_map& zones_;
  const std::set<std::size_t>& dates_;
  request_file& found_;
  ride_times at_;
  std::set<std::size_t> others_;
};

}  // namespace

ride_times times_of_ride(const file_sample& s,
                         const world::zone_map& zones,
                         const std::set<std::size_t>& dates,
                         request_file& found) {
  return times_guess(s, zones, dates, found).find();
}

bool ends_at_door(const file_sample& s, const ride_times& at, std::size_t length) {
  if (!is_bare_arrival(s.names[*at.to_time])) {
    return false;
  }
  std::vector<sim_duration> lengths;
  for (const auto& row : s.rows) {
    if (const auto read = world::length_in_field(
            row[length], s.separator, world::length_unit_of(s.names[length]))) {
      lengths.push_back(*read);
    }
  }
  const times_apart apart(s, at.from_time.value_or(*at.time), *at.to_time);
  if (apart.rows() < gaps_min || lengths.size() < gaps_min) {
    return false;
  }
  std::ranges::sort(lengths);
  return 2 * apart.median() < lengths[lengths.size() / 2];
}

}  // namespace dibs::scenario
