#include "text/clock_time.hpp"

#include "text/trimmed.hpp"

#include <fmt/format.h>

#include <time.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>

namespace dibs::text {
namespace {

constexpr sim_duration day_length = 24h;
constexpr double since_1970_from = 1e8;

struct style {
  const char* text;
  bool has_date;
  bool ends_in_seconds;

  /// A date with slashes that ends in its year: by convention the month or the day is first.
  [[nodiscard]] bool is_slashed() const {
    return text[0] == '%' && text[2] == '/' && text[1] != 'Y';
  }
  [[nodiscard]] bool is_in(clock_time_reader::slashes order) const {
    return !is_slashed() || (text[1] == 'd') == (order == clock_time_reader::slashes::day_first);
  }
};

/// The longer before what it begins with.
constexpr std::array styles{
    style{"%Y-%m-%d %H:%M:%S", true, true},      style{"%Y-%m-%dT%H:%M:%S", true, true},
    style{"%Y-%m-%d %H:%M", true, false},        style{"%Y-%m-%dT%H:%M", true, false},
    style{"%m/%d/%Y %I:%M:%S %p", true, false},  style{"%m/%d/%Y %I:%M %p", true, false},
    style{"%m/%d/%Y %H:%M:%S", true, true},      style{"%m/%d/%Y %H:%M", true, false},
    style{"%m/%d/%y %I:%M:%S %p", true, false},  style{"%m/%d/%y %I:%M %p", true, false},
    style{"%m/%d/%y %H:%M:%S", true, true},      style{"%m/%d/%y %H:%M", true, false},
    style{"%d/%m/%Y %I:%M:%S %p", true, false},  style{"%d/%m/%Y %I:%M %p", true, false},
    style{"%d/%m/%Y %H:%M:%S", true, true},      style{"%d/%m/%Y %H:%M", true, false},
    style{"%d/%m/%y %I:%M:%S %p", true, false},  style{"%d/%m/%y %I:%M %p", true, false},
    style{"%d/%m/%y %H:%M:%S", true, true},      style{"%d/%m/%y %H:%M", true, false},
    style{"%Y/%m/%d %H:%M:%S", true, true},      style{"%Y/%m/%d %H:%M", true, false},
    style{"%d.%m.%Y %H:%M:%S", true, true},      style{"%d.%m.%Y %H:%M", true, false},
    style{"%Y-%m-%d %I:%M:%S %p", true, false},  style{"%Y-%m-%d %I:%M %p", true, false},
    style{"%Y%m%d %H:%M:%S", true, true},        style{"%Y%m%d %H:%M", true, false},
    style{"%Y%m%dT%H%M%S", true, true},          style{"%Y%m%d %H%M%S", true, true},
    style{"%d-%b-%Y %I:%M:%S %p", true, false},  style{"%d-%b-%Y %I:%M %p", true, false},
    style{"%d-%b-%Y %H:%M:%S", true, true},      style{"%d-%b-%Y %H:%M", true, false},
    style{"%d-%b-%y %H:%M:%S", true, true},      style{"%d-%b-%y %H:%M", true, false},
    style{"%d %b %Y %H:%M:%S", true, true},      style{"%d %b %Y %H:%M", true, false},
    style{"%b %d, %Y %I:%M:%S %p", true, false}, style{"%b %d, %Y %I:%M %p", true, false},
    style{"%b %d, %Y %H:%M:%S", true, true},     style{"%b %d, %Y %H:%M", true, false},
    style{"%I:%M:%S %p", false, false},          style{"%I:%M %p", false, false},
};

clock_time of_day(sim_duration since_midnight, std::int64_t day, bool has_date) {
  const std::int64_t days = since_midnight / day_length;
  return {.day = day + days,
          .time_of_day = since_midnight - days * day_length,
          .has_date = has_date,
          .is_number = false};
}

std::optional<clock_time> read_style(const std::string& text, const style& s);

/// `20150115070010` and `201501150700`: as milliseconds since 1970 they are of 2608 and of 1976.
std::optional<clock_time> read_digits(std::string_view text) {
  const bool has_seconds = text.size() == 14;
  if ((!has_seconds && text.size() != 12) ||
      text.find_first_not_of("0123456789") != std::string_view::npos ||
      (!text.starts_with("19") && !text.starts_with("20"))) {
    return std::nullopt;
  }
  return read_style(std::string(text),
                    {has_seconds ? "%Y%m%d%H%M%S" : "%Y%m%d%H%M", true, has_seconds});
}

std::optional<clock_time> read_number(std::string_view text) {
  double number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  // Written so that a NaN fails.
  if (status != std::errc() || end != text.data() + text.size() ||
      !(number >= 0 && number < 9e18)) {
    return std::nullopt;
  }
  if (number < since_1970_from) {
    clock_time t = of_day(sim_duration{std::llround(number * 1e9)}, 0, false);
    t.is_number = true;
    return t;
  }
  // Whole numbers beyond 2^53 are no doubles: they are read as they stand.
  auto whole = static_cast<std::int64_t>(number);
  const double rest = number - std::floor(number);
  if (text.find_first_of("eE") == std::string_view::npos) {
    std::from_chars(text.data(), end, whole);
  }
  const std::int64_t unit_ns = number < 1e11   ? 1'000'000'000
                               : number < 1e14 ? 1'000'000
                               : number < 1e17 ? 1'000
                                               : 1;
  if (number * static_cast<double>(unit_ns) > 9.2e18) {
    return std::nullopt;  // after 2261
  }
  return of_day(
      sim_duration{whole * unit_ns + std::llround(rest * static_cast<double>(unit_ns))}, 0, true);
}

/// `.5` and the like at the front, which it takes away.
std::optional<sim_duration> take_fraction(std::string_view& rest) {
  if (rest.empty() || (rest[0] != '.' && rest[0] != ',')) {
    return sim_duration{0};
  }
  std::int64_t ns = 0;
  std::int64_t unit = 100'000'000;
  std::size_t digits = 1;
  for (; digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9'; ++digits) {
    ns += (rest[digits] - '0') * unit;
    unit /= 10;
  }
  rest.remove_prefix(digits);
  return digits > 1 ? std::optional(sim_duration{ns}) : std::nullopt;
}

/// Nothing, `Z`, `UTC`, `+01`, `-0500`, `+05:30`.
bool is_zone(std::string_view rest) {
  rest = trimmed(rest);
  if (rest.empty() || rest == "Z" || rest == "UTC" || rest == "GMT") {
    return true;
  }
  if (rest[0] != '+' && rest[0] != '-') {
    return false;
  }
  std::string digits;
  for (const char c : rest.substr(1)) {
    if (c >= '0' && c <= '9') {
      digits += c;
    } else if (c != ':' || digits.size() != 2) {
      return false;
    }
  }
  return digits.size() == 2 || digits.size() == 4;
}

std::optional<clock_time> read_style(const std::string& text, const style& s) {
  tm found{};
  const char* const end = ::strptime(text.c_str(), s.text, &found);
  if (end == nullptr) {
    return std::nullopt;
  }
  std::string_view rest(end);
  const auto fraction = s.ends_in_seconds ? take_fraction(rest) : sim_duration{0};
  if (!fraction || !is_zone(rest) || found.tm_sec > 59) {
    return std::nullopt;
  }
  std::int64_t day = 0;
  if (s.has_date) {
    using namespace std::chrono;
    const year_month_day date{year{found.tm_year + 1900},
                              month{static_cast<unsigned>(found.tm_mon + 1)},
                              std::chrono::day{static_cast<unsigned>(found.tm_mday)}};
    if (!date.ok() || found.tm_year < 0) {
      return std::nullopt;
    }
    day = sys_days{date}.time_since_epoch().count();
  }
  return of_day(std::chrono::hours{found.tm_hour} + std::chrono::minutes{found.tm_min} +
                    std::chrono::seconds{found.tm_sec} + *fraction,
                day,
                s.has_date);
}

/// `7:05`, `07:05:09.5`, and hours beyond the day, which strptime refuses.
std::optional<clock_time> read_hours(std::string_view text) {
  constexpr int hours_max = 24 * 366;
  const auto take = [&text](int max) -> std::optional<int> {
    int n = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), n);
    const auto digits = static_cast<std::size_t>(end - text.data());
    if (status != std::errc() || n < 0 || n > max || digits == 0) {
      return std::nullopt;
    }
    text.remove_prefix(digits);
    return n;
  };
  const auto colon = [&text] {
    const bool is_there = text.size() > 2 && text[0] == ':';
    text.remove_prefix(is_there ? 1 : 0);
    return is_there;
  };
  const auto hours = take(hours_max);
  const auto minutes = hours && colon() ? take(59) : std::nullopt;
  if (!minutes) {
    return std::nullopt;
  }
  // Without seconds a fraction is none of minutes: `43:12.0`, as spreadsheets write, lacks its
  // hour.
  const bool has_seconds = colon();
  const auto seconds = has_seconds ? take(59) : std::optional(0);
  const auto fraction = !seconds      ? std::nullopt
                        : has_seconds ? take_fraction(text)
                                      : std::optional(sim_duration{0});
  if (!fraction || !is_zone(text)) {
    return std::nullopt;
  }
  return of_day(std::chrono::hours{*hours} + std::chrono::minutes{*minutes} +
                    std::chrono::seconds{*seconds} + *fraction,
                0,
                false);
}

