/// Numbers as people read them: thousands separated, three significant digits, a unit.
///
/// A figure is always shown by the same function, so it reads the same wherever it appears. What is
/// not zero never shows as zero, and a share below one never shows as 100 %.
#pragma once

#include "base/time.hpp"
#include "stats/estimate.hpp"
#include "text/unit.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dibs::text {

/// `1,234,567`
[[nodiscard]] std::string with_thousands(std::uint64_t n);

/// `1,234.50`, `-0.25`. Requires: value is finite.
[[nodiscard]] std::string decimal(double value, int decimals);

/// With three significant digits, or more where `digits` says so: `0.0512`, `31.4`, `12,346`.
[[nodiscard]] std::string significant(double value, int digits = 3);

/// A length of time: `340 us`, `12.5 ms`, `7.24 s`, `12 min 5 s`, `2 h 20 min`.
[[nodiscard]] std::string duration(double seconds);
[[nodiscard]] std::string duration(sim_duration length);

/// Exactly, in decimal: `900`, `0.25`.
[[nodiscard]] std::string exact_seconds(sim_duration length);

/// `1.23 M`: for rates, where three digits are plenty.
[[nodiscard]] std::string with_si_prefix(double value);

/// `23.5 GiB`
[[nodiscard]] std::string bytes(std::uint64_t n);

/// `2.49 MB`, in thousands of thousands, as files are counted.
[[nodiscard]] std::string file_size(std::uint64_t n);

/// A metric in its unit: `1.21 %`, `7.24 s`, `1,234 driver-s`.
[[nodiscard]] std::string format_value(double value, text::unit unit, int digits = 3);

/// The same with an interval: `1.21 ± 0.08 %`, or `57.0 (49.1..57.4) s` where its sides differ in
/// the digits shown. `sign` is the text for ±.
[[nodiscard]] std::string format_value(double value,
                                       const stats::margins& reach,
                                       text::unit unit,
                                       const std::string& sign);

/// The same, without an interval where there is none or it has no width.
[[nodiscard]] std::string format_value(const stats::estimate& e,
                                       text::unit unit,
                                       const std::string& sign);

/// A difference: as a figure, but shares differ by points, so that nobody takes `0.3 points` for a
/// part of the figure: `0.3 points`, `-1.21 ± 0.08 points`.
[[nodiscard]] std::string shown_difference(double difference, text::unit unit);

/// The same with its interval if there is one: in the unit of figures as large as `of`, so that
/// both can stand in one row; of times in its own, as they are shown in hours, minutes and seconds,
/// and so of what is lopsided.
[[nodiscard]] std::string format_difference(double of,
                                            const stats::estimate& difference,
                                            text::unit unit,
                                            const std::string& sign);

}  // namespace dibs::text
