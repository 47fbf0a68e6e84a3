/// Quantities that can be reckoned with: numbers, and times, distances and the like with their
/// unit.
///
/// Times are in nanoseconds, so that sums and differences of the times that people write are exact.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dibs::text {

enum class dimension : std::uint8_t { number, time, distance, speed, rate, drift };

struct dimensioned_value {
  double value = 0;  ///< in ns, m, m/s, /s or ppm
  dimension what = dimension::number;
  bool may_be_minutes = false;  ///< written as `5m`, which is 5 metres unless it meets a time
};

/// `15s`, `400m`, `60%` (the number 0.6), `3/h`, `1.5`; nothing if the text is no quantity.
[[nodiscard]] std::optional<dimensioned_value> parse_dimensioned(std::string_view text);

/// As `--set` takes it: `12s`, `0.6`. Requires: a finite value.
[[nodiscard]] std::string format_dimensioned(const dimensioned_value& a);

/// "a time": for diagnostics.
[[nodiscard]] std::string_view noun_of(dimension d);

/// Takes what was written as `5m` for minutes where the other one is a time. Whether both are then
/// of one dimension.
[[nodiscard]] bool unify_dimensions(dimensioned_value& a, dimensioned_value& b);

}  // namespace dibs::text
