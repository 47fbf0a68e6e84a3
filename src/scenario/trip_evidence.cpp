#include "scenario/trip_evidence.hpp"

#include "text/csv_number.hpp"
#include "text/escape.hpp"
#include "world/matrix_times.hpp"
#include "world/request_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace dibs::scenario {
namespace {

/// Fewer rows tell nothing by what is repeated in them.
constexpr std::size_t telling_rows = 20;

class evidence_weighed {
 public:
  evidence_weighed(const file_sample& s, const count_columns& c) : s_(s), c_(c) {}

  row_evidence weigh() {
    look_at_names();
    look_at_numbers();
    look_at_times();
    look_at_places();
    return std::move(found_);
  }

 private:
  void for_trips(int weight, std::string why) {
    found_.trips += weight;
    found_.of_trips.push_back(std::move(why));
  }

  void for_counts(int weight, std::string why) {
    found_.counts += weight;
    found_.of_counts.push_back(std::move(why));
  }

  [[nodiscard]] std::string name(std::size_t column) const {
    return text::display_text(s_.names[column], 60);
  }

  [[nodiscard]] std::size_t different(std::initializer_list<std::optional<std::size_t>> at) const {
    std::set<std::vector<std::string_view>> all;
    for (const auto& row : s_.rows) {
      std::vector<std::string_view> key;
      for (const auto& column : at) {
        key.emplace_back(column ? std::string_view(row[*column]) : "");
      }
      all.insert(std::move(key));
    }
    return all.size();
  }

  void look_at_names() {
    if (is_count_of_rides(s_.names[*c_.rides])) {
      for_counts(2, fmt::format("{} counts rides by its name", name(*c_.rides)));
    }
    std::string own;
    std::string length;
    for (std::size_t i = 0; i < s_.names.size(); ++i) {
      const bool is_id = is_of_one_trip(s_.names[i]);
      const bool is_long = fit_of(s_.names[i], column_kind::duration, trip_end::from) > 1;
      if (i != *c_.rides && (is_id || is_long)) {
        std::string& first = is_id ? own : length;
        first = first.empty() ? name(i) : first;
      }
    }
    if (!own.empty()) {
      for_trips(3, own + " is one trip's own");
    }
    if (!length.empty()) {
      for_trips(2, length + " is a trip's length");
    }
  }

  void look_at_numbers() {
    double sum = 0;
    std::size_t there = 0;
    std::size_t fractions = 0;
    for (const auto& row : s_.rows) {
      if (const auto number = text::number_in_field(row[*c_.rides], s_.separator)) {
        sum += *number;
        ++there;
        fractions += *number != std::floor(*number) ? 1U : 0U;
      }
    }
    constexpr double many = 10;
    constexpr double some = 2;
    const double mean = there == 0 ? 0 : sum / static_cast<double>(there);
    if (fractions > there / 20) {
      for_counts(3, fmt::format("{} has fractions", name(*c_.rides)));
    } else if (mean > some) {
      for_counts(mean >= many ? 3 : 1,
                 fmt::format("{} is {:.1f} on average", name(*c_.rides), mean));
    }
  }

  /// An instant is a time on no grid.
  void look_at_times() {
    if (!c_.time) {
      for_counts(2, "no row has a time");
      return;
    }
    constexpr sim_duration grid = 5min;
    text::clock_time_reader times = times_of(s_, *c_.time);
    const world::period_numbers how = numbers_of(s_, *c_.time);
    std::size_t off_grid = 0;
    for (const auto& row : s_.rows) {
      const auto when = world::matrix_time(times, row[*c_.time], s_.separator, how);
      off_grid += when && when->time_of_day % grid != sim_duration{0} ? 1U : 0U;
    }
    if (s_.rows.size() >= telling_rows && 10 * off_grid > s_.rows.size()) {
      for_trips(4, fmt::format("{} has instants", name(*c_.time)));
    }
    if (is_hour(s_.names[*c_.time])) {
      for_counts(2, fmt::format("{} is a period by its name", name(*c_.time)));
    } else if (is_of_pickup(s_.names[*c_.time])) {
      for_trips(2, fmt::format("{} is when somebody rode, by its name", name(*c_.time)));
    }
  }

  void look_at_places() {
    const std::size_t rows = s_.rows.size();
    if (rows < telling_rows) {
      return;
    }
    const std::size_t pairs = different({c_.lat, c_.lon, c_.to_lat, c_.to_lon});
    const std::size_t keys = different({c_.lat, c_.lon, c_.to_lat, c_.to_lon, c_.time, c_.date});
    if (50 * keys < 49 * rows) {
      for_trips(2, "one pair comes several times in one period");
    } else if (2 * pairs < rows) {
      for_counts(2, "each pair comes in many periods, once in each");
    }
    if (c_.lat != c_.lon && c_.time && 2 * different({c_.lat, c_.lon}) > rows) {
      for_trips(2, "hardly a pick-up is where another is");
    }
  }

  const file_sample& s_;
  const count_columns& c_;
  row_evidence found_;
};

}  // namespace

row_evidence evidence_in(const file_sample& s, const count_columns& c) {
  return evidence_weighed(s, c).weigh();
}

}  // namespace dibs::scenario
