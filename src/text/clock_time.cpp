#include "text/clock_time.hpp"

#include "text/digit_times.hpp"
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
  [[nodiscard]] bool has_halves() const { return std::string_view(text).ends_with("%p"); }
  /// What it has in front of the hours.
  [[nodiscard]] std::string_view date() const {
    const std::string_view whole(text);
    const std::size_t hours = whole.find_first_of("HI");
    return whole.substr(0, std::max<std::size_t>(hours, 2) - 2);
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
    style{"%d.%m.%y %H:%M:%S", true, true},      style{"%d.%m.%y %H:%M", true, false},
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
          .is_number = false,
          .offset = std::nullopt};
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

struct zone {
  std::optional<sim_duration> offset{};
};

/// Nothing, `Z`, `UTC`, `+01`, `-0500`, `+05:30`, and the names of those of North America and
/// Europe.
std::optional<zone> read_zone(std::string_view rest) {
  constexpr auto named = std::to_array<std::pair<std::string_view, int>>({{"Z", 0},
                                                                          {"UTC", 0},
                                                                          {"GMT", 0},
                                                                          {"EST", -5},
                                                                          {"EDT", -4},
                                                                          {"CST", -6},
                                                                          {"CDT", -5},
                                                                          {"MST", -7},
                                                                          {"MDT", -6},
                                                                          {"PST", -8},
                                                                          {"PDT", -7},
                                                                          {"WET", 0},
                                                                          {"WEST", 1},
                                                                          {"BST", 1},
                                                                          {"CET", 1},
                                                                          {"CEST", 2},
                                                                          {"EET", 2},
                                                                          {"EEST", 3}});
  rest = trimmed(rest);
  if (rest.empty()) {
    return zone{};
  }
  for (const auto& [name, hours] : named) {
    if (rest == name) {
      return zone{std::chrono::hours{hours}};
    }
  }
  if (rest[0] != '+' && rest[0] != '-') {
    return std::nullopt;
  }
  if (rest.ends_with("0000 UTC")) {
    rest.remove_suffix(4);  // "+0000 UTC", as Go writes it
  }
  int digits = 0;
  int number = 0;
  for (const char c : rest.substr(1)) {
    if (c >= '0' && c <= '9' && digits < 4) {
      number = 10 * number + (c - '0');
      ++digits;
    } else if (c != ':' || digits != 2) {
      return std::nullopt;
    }
  }
  if (digits != 2 && digits != 4) {
    return std::nullopt;
  }
  const int hours = digits == 2 ? number : number / 100;
  const int minutes = digits == 2 ? 0 : number % 100;
  const sim_duration ahead = std::chrono::hours{hours} + std::chrono::minutes{minutes};
  return zone{rest[0] == '-' ? -ahead : ahead};
}

