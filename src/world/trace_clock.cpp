#include "world/trace_clock.hpp"

#include "text/plural.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

namespace dibs::world {
namespace {

std::string shown_offset(sim_duration ahead) {
  if (ahead == 0s) {
    return "UTC";
  }
  const std::int64_t minutes = std::abs(ahead / sim_duration{1min});
  return fmt::format("{}{:02}:{:02}", ahead < 0s ? '-' : '+', minutes / 60, minutes % 60);
}

/// How far apart numbers are that have so many digits behind their point, as `1.42121E+12`: of
/// seconds or parts of them since 1970.
sim_duration step_of_scientific(std::string_view field, std::size_t digits) {
  int exponent = 0;
  const std::size_t e = field.find_first_of("eE");
  std::string_view power = field.substr(e + 1);
  power.remove_prefix(power.starts_with('+') ? 1 : 0);
  std::from_chars(power.data(), power.data() + power.size(), exponent);
  const int second = exponent < 11 ? 0 : exponent < 14 ? 3 : exponent < 17 ? 6 : 9;
  double step_s = 1;
  for (int power_of_ten = exponent - static_cast<int>(digits) - second; power_of_ten > 0;
       --power_of_ten) {
    step_s *= 10;
  }
  return sim_duration{std::llround(std::min(step_s, 1e9) * 1e9)};
}

bool is_scientific(std::string_view field) {
  const std::size_t e = field.find_first_of("eE");
  return e != std::string_view::npos &&
         field.find_first_not_of("0123456789.eE+ ") == std::string_view::npos;
}

}  // namespace

trace_clock::trace_clock(const trace_columns& columns, sim_duration shift, const how_times_are& how)
    : columns_(columns),
      shift_(shift),
      how_(how),
      unit_(how.are_days ? days_since_1900 : time_unit_of(columns.time)),
      times_(how.order, how.digits),
      dates_(how.order) {}

const std::string& trace_clock::name_of(time_column column) const {
  return column == time_column::time      ? columns_.time
         : column == time_column::to_time ? columns_.to_time
                                          : columns_.from_time;
}

std::optional<text::clock_time> trace_clock::read(time_column column,
                                                  std::string_view field,
                                                  char separator) {
  const auto when = time_in_field(times_, field, separator, unit_);
  if (!when) {
    return std::nullopt;
  }
  const std::int64_t other = when->has_date ? times_.other_day() : when->day;
  days_more_[static_cast<std::size_t>(column)] = other - when->day;
  if (column == time_column::time) {
    look_at_written(field, *when);
    if (when->has_date) {
      order_.look_at_day(when->day, other);
    }
  }
  return shifted(brought(column, *when));
}

std::optional<text::clock_time> trace_clock::read_on(std::string_view date,
                                                     std::string_view field,
                                                     char separator) {
  auto when = time_in_field(times_, field, separator, unit_);
  if (!when || when->has_date) {
    return when ? read(time_column::time, field, separator) : std::nullopt;
  }
  const auto day = date.find(':') == std::string_view::npos
                       ? dates_.read(std::string(date) + " 00:00")
                       : dates_.read(date);
  if (!day || !day->has_date) {
    return std::nullopt;
  }
  look_at_written(field, *when);
  const std::int64_t more = dates_.other_day() - day->day;
  days_more_[static_cast<std::size_t>(time_column::time)] = more;
  when->day += day->day;
  when->has_date = true;
  when->is_number = false;
  order_.look_at_day(when->day, when->day + more);
  return shifted(brought(time_column::time, *when));
}

void trace_clock::look_at_written(std::string_view field, const text::clock_time& when) {
  constexpr std::size_t ways_max = 5;
  if (how_.digits == text::digit_form::count) {
    evidence_.look_at(field);
  } else if (first_digits_.empty()) {
    first_digits_ = shown_field(field);
  }
  const auto same = std::ranges::find(ways_, times_.way(), &way::number);
  if (same != ways_.end()) {
    ++same->rows;
  } else if (ways_.size() < ways_max) {
    ways_.push_back({times_.way(), 1, shown_field(field)});
  }
  if (!when.is_number) {
    ++of_hour_[static_cast<std::size_t>(when.time_of_day / sim_duration{1h})];
  }
  if (when.has_date && is_scientific(field)) {
    if (scientific_++ == 0) {
      first_scientific_ = shown_field(field);
    }
    const std::size_t point = std::min(field.find('.'), field.size() - 1);
    const std::size_t e = field.find_first_of("eE");
    scientific_digits_ = std::max(scientific_digits_, e > point ? e - point - 1 : 0);
  }
}

text::clock_time trace_clock::brought(time_column column, text::clock_time when) {
  if (!when.offset) {
    return when;
  }
  first_offset_ = first_offset_.value_or(*when.offset);
  const sim_duration more = *first_offset_ - *when.offset;
  if (more >= -1h && more <= 1h) {
    return when;
  }
  ++brought_[{column, *when.offset}];
  const sim_duration since = when.time_of_day + more;
  const std::int64_t days = since < 0s ? -1 : since / sim_duration{24h};
  when.day += days;
  when.time_of_day = since - days * sim_duration{24h};
  when.offset = first_offset_;
  return when;
}

/// By the city's clock.
text::clock_time trace_clock::shifted(text::clock_time t) const {
  const sim_duration since = t.time_of_day + shift_;
  const auto days = static_cast<std::int64_t>(std::floor(in_seconds(since) / in_seconds(24h)));
  t.day += days;
  t.time_of_day = since - days * sim_duration{24h};
  return t;
}

void trace_clock::look_at_length(time_column from_column,
                                 const text::clock_time& from,
                                 const text::clock_time& to) {
  const sim_duration length = between(from, to);
  const std::int64_t more = days_more_[static_cast<std::size_t>(time_column::to_time)] -
                            days_more_[static_cast<std::size_t>(from_column)];
  order_.look_at_length(length, length + more * sim_duration{24h});
}

text::digit_form trace_clock::digits() const {
  return unit_.may_be_days ? evidence_.form() : text::digit_form::count;
}

void trace_clock::note_zones(std::uint64_t rows, std::vector<std::string>& into) const {
  for (const auto& [where, count] : brought_) {
    into.push_back(
        fmt::format("{} of {} rows have their time in `{}` in the zone {}, where the first has {}: "
                    "they are brought to {}",
                    count,
                    rows,
                    name_of(where.first),
                    shown_offset(where.second),
                    shown_offset(*first_offset_),
                    shown_offset(*first_offset_)));
  }
}

void trace_clock::note_unit(bool has_numbers, std::vector<std::string>& into) const {
  const std::string& name = columns_.time;
  if (how_.digits != text::digit_form::count) {
    into.push_back(
        fmt::format("the digits in `{}` are read as {}, as {}, since they fit in each row: call it "
                    "`{}_s` if they count seconds",
                    name,
                    text::words_of(how_.digits),
                    first_digits_,
                    name));
  } else if (unit_.is_days) {
    into.push_back(
        fmt::format("the times in `{}` are read as days since 1900, as spreadsheets count: as "
                    "seconds since midnight they would all lie close together; call it `{}_s` if "
                    "they are seconds",
                    name,
                    name));
  } else if (unit_.one != 1s && has_numbers) {
    into.push_back(
        fmt::format("the numbers in `{}` are read as {} since midnight, by the column's name",
                    name,
                    unit_.name));
  }
}

void trace_clock::note_form(std::vector<std::string>& into) const {
  constexpr std::uint64_t times_min = 50;
  if (ways_.size() > 1) {
    std::vector<std::string> each;
    for (const way& w : ways_) {
      each.push_back(fmt::format("{} as {}", text::plural(w.rows, "row"), w.first));
    }
    into.push_back(fmt::format("the times in `{}` are written in {} ways: {}",
                               columns_.time,
                               ways_.size(),
                               fmt::join(each, ", ")));
  }
  const std::uint64_t all = std::accumulate(of_hour_.begin(), of_hour_.end(), std::uint64_t{0});
  const auto in_use = [](std::uint64_t rows) { return rows > 0; };
  const bool are_of_half = std::all_of(of_hour_.begin() + 1, of_hour_.begin() + 13, in_use) &&
                           std::none_of(of_hour_.begin() + 13, of_hour_.end(), in_use) &&
                           of_hour_[0] == 0;
  if (all >= times_min && are_of_half && !times_.has_read_halves()) {
    into.push_back(
        fmt::format("no time in `{}` is before 01:00 or after 12:59, and each hour between has "
                    "some: is it a clock of 12 hours that lacks AM and PM?",
                    columns_.time));
  }
  const sim_duration step =
      scientific_ == 0 ? 0s : step_of_scientific(first_scientific_, scientific_digits_);
  if (2 * scientific_ > all && step > 1s) {
    into.push_back(fmt::format(
        "the times in `{}` are cut to {} digits, as {}, so that they lie {} apart: write the "
        "column as whole numbers",
        columns_.time,
        scientific_digits_ + 1,
        first_scientific_,
        text::print_duration(step)));
  }
}

std::vector<std::string> trace_clock::notes(std::uint64_t rows, bool has_numbers) const {
  std::vector<std::string> all;
  note_unit(has_numbers, all);
  note_zones(rows, all);
  note_form(all);
  return all;
}

}  // namespace dibs::world
