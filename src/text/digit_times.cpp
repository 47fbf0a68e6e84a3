#include "text/digit_times.hpp"

#include "text/trimmed.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <chrono>

namespace dibs::text {
namespace {

/// Fewer values say nothing: of dates, of times with their leading zeros, and of those without.
constexpr std::uint64_t dates_min = 3;
constexpr std::uint64_t padded_min = 10;
constexpr std::size_t different_min = 20;

std::string_view whole(std::string_view text) {
  text = trimmed(text);
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

/// Takes so many digits from the back; 0 if there are none.
int take_back(std::string_view& digits, std::size_t count) {
  const std::size_t there = std::min(count, digits.size());
  int number = 0;
  const std::string_view back = digits.substr(digits.size() - there);
  std::from_chars(back.data(), back.data() + back.size(), number);
  digits.remove_suffix(there);
  return number;
}

struct shape {
  std::size_t digits_min;
  std::size_t digits_max;
  bool has_minutes;
  bool has_seconds;
  std::size_t year_digits;  ///< 0: no date
};

constexpr shape shape_of(digit_form form) {
  switch (form) {
    case digit_form::hours_minutes:
      return {1, 4, true, false, 0};
    case digit_form::hours_minutes_seconds:
      return {1, 6, true, true, 0};
    case digit_form::date_hours:
      return {10, 10, false, false, 4};
    case digit_form::date_minutes:
      return {12, 12, true, false, 4};
    case digit_form::short_date_minutes:
      return {10, 10, true, false, 2};
    case digit_form::short_date_seconds:
      return {12, 12, true, true, 2};
    case digit_form::count:
      break;
  }
  return {1, 0, false, false, 0};
}

constexpr std::array forms_read{digit_form::date_minutes,
                                digit_form::date_hours,
                                digit_form::short_date_seconds,
                                digit_form::short_date_minutes,
                                digit_form::hours_minutes,
                                digit_form::hours_minutes_seconds};

/// The first that fits.
constexpr std::array told{digit_form::date_hours,
                          digit_form::short_date_seconds,
                          digit_form::short_date_minutes,
                          digit_form::hours_minutes,
                          digit_form::hours_minutes_seconds};

}  // namespace

bool are_digits(std::string_view text) {
  const std::string_view digits = whole(text);
  return !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<clock_time> read_digits_as(std::string_view text, digit_form form) {
  std::string_view digits = whole(text);
  const shape s = shape_of(form);
  if (!are_digits(text) || digits.size() < s.digits_min || digits.size() > s.digits_max) {
    return std::nullopt;
  }
  const int seconds = s.has_seconds ? take_back(digits, 2) : 0;
  const int minutes = s.has_minutes ? take_back(digits, 2) : 0;
  const int hours = take_back(digits, 2);
  if (seconds > 59 || minutes > 59 || hours > 23) {
    return std::nullopt;
  }
  clock_time when{.day = 0,
                  .time_of_day = std::chrono::hours{hours} + std::chrono::minutes{minutes} +
                                 std::chrono::seconds{seconds},
                  .has_date = s.year_digits > 0,
                  .is_number = false,
                  .offset = std::nullopt};
  if (s.year_digits > 0) {
    using namespace std::chrono;
    const auto day_of_month = static_cast<unsigned>(take_back(digits, 2));
    const auto month_of_year = static_cast<unsigned>(take_back(digits, 2));
    const int written = take_back(digits, s.year_digits);
    const int of_century = s.year_digits == 2 ? 2000 + written : written;
    const year_month_day date{year{of_century}, month{month_of_year}, day{day_of_month}};
    if (!date.ok() || of_century < 1900 || of_century > 2099) {
      return std::nullopt;
    }
    when.day = sys_days{date}.time_since_epoch().count();
  }
  return when;
}

void digit_evidence::look_at(std::string_view field) {
  const std::string_view digits = whole(field);
  if (digits.empty()) {
    return;
  }
  ++values_;
  if (!are_digits(digits)) {
    return;
  }
  shortest_ = std::min(shortest_, digits.size());
  longest_ = std::max(longest_, digits.size());
  with_zero_ += digits.size() > 1 && digits[0] == '0' ? 1U : 0U;
  if (different_.size() < different_min) {
    different_.emplace(digits);
  }
  for (const digit_form form : forms_read) {
    if (const auto when = read_digits_as(digits, form)) {
      fitting& f = as_[static_cast<std::size_t>(form)];
      ++f.values;
      f.hours |= std::uint64_t{1} << static_cast<unsigned>(when->time_of_day / sim_duration{1h});
      f.minutes |= std::uint64_t{1} << static_cast<unsigned>(when->time_of_day % sim_duration{1h} /
                                                             sim_duration{1min});
    }
  }
}

bool digit_evidence::fit(digit_form form) const {
  const shape s = shape_of(form);
  const fitting& f = as_[static_cast<std::size_t>(form)];
  return longest_ <= s.digits_max && 100 * f.values >= 99 * values_;
}

bool digit_evidence::is_told(digit_form form) const {
  constexpr int hours_min = 3;
  constexpr int minutes_min = 5;
  const fitting& f = as_[static_cast<std::size_t>(form)];
  const bool is_many = different_.size() >= different_min && std::popcount(f.hours) >= hours_min &&
                       std::popcount(f.minutes) >= minutes_min;
  switch (form) {
    case digit_form::date_hours:
      return values_ >= dates_min;
    case digit_form::short_date_seconds:
      return values_ >= dates_min && !fit(digit_form::date_minutes);
    case digit_form::hours_minutes:
    case digit_form::hours_minutes_seconds: {
      const std::size_t digits = shape_of(form).digits_max;
      const bool is_padded = shortest_ == digits && with_zero_ > 0 && values_ >= padded_min;
      return is_padded || (is_many && longest_ + 1 >= digits);
    }
    default:
      return is_many;
  }
}

digit_form digit_evidence::form() const {
  const auto found = std::ranges::find_if(
      told, [this](digit_form form) { return values_ > 0 && fit(form) && is_told(form); });
  return found == told.end() ? digit_form::count : *found;
}

const char* words_of(digit_form form) {
  switch (form) {
    case digit_form::hours_minutes:
      return "hours and minutes";
    case digit_form::hours_minutes_seconds:
      return "hours, minutes and seconds";
    case digit_form::date_hours:
      return "years, months, days and hours";
    case digit_form::date_minutes:
    case digit_form::short_date_minutes:
      return "years, months, days, hours and minutes";
    case digit_form::short_date_seconds:
      return "years, months, days, hours, minutes and seconds";
    case digit_form::count:
      break;
  }
  return "a count";
}

}  // namespace dibs::text