std::optional<clock_time> read_style(const std::string& text, const style& s) {
  tm found{};
  const char* const end = ::strptime(text.c_str(), s.text, &found);
  if (end == nullptr) {
    return std::nullopt;
  }
  std::string_view rest(end);
  const auto fraction = s.ends_in_seconds ? take_fraction(rest) : sim_duration{0};
  const auto at = read_zone(rest);
  if (!fraction || !at || found.tm_sec > 59) {
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
  clock_time when = of_day(std::chrono::hours{found.tm_hour} + std::chrono::minutes{found.tm_min} +
                               std::chrono::seconds{found.tm_sec} + *fraction,
                           day,
                           s.has_date);
  when.offset = at->offset;
  return when;
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
  const auto at = read_zone(text);
  if (!fraction || !at) {
    return std::nullopt;
  }
  clock_time when = of_day(std::chrono::hours{*hours} + std::chrono::minutes{*minutes} +
                               std::chrono::seconds{*seconds} + *fraction,
                           0,
                           false);
  when.offset = at->offset;
  return when;
}

/// The day whose month is this one's day, and whose day is this one's month.
std::int64_t exchanged(std::int64_t day) {
  using namespace std::chrono;
  const year_month_day date{sys_days{days{static_cast<int>(day)}}};
  const year_month_day other{date.year(),
                             month{static_cast<unsigned>(date.day())},
                             std::chrono::day{static_cast<unsigned>(date.month())}};
  return other.ok() ? sys_days{other}.time_since_epoch().count() : day;
}

unsigned day_of_month(std::int64_t day) {
  using namespace std::chrono;
  return static_cast<unsigned>(year_month_day{sys_days{days{static_cast<int>(day)}}}.day());
}

/// `14-01-2015, 04:18` as `14/01/2015 04:18`: what stands there after one or two digits, and the
/// comma that some put behind the date. Whether there was such a dash.
bool write_slashes(std::string& text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::size_t first = text.find_first_not_of("0123456789");
  if (first == std::string::npos || first == 0 || first > 2) {
    return false;
  }
  const std::size_t second = text.find_first_not_of("0123456789", first + 1);
  const bool has_dashes = second != std::string::npos && second > first + 1 &&
                          second <= first + 3 && text[first] == '-' && text[second] == '-';
  if (has_dashes) {
    text[first] = '/';
    text[second] = '/';
  }
  const std::size_t comma = text.find(", ");
  if (comma != std::string::npos && comma > 0 && is_digit(text[comma - 1])) {
    text.erase(comma, 1);
  }
  return has_dashes;
}

/// Ways of writing that are no styles.
constexpr int as_digits = -1;
constexpr int as_number = -2;
constexpr int since_1970 = -3;
constexpr int as_hours = -4;

/// The first of those that write the date as this one does.
int way_of(std::size_t style_index, bool has_dashes) {
  const auto same = std::ranges::find_if(
      styles, [&](const style& s) { return s.date() == styles[style_index].date(); });
  return 2 * static_cast<int>(same - styles.begin()) + (has_dashes ? 1 : 0);
}

}  // namespace

sim_duration between(const clock_time& from, const clock_time& to) {
  const sim_duration on_clocks =
      (to.day - from.day) * day_length + to.time_of_day - from.time_of_day;
  return from.offset && to.offset ? on_clocks - (*to.offset - *from.offset) : on_clocks;
}

std::optional<clock_time> clock_time_reader::read(std::string_view text) {
  text = trimmed(text);
  // A date may begin with the name of its month.
  if (text.empty() || std::isalnum(static_cast<unsigned char>(text[0])) == 0) {
    return std::nullopt;
  }
  const auto known = [this](const std::optional<clock_time>& found, int way) {
    if (found) {
      other_day_ = found->day;
      way_ = way;
    }
    return found;
  };
  if (digits_ != digit_form::count && are_digits(text)) {
    return known(read_digits_as(text, digits_), as_digits);
  }
  if (const auto digits = known(read_digits(text), as_digits)) {
    return digits;
  }
  if (const auto number = read_number(text)) {
    return known(number, number->has_date ? since_1970 : as_number);
  }
  if (const auto hours = known(read_hours(text), as_hours)) {
    return hours;
  }
  return read_written(text);
}

std::optional<clock_time> clock_time_reader::read_written(std::string_view text) {
  buffer_ = text;
  const bool has_dashes = write_slashes(buffer_);
  for (std::size_t tried = 0; tried < styles.size(); ++tried) {
    const std::size_t which = (last_ + tried) % styles.size();
    const style& s = styles[which];
    const auto found = s.is_in(how_) ? read_style(buffer_, s) : std::nullopt;
    if (found) {
      has_read_slashes_ = has_read_slashes_ || s.is_slashed();
      has_met_this_order_ =
          has_met_this_order_ || (s.is_slashed() && day_of_month(found->day) > 12);
      has_read_halves_ = has_read_halves_ || s.has_halves();
      other_day_ = s.is_slashed() ? exchanged(found->day) : found->day;
      way_ = way_of(which, has_dashes);
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
