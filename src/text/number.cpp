#include "text/number.hpp"

#include "stats/confidence_interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace dibs::text {
namespace {

/// The decimal exponent of a value rounded to so many significant digits: 9.996 has 1.
int exponent_of(double value, int digits) {
  const std::string text = fmt::format("{:.{}e}", value, digits - 1);
  return std::atoi(text.c_str() + text.find('e') + 1);
}

int decimals_for(double value, int digits) {
  if (value == 0) {
    return 0;
  }
  const int wanted = digits - 1 - exponent_of(value, digits);
  return wanted < 0 ? 0 : wanted;
}

std::string with_separators(std::string text) {
  const std::size_t from = text.starts_with('-') ? 1 : 0;
  std::size_t at = text.find('.');
  if (at == std::string::npos) {
    at = text.size();
  }
  while (at > from + 3) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

/// How a unit is shown: its factor and what stands behind the number.
struct scale {
  double factor = 1;
  std::string_view suffix;
};

scale scale_of(double value, text::unit unit) {
  const double size = std::fabs(value);
  switch (unit) {
    case text::unit::count:
    case text::unit::ratio:
      return {};
    case text::unit::share:
      return {100, " %"};
    case text::unit::seconds:
      if (size >= 1 || size == 0) {
        return {1, " s"};
      }
      return size >= 1e-3 ? scale{1e3, " ms"} : scale{1e6, " us"};
    case text::unit::driver_s:
      return size >= 36'000 ? scale{1.0 / 3600, " driver-h"} : scale{1, " driver-s"};
    case text::unit::rider_s:
      return size >= 36'000 ? scale{1.0 / 3600, " rider-h"} : scale{1, " rider-s"};
    case text::unit::per_hour:
      return {1, "/h"};
  }
  return {};
}

/// Two digits of the half width; more of the value would claim what the interval denies.
int decimals_beside(double half_width, double value) {
  constexpr int most = 9;
  return std::min(half_width > 0 ? decimals_for(half_width, 2) : decimals_for(value, 3), most);
}

/// `100.0` and `0.00` would say what is not so: add digits until they do not.
std::string honest_share(double percent, int digits) {
  std::string text = significant(percent, digits);
  while (percent < 100 && percent > 99 && std::strtod(text.c_str(), nullptr) >= 100 &&
         digits < 15) {
    text = decimal(percent, ++digits - 3);
  }
  return percent == 100 ? "100" : text;
}

std::string in_points(std::string text, text::unit unit) {
  constexpr std::string_view per_cent = " %";
  if (unit == text::unit::share && text.ends_with(per_cent)) {
    text.replace(text.size() - per_cent.size(), per_cent.size(), " points");
  }
  return text;
}

std::string shown_within(double value, double half_width, const scale& s, const std::string& sign) {
  const int decimals = decimals_beside(half_width * s.factor, value * s.factor);
  return fmt::format("{} {} {}{}",
                     decimal(value * s.factor, decimals),
                     sign,
                     decimal(half_width * s.factor, decimals),
                     s.suffix);
}

}  // namespace

std::string with_thousands(std::uint64_t n) { return with_separators(fmt::format("{}", n)); }

std::string decimal(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.starts_with('-') && text.find_first_of("123456789") == std::string::npos) {
    text.erase(0, 1);
  }
  return with_separators(text);
}

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) {
    return std::isnan(value) ? "undefined" : (value > 0 ? "infinite" : "-infinite");
  }
  // 15e9 ns are 15.000000000000002 s: what a unit's factor adds is no digit of the figure.
  if (std::fabs(value) < 1e15 && std::fabs(value - std::round(value)) <= 1e-12 * std::fabs(value)) {
    return decimal(value, 0);
  }
  if (std::fabs(value) < 1e-6) {
    return fmt::format("{:.{}e}", value, digits - 1);
  }
  return decimal(value, decimals_for(value, digits));
}

std::string duration(double seconds) {
  const double size = std::fabs(seconds);
  if (size < 119.95) {
    const scale s = scale_of(seconds, unit::seconds);
    return significant(seconds * s.factor) + std::string(s.suffix);
  }
  const auto whole = static_cast<std::uint64_t>(std::llround(size));
  const std::uint64_t hours = whole / 3600;
  const std::uint64_t minutes = whole % 3600 / 60;
  const std::uint64_t rest = whole % 60;
  std::string text = seconds < 0 ? "-" : "";
  if (hours > 0) {
    text += with_thousands(hours) + " h";
  }
  if (minutes > 0) {
    text += fmt::format("{}{} min", hours > 0 ? " " : "", minutes);
  }
  if (rest > 0) {
    text += fmt::format(" {} s", rest);
  }
  return text;
}