unsigned day_of_month(std::int64_t day) {
  using namespace std::chrono;
  return static_cast<unsigned>(year_month_day{sys_days{days{static_cast<int>(day)}}}.day());
}

}  // namespace

std::optional<clock_time> clock_time_reader::read(std::string_view text) {
  text = trimmed(text);
  // A date may begin with the name of its month.
  if (text.empty() || std::isalnum(static_cast<unsigned char>(text[0])) == 0) {
    return std::nullopt;
  }
  if (const auto digits = read_digits(text)) {
    return digits;
  }
  if (const auto number = read_number(text)) {
    return number;
  }
  if (const auto hours = read_hours(text)) {
    return hours;
  }
  buffer_ = text;
  for (std::size_t tried = 0; tried < styles.size(); ++tried) {
    const std::size_t which = (last_ + tried) % styles.size();
    const style& s = styles[which];
    const auto found = s.is_in(how_) ? read_style(buffer_, s) : std::nullopt;
    if (found) {
      has_read_slashes_ = has_read_slashes_ || s.is_slashed();
      has_met_this_order_ =
          has_met_this_order_ || (s.is_slashed() && day_of_month(found->day) > 12);
      last_ = which;
      return found;
    }
  }
  has_met_other_order_ =
      has_met_other_order_ || std::ranges::any_of(styles, [this](const style& s) {
        return !s.is_in(how_) && read_style(buffer_, s);
      });
  return std::nullopt;
}

std::string text_of_day(std::int64_t day, bool has_date) {
  if (!has_date) {
    return fmt::format("day {}", day + 1);
  }
  const std::chrono::year_month_day date{
      std::chrono::sys_days{std::chrono::days{static_cast<int>(day)}}};
  return fmt::format("{:04}-{:02}-{:02}",
                     static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

}  // namespace dibs::text
