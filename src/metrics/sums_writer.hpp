/// Enters figures into the report under their names. Callers give whole numbers and nanoseconds;
/// the report holds doubles and seconds.
#pragma once

#include "base/time_interval.hpp"
#include "metrics/metrics.hpp"

#include <concepts>
#include <string>
#include <string_view>

namespace dibs::metrics {

class sums_writer {
 public:
  explicit sums_writer(report& to) : to_(to) {}

  template <std::integral Count>
  void count(std::string_view name, Count n) {
    to_.sums.insert_or_assign(std::string(name), static_cast<double>(n));
  }

  void time(std::string_view name, wide_ns ns) {
    to_.sums.insert_or_assign(std::string(name), static_cast<double>(ns) / 1e9);
  }

  [[nodiscard]] stats::histogram& durations(std::string_view name) {
    return to_.histograms[std::string(name)];
  }

 private:
  report& to_;
};

}  // namespace dibs::metrics
