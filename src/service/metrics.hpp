/// What the service counts of itself, as a page for Prometheus.
#pragma once

#include "service/service.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace dibs::service {

class metrics {
 public:
  /// One call of a route that was answered, and how long that took.
  void count(const std::string& route, int status, double seconds);
  [[nodiscard]] std::string page(const gauges& now) const;

  static constexpr std::array bounds_s{0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5};

 private:
  mutable std::mutex lock_;
  std::map<std::pair<std::string, int>, std::uint64_t> calls_;
  std::array<std::uint64_t, bounds_s.size() + 1> by_length_{};
  double seconds_ = 0;
};

}  // namespace dibs::service
