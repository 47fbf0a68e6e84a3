#include "world/matrix_times.hpp"

#include "text/csv_number.hpp"
#include "world/request_fields.hpp"

#include <algorithm>
#include <cmath>

namespace dibs::world {

period_numbers numbers_in_name(std::string_view column) {
  const auto words = words_in(column);
  if (std::ranges::find(words, "hhmm") != words.end()) {
    return period_numbers::clock;
  }
  return time_unit_of(column).one == sim_duration{1min} ? period_numbers::minutes
                                                        : period_numbers::hours;
}

std::optional<text::clock_time> matrix_time(text::clock_time_reader& times,
                                            std::string_view field,
                                            char separator,
                                            period_numbers how) {
  const auto at = [](double hours) {
    const sim_duration since{std::llround(hours * in_seconds(1h) * 1e9)};
    return text::clock_time{since / sim_duration{24h}, since % sim_duration{24h}, false, true};
  };
  constexpr double last = 48 * 60;
  const auto number = text::number_in_field(field, separator);
  if (number && *number >= 0 && *number <= last && how == period_numbers::minutes) {
    return at(*number / 60);
  }
  if (number && *number >= 0 && *number <= 4800 && how == period_numbers::clock) {
    const double hours = std::floor(*number / 100);
    const double minutes = *number - 100 * hours;
    return minutes < 60 ? std::optional(at(hours + minutes / 60)) : std::nullopt;
  }
  return number && *number >= 0 && *number <= 24 ? std::optional(at(*number))
                                                 : time_in_field(times, field, separator);
}

void periods_seen::look_at(std::string_view field, char separator) {
  constexpr std::size_t most = 3000;
  if (!are_whole_ || is_blank(field)) {
    return;
  }
  const auto number = text::number_in_field(field, separator);
  are_whole_ = number && *number == std::floor(*number) && *number >= 0 && *number < 1e6 &&
               numbers_.size() < most;
  if (are_whole_) {
    numbers_.insert(static_cast<std::int64_t>(*number));
  }
}

period_numbers periods_seen::telling() const {
  if (!are_whole_ || numbers_.size() < 2 || *numbers_.rbegin() <= 24) {
    return period_numbers::hours;
  }
  const auto all = [this](auto is) { return std::ranges::all_of(numbers_, is); };
  const std::int64_t first = *numbers_.begin();
  const bool may_be_seconds = all([&](std::int64_t n) { return (n - first) % 60 == 0; });
  if (may_be_seconds || !all([](std::int64_t n) { return n % 5 == 0; })) {
    return period_numbers::hours;
  }
  const std::int64_t last = *numbers_.rbegin();
  return last <= 2400 && all([](std::int64_t n) { return n % 100 < 60; }) ? period_numbers::clock
         : last <= 1440                                                   ? period_numbers::minutes
                                                                          : period_numbers::hours;
}

}  // namespace dibs::world
