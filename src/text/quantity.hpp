/// Numbers and quantities as people write them: `15s`, `3km`, `60%`, `0.05/s`.
///
/// Exact for durations (whole nanoseconds) and correctly rounded for the rest; the same on every
/// machine. Nothing is taken for something else: a leading zero (octal to some readers), `1:30`
/// (sexagesimal), a missing unit, NaN and infinity are refused. What is printed reads back equal.
#pragma once

#include "base/time.hpp"
#include "text/parse_error.hpp"

#include <tl/expected.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dibs::text {

template <class T>
using parse_result = tl::expected<T, parse_error>;

/// A unit of a real quantity: value = number * times / over.
struct unit_factor {
  std::string_view name;
  double times = 1;
  double over = 1;
};

/// A family of units; the first is the one that values are kept and printed in.
struct unit_family {
  std::string_view noun;     ///< "a distance"
  std::string_view example;  ///< "400m"
  std::span<const unit_factor> units;
};

[[nodiscard]] const unit_family& distances();     ///< in m
[[nodiscard]] const unit_family& speeds();        ///< in m/s
[[nodiscard]] const unit_family& rates();         ///< in /s
[[nodiscard]] const unit_family& hourly_rates();  ///< in /h
[[nodiscard]] const unit_family& drifts();        ///< in ppm
[[nodiscard]] const unit_family& shares();        ///< fractions: `60%` or 0.6

[[nodiscard]] parse_result<sim_duration> read_duration(std::string_view text);
[[nodiscard]] parse_result<double> read_quantity(std::string_view text, const unit_family& family);
/// A plain number.
[[nodiscard]] parse_result<double> read_real(std::string_view text);
/// A whole number from 0 up to 2^64 - 1.
[[nodiscard]] parse_result<std::uint64_t> read_whole(std::string_view text);

[[nodiscard]] std::string print_duration(sim_duration d);
[[nodiscard]] std::string print_real(double x);
[[nodiscard]] std::string print_quantity(double x, const unit_family& family);

/// Regular expressions for the JSON schema.
[[nodiscard]] std::string duration_pattern(bool may_be_negative);
[[nodiscard]] std::string quantity_pattern(const unit_family& family, bool may_be_negative);

/// Whether other YAML readers take an unquoted text for a truth value, a number, a date or nothing.
[[nodiscard]] bool looks_like_no_text(std::string_view text);

}  // namespace dibs::text
