/// How measurements of one figure lie apart, in words.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace dibs::cli {

/// `noise`: of so many measurements, as a share of their median. One says nothing of it.
[[nodiscard]] inline std::string noise_text(double noise, std::size_t measurements) {
  return measurements < 2 ? "-" : fmt::format("{:.0f} %", 100 * noise);
}

}  // namespace dibs::cli
