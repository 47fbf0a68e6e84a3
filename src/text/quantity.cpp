#include "text/quantity.hpp"

#include "text/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace dibs::text {

namespace {

constexpr std::array<unit_factor, 2> distance_units{{{"m", 1, 1}, {"km", 1000, 1}}};
constexpr std::array<unit_factor, 2> speed_units{{{"m/s", 1, 1}, {"km/h", 1, 3.6}}};
constexpr std::array<unit_factor, 3> rate_units{{{"/s", 1, 1}, {"/min", 1, 60}, {"/h", 1, 3600}}};
constexpr std::array<unit_factor, 3> hourly_units{{{"/h", 1, 1}, {"/min", 60, 1}, {"/s", 3600, 1}}};
constexpr std::array<unit_factor, 1> drift_units{{{"ppm", 1, 1}}};
constexpr std::array<unit_factor, 2> share_units{{{"", 1, 1}, {"%", 1, 100}}};

struct time_unit {
  std::string_view name;
  std::int64_t nanoseconds = 0;
};

constexpr std::array<time_unit, 7> time_units{{{"h", 3'600'000'000'000},
                                               {"min", 60'000'000'000},
                                               {"m", 60'000'000'000},
                                               {"s", 1'000'000'000},
                                               {"ms", 1'000'000},
                                               {"us", 1'000},
                                               {"ns", 1}}};

/// A decimal number at the front of a text, in parts, and what follows it.
struct decimal_number {
  bool negative = false;
  std::string_view whole;
  std::string_view fraction;
  std::string_view exponent;  ///< with its sign; empty if none
  std::string_view number;    ///< all of it
  std::string_view rest;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t digits_from(std::string_view text, std::size_t i) {
  std::size_t n = 0;
  while (i + n < text.size() && is_digit(text[i + n])) {
    ++n;
  }
  return n;
}

std::optional<decimal_number> split(std::string_view text) {
  decimal_number d;
  std::size_t i = 0;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    d.negative = text[0] == '-';
    i = 1;
  }
  const std::size_t whole = digits_from(text, i);
  if (whole == 0) {
    return std::nullopt;
  }
  d.whole = text.substr(i, whole);
  i += whole;
  if (i < text.size() && text[i] == '.') {
    const std::size_t fraction = digits_from(text, i + 1);
    if (fraction == 0) {
      return std::nullopt;
    }
    d.fraction = text.substr(i + 1, fraction);
    i += 1 + fraction;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    const std::size_t sign = i + 1 < text.size() && (text[i + 1] == '-' || text[i + 1] == '+');
    const std::size_t digits = digits_from(text, i + 1 + sign);
    if (digits > 0) {
      d.exponent = text.substr(i + 1, sign + digits);
      i += 1 + sign + digits;
    }
  }
  d.number = text.substr(0, i);
  d.rest = text.substr(i);
  return d;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

/// NaN and infinity in the spellings of YAML and C.
bool is_not_finite(std::string_view text) {
  std::string t = lower(text);
  if (!t.empty() && (t[0] == '-' || t[0] == '+')) {
    t.erase(0, 1);
  }
  if (!t.empty() && t[0] == '.') {
    t.erase(0, 1);
  }
  return t == "nan" || t == "inf" || t == "infinity";
}

bool has_leading_zero(const decimal_number& d) { return d.whole.size() > 1 && d.whole[0] == '0'; }

std::string without_spaces(std::string_view text) {
  std::string out(text);
  std::erase(out, ' ');
  return out;
}

std::string got(std::string_view text) { return fmt::format(" (got {})", display_text(text)); }

parse_error no_quantity(std::string_view text, std::string_view noun, std::string_view example) {
  if (is_not_finite(text)) {
    return {"E-RANGE",
            fmt::format("expected {} that is finite, such as {}", noun, example) + got(text),
            "where there may be no end, the field has a word for it, such as `never`"};
  }
  return {"E-TYPE", fmt::format("expected {} such as {}", noun, example) + got(text)};
}

parse_error leading_zero(std::string_view text) {
  return {"E-TYPE",
          "expected a number without a leading zero" + got(text),
          "some readers take a leading zero for base 8; write it without"};
}

std::string unit_list(const unit_family& family) {
  std::string out;
  for (const unit_factor& u : family.units) {
    if (!u.name.empty()) {
      out += (out.empty() ? "" : ", ") + std::string(u.name);
    }
  }
  return out;
}

parse_result<double> to_double(std::string_view number) {
  if (number.starts_with('+')) {
    number.remove_prefix(1);
  }
  double value = 0;
  const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (problem == std::errc::result_out_of_range || !std::isfinite(value)) {
    return tl::unexpected(parse_error{"E-RANGE", "must fit a floating-point number" + got(number)});
  }
  return value;
}

__extension__ typedef unsigned __int128 wide;

parse_error too_long(std::string_view text) {
  return {"E-RANGE", "must fit 64 bits of nanoseconds, 292 years" + got(text)};
}

parse_error too_fine(std::string_view text) {
  return {"E-RANGE", "must be a whole number of nanoseconds" + got(text)};
}

/// The digits of a decimal without zeros at either end, and the power of ten they are worth.
struct scaled_digits {
  std::string digits;
  std::int64_t power = 0;
};

scaled_digits digits_of(const decimal_number& d) {
  scaled_digits s;
  s.digits = std::string(d.whole) + std::string(d.fraction);
  // An exponent of more than a few digits leaves the range whatever its value is.
  std::int64_t exponent = 0;
  for (const char c : d.exponent) {
    exponent = is_digit(c) ? std::min<std::int64_t>(exponent * 10 + (c - '0'), 1'000'000) : 0;
  }
  s.power = (d.exponent.starts_with('-') ? -exponent : exponent) -
            static_cast<std::int64_t>(d.fraction.size());
  while (!s.digits.empty() && s.digits.back() == '0') {
    s.digits.pop_back();
    ++s.power;
  }
  s.digits.erase(0, std::min(s.digits.find_first_not_of('0'), s.digits.size()));
  return s;
}

/// number * 10^power * unit, exactly, in nanoseconds.
parse_result<sim_duration> to_duration(const decimal_number& d,
                                       std::int64_t unit,
                                       std::string_view text) {
  scaled_digits s = digits_of(d);
  if (s.digits.empty()) {
    return sim_duration{0};
  }
  // 24 digits times an hour stay below 2^127; more digits are beyond 64 bits or below 1 ns.
  constexpr std::size_t digits_max = 24;
  constexpr std::int64_t zeros_max = 19;
  const wide largest = static_cast<wide>(forever.count()) - 1;
  if (s.digits.size() > digits_max) {
    return tl::unexpected(s.power < 0 ? too_fine(text) : too_long(text));
  }
  wide value = 0;
  for (const char c : s.digits) {
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  value *= static_cast<wide>(unit);
  for (; s.power < 0; ++s.power) {
    if (value % 10 != 0) {
      return tl::unexpected(too_fine(text));
    }
    value /= 10;
  }
  if (s.power > zeros_max) {
    return tl::unexpected(too_long(text));
  }
  for (; s.power > 0 && value <= largest; --s.power) {
    value *= 10;
  }
  if (value > largest) {
    return tl::unexpected(too_long(text));
  }
  const auto count = static_cast<std::int64_t>(value);
  return sim_duration{d.negative ? -count : count};
}

}  // namespace

const unit_family& distances() {
  static constexpr unit_family family{"a distance", "400m", distance_units};
  return family;
}

const unit_family& speeds() {
  static constexpr unit_family family{"a speed", "18km/h", speed_units};
  return family;
}

const unit_family& rates() {
  static constexpr unit_family family{"a rate", "0.05/s", rate_units};
  return family;
}

const unit_family& hourly_rates() {
  static constexpr unit_family family{"a rate", "3/h", hourly_units};
  return family;
}

const unit_family& drifts() {
  static constexpr unit_family family{"a drift", "200ppm", drift_units};
  return family;
}

const unit_family& shares() {
  static constexpr unit_family family{"a share", "60%", share_units};
  return family;
}

parse_result<sim_duration> read_duration(std::string_view text) {
  const std::optional<decimal_number> d = split(text);
  if (!d) {
    return tl::unexpected(no_quantity(text, "a duration", "15s"));
  }
  if (d->rest.empty()) {
    return tl::unexpected(parse_error{"E-UNIT",
                                      "expected a duration with its unit" + got(text),
                                      fmt::format("{}s or {}ms?", text, text)});
  }
  if (has_leading_zero(*d)) {
    return tl::unexpected(leading_zero(text));
  }
  for (const time_unit& u : time_units) {
    if (u.name == d->rest) {
      return to_duration(*d, u.nanoseconds, text);
    }
  }
  const std::string closed = without_spaces(text);
  return tl::unexpected(parse_error{
      "E-UNIT",
      "expected one number and one unit of ns, us, ms, s, m (or min), h" + got(text),
      d->rest.starts_with(':')                  ? "minutes and seconds as one number: 1:30 is 90s"
      : closed != text && read_duration(closed) ? fmt::format("without a space: {}", closed)
                                                : ""});
}

parse_result<double> read_quantity(std::string_view text, const unit_family& family) {
  const std::optional<decimal_number> d = split(text);
  if (!d) {
    return tl::unexpected(no_quantity(text, family.noun, family.example));
  }
  const auto u = std::find_if(family.units.begin(),
                              family.units.end(),
                              [&](const unit_factor& known) { return known.name == d->rest; });
  if (u == family.units.end()) {
    const std::string closed = without_spaces(text);
    return tl::unexpected(
        parse_error{"E-UNIT",
                    fmt::format("expected {} in {}", family.noun, unit_list(family)) + got(text),
                    closed != text && read_quantity(closed, family)
                        ? fmt::format("without a space: {}", closed)
                        : fmt::format("such as {}", family.example)});
  }
  if (has_leading_zero(*d)) {
    return tl::unexpected(leading_zero(text));
  }
  return to_double(d->number).map([&](double x) { return x * u->times / u->over; });
}

parse_result<double> read_real(std::string_view text) {
  const std::optional<decimal_number> d = split(text);
  if (!d || !d->rest.empty()) {
    return tl::unexpected(no_quantity(text, "a number", "1.5"));
  }
  if (has_leading_zero(*d)) {
    return tl::unexpected(leading_zero(text));
  }
  return to_double(d->number);
}

parse_result<std::uint64_t> read_whole(std::string_view text) {
  const std::optional<decimal_number> d = split(text);
  if (!d || !d->rest.empty() || !d->fraction.empty() || !d->exponent.empty()) {
    return tl::unexpected(no_quantity(text, "a whole number", "4"));
  }
  if (has_leading_zero(*d)) {
    return tl::unexpected(leading_zero(text));
  }
  std::uint64_t value = 0;
  const auto [end, problem] =
      std::from_chars(d->whole.data(), d->whole.data() + d->whole.size(), value);
  if (problem != std::errc{}) {
    return tl::unexpected(parse_error{"E-RANGE", "must fit 64 bits" + got(text)});
  }
  if (d->negative && value > 0) {
    return tl::unexpected(parse_error{"E-RANGE", "must not be negative" + got(text)});
  }
  return value;
}

std::string print_duration(sim_duration d) {
  const std::int64_t count = d.count();
  if (count == 0) {
    return "0s";
  }
  for (const time_unit& u : time_units) {
    if (u.name != "m" && count % u.nanoseconds == 0) {
      return fmt::format("{}{}", count / u.nanoseconds, u.name);
    }
  }
  return fmt::format("{}ns", count);
}

std::string print_real(double x) {
  // Without an exponent where people would write none; the shortest that reads back equal.
  const bool is_everyday = x == 0 || (std::abs(x) >= 1e-6 && std::abs(x) < 1e15);
  std::array<char, 64> buffer{};
  char* const last = buffer.data() + buffer.size();
  const auto [end, problem] = is_everyday
                                  ? std::to_chars(buffer.data(), last, x, std::chars_format::fixed)
                                  : std::to_chars(buffer.data(), last, x);
  return {buffer.data(), end};
}

std::string print_quantity(double x, const unit_family& family) {
  return print_real(x) + std::string(family.units.front().name);
}

std::string duration_pattern(bool may_be_negative) {
  return std::string(may_be_negative ? "^[+-]?" : "^[+]?") +
         "(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?(ns|us|ms|s|min|m|h)$";
}

std::string quantity_pattern(const unit_family& family, bool may_be_negative) {
  std::string names;
  for (const unit_factor& u : family.units) {
    if (!u.name.empty()) {
      names += (names.empty() ? "" : "|") + std::string(u.name);
    }
  }
  return std::string(may_be_negative ? "^[+-]?" : "^[+]?") +
         "(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?(" + names + ")$";
}

bool looks_like_no_text(std::string_view text) {
  static constexpr std::array<std::string_view, 10> words{
      "y", "n", "yes", "no", "on", "off", "true", "false", "null", "~"};
  if (std::find(words.begin(), words.end(), lower(text)) != words.end() || is_not_finite(text)) {
    return true;
  }
  // Numbers of any base, sexagesimals (1:30) and dates (2018-11-09): digits and their separators.
  const bool has_digit = std::any_of(text.begin(), text.end(), is_digit);
  return (has_digit && text.find_first_not_of("0123456789+-_.,:eE") == std::string_view::npos) ||
         text.starts_with("0x") || text.starts_with("0o") || text.starts_with("0b");
}

}  // namespace dibs::text
