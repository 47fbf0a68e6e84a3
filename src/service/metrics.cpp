#include "service/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dibs::service {
namespace {

std::string titled(const char* name, const char* type, const char* help) {
  return fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

}  // namespace

void metrics::count(const std::string& route, int status, double seconds) {
  const auto* const bound = std::lower_bound(bounds_s.begin(), bounds_s.end(), seconds);
  const std::lock_guard held(lock_);
  ++calls_[{route, status}];
  ++by_length_.at(static_cast<std::size_t>(bound - bounds_s.begin()));
  seconds_ += seconds;
}

std::string metrics::page(const gauges& now) const {
  std::string page =
      titled("dibs_service_leases", "gauge", "Leases by state.") +
      fmt::format("dibs_service_leases{{state=\"active\"}} {}\n", now.leases_active) +
      titled("dibs_service_tasks", "gauge", "Tasks by state.") +
      fmt::format("dibs_service_tasks{{state=\"waiting\"}} {}\n", now.tasks_waiting) +
      fmt::format("dibs_service_tasks{{state=\"taken\"}} {}\n", now.tasks_taken) +
      titled("dibs_service_last_token", "counter", "The greatest token that was given.") +
      fmt::format("dibs_service_last_token {}\n", now.last_token) +
      titled("dibs_service_requests_total", "counter", "Calls that were answered.");
  const std::lock_guard held(lock_);
  for (const auto& [what, times] : calls_) {
    page += fmt::format("dibs_service_requests_total{{route=\"{}\",status=\"{}\"}} {}\n",
                        what.first,
                        what.second,
                        times);
  }
  page += titled("dibs_service_request_seconds", "histogram", "How long an answer took.");
  std::uint64_t so_far = 0;
  for (std::size_t i = 0; i < bounds_s.size(); ++i) {
    so_far += by_length_.at(i);
    page += fmt::format(
        "dibs_service_request_seconds_bucket{{le=\"{}\"}} {}\n", bounds_s.at(i), so_far);
  }
  so_far += by_length_.back();
  page += fmt::format("dibs_service_request_seconds_bucket{{le=\"+Inf\"}} {}\n", so_far);
  page += fmt::format("dibs_service_request_seconds_sum {}\n", seconds_);
  return page + fmt::format("dibs_service_request_seconds_count {}\n", so_far);
}

}  // namespace dibs::service
