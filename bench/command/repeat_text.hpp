/// How measurements of one figure lie apart, in words and as JSON.
#pragma once

#include "bench/live/repeats.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

namespace dibs::bench {

/// `noise`: of so many measurements, as a share of their median. One says nothing of it.
[[nodiscard]] inline std::string noise_text(double noise, std::size_t measurements) {
  return measurements < 2 ? "-" : fmt::format("{:.0f} %", 100 * noise);
}

[[nodiscard]] inline nlohmann::ordered_json spread_json(const bench::repeats_summary& s) {
  return {{"median", s.median}, {"least", s.least}, {"most", s.most}};
}

}  // namespace dibs::bench
