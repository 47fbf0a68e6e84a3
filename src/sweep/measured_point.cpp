#include "sweep/measured_point.hpp"

#include "results/paired_difference.hpp"

#include <algorithm>

namespace dibs::sweep {

std::optional<stats::estimate> measured_point::find(std::string_view metric) const {
  const auto it = std::ranges::find(estimates, metric, [](const auto& each) { return each.first; });
  return it == estimates.end() ? std::nullopt : std::optional(it->second);
}

measured_point measured(kept_point p, std::span<const results::run_record> runs) {
  measured_point all{.what = std::move(p), .runs = runs.size()};
  for (const results::run_record& r : runs) {
    all.broken += r.violations > 0 ? 1U : 0U;
  }
  for (const std::string& name : results::metric_names()) {
    if (const auto e = results::estimate_of(name, runs)) {
      all.estimates.emplace_back(name, *e);
    }
  }
  return all;
}

result<std::vector<measured_point>> measured_points(const journal& j) {
  const auto points = j.points();
  if (!points) {
    return tl::unexpected<error>(points.error());
  }
  std::vector<measured_point> all;
  for (const kept_point& p : *points) {
    const auto runs = j.runs_of(p.number);
    if (!runs) {
      return tl::unexpected<error>(runs.error());
    }
    all.push_back(measured(p, *runs));
  }
  return all;
}

}  // namespace dibs::sweep