std::string duration(sim_duration length) {
  return length == forever ? "for ever" : duration(in_seconds(length));
}

std::string with_si_prefix(double value) {
  if (value < 10'000) {
    return decimal(value, 0);
  }
  if (value < 999'500) {
    return significant(value / 1e3) + " k";
  }
  return value < 999.5e6 ? significant(value / 1e6) + " M" : significant(value / 1e9) + " G";
}

std::string bytes(std::uint64_t n) {
  if (n < 1024) {
    return fmt::format("{} bytes", n);
  }
  auto value = static_cast<double>(n) / 1024;
  const char* unit = "KiB";
  for (const char* next : {"MiB", "GiB", "TiB", "PiB"}) {
    if (value < 1000) {
      break;
    }
    value /= 1024;
    unit = next;
  }
  return significant(value) + " " + unit;
}

std::string file_size(std::uint64_t n) {
  if (n < 1000) {
    return fmt::format("{} bytes", n);
  }
  auto value = static_cast<double>(n) / 1000;
  const char* unit = "kB";
  for (const char* next : {"MB", "GB", "TB"}) {
    if (value < 999.5) {
      break;
    }
    value /= 1000;
    unit = next;
  }
  return significant(value) + " " + unit;
}

std::string format_value(double value, text::unit unit, int digits) {
  if (!std::isfinite(value)) {
    return significant(value);
  }
  if (unit == text::unit::seconds && std::fabs(value) >= 119.95 && digits == 3) {
    return duration(value);
  }
  const scale s = scale_of(value, unit);
  const double scaled = value * s.factor;
  const std::string number =
      unit == text::unit::share ? honest_share(scaled, digits) : significant(scaled, digits);
  return number + std::string(s.suffix);
}

std::string format_value(double value,
                         const stats::margins& reach,
                         text::unit unit,
                         const std::string& sign) {
  // Above 0 there is only the one side.
  const double half = value == 0 ? reach.above : reach.half_width();
  if (!std::isfinite(value) || !std::isfinite(half)) {
    return format_value(value, unit);
  }
  const scale s = scale_of(value, unit);
  const int decimals = decimals_beside(half * s.factor, value * s.factor);
  // One unit of the last digit apart is what rounding may do.
  const double last_digit = std::pow(10.0, -decimals) / s.factor;
  if (std::fabs(reach.above - reach.below) <= 2 * last_digit) {
    return shown_within(value, half, s, sign);
  }
  const auto text = [&](double x) { return x == 0 ? "0" : decimal(x * s.factor, decimals); };
  return fmt::format(
      "{} ({}..{}){}", text(value), text(value - reach.below), text(value + reach.above), s.suffix);
}

std::string format_value(const stats::estimate& e, text::unit unit, const std::string& sign) {
  return e.half_width() > 0 ? format_value(e.value, *e.margin, unit, sign)
                            : format_value(e.value, unit);
}

std::string shown_difference(double difference, text::unit unit) {
  return in_points(format_value(difference, unit), unit);
}

std::string format_difference(double of,
                              const stats::estimate& difference,
                              text::unit unit,
                              const std::string& sign) {
  const double half = difference.half_width();
  if (!difference.margin || !std::isfinite(difference.value) || !std::isfinite(half)) {
    return shown_difference(difference.value, unit);
  }
  if (difference.margin->lopsided) {
    return in_points(format_value(difference.value, *difference.margin, unit, sign), unit);
  }
  const scale s = scale_of(unit == text::unit::seconds ? difference.value : of, unit);
  return in_points(shown_within(difference.value, half, s, sign), unit);
}

std::string exact_seconds(sim_duration length) {
  const std::int64_t ns = length.count();
  const auto size = ns < 0 ? 0 - static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  constexpr std::uint64_t second = 1'000'000'000;
  std::string text = fmt::format("{}{}", ns < 0 ? "-" : "", size / second);
  if (size % second != 0) {
    text += fmt::format(".{:09}", size % second);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text;
}

}  // namespace dibs::text
