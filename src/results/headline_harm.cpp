#include "results/headline_harm.hpp"

#include "base/ensure.hpp"
#include "metrics/catalogue.hpp"

#include <algorithm>

namespace dibs::results {
namespace {

using metrics::harm_kind;

bool is_measured(harm_kind kind, const scenario::incident_options& about) {
  return std::any_of(about.harms.begin(), about.harms.end(), [&](const std::string& metric) {
    return metrics::harm_of(metric) == kind;
  });
}

}  // namespace

std::size_t headline_harm(const std::vector<metrics::harm_case>& harms,
                          const scenario::incident_options& about) {
  ensure(!harms.empty(), "what tells most is one of some harms");
  if (harms.front().kind == harm_kind::double_commit) {
    return 0;
  }
  const auto found = std::find_if(harms.begin(), harms.end(), [&](const metrics::harm_case& n) {
    return is_measured(n.kind, about);
  });
  return found == harms.end() ? 0 : static_cast<std::size_t>(found - harms.begin());
}

}  // namespace dibs::results
