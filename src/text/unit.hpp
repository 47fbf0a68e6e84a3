/// What a figure is counted in.
#pragma once

#include <cstdint>
#include <string_view>

namespace dibs::text {

enum class unit : std::uint8_t {
  count,
  share,     ///< a fraction; shown in per cent
  ratio,     ///< dimensionless, may pass 1
  seconds,   ///< a length of time; shown as `7.2 s`
  driver_s,  ///< driver-seconds
  rider_s,
  per_hour,
};

/// `driver-s`: a unit in tables for programs.
[[nodiscard]] std::string_view name_of(unit u);

}  // namespace dibs::text
