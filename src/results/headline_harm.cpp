#include "results/headline_harm.hpp"

#include "base/ensure.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace dibs::report {
namespace {

using metrics::harm;

struct measured {
  std::string_view by;  ///< what the metric's name begins with
  harm kind;
};
constexpr std::array all_measured{measured{"double.commits", harm::double_commit},
                                  measured{"double.rides", harm::double_commit},
                                  measured{"promises.", harm::broken_promise},
                                  measured{"confirms.stale", harm::stale_confirm},
                                  measured{"double.accepts", harm::double_accept},
                                  measured{"accepts.", harm::lost_accept},
                                  measured{"double.offers", harm::double_offer},
                                  measured{"supply.starved", harm::starved_ride},
                                  measured{"supply.hidden", harm::hiding_lease},
                                  measured{"leases.zombie", harm::hiding_lease},
                                  measured{"leases.overhang", harm::hiding_lease},
                                  measured{"leases.phantom", harm::hiding_lease}};

bool is_measured(harm kind, const scenario::incident_options& about) {
  return std::any_of(all_measured.begin(), all_measured.end(), [&](const measured& m) {
    const auto is_by_it = [&](const std::string& metric) { return metric.starts_with(m.by); };
    return m.kind == kind && std::any_of(about.harms.begin(), about.harms.end(), is_by_it);
  });
}

}  // namespace

std::size_t most_telling(const std::vector<metrics::notable>& harms,
                         const scenario::incident_options& about) {
  ensure(!harms.empty(), "what tells most is one of some harms");
  if (harms.front().kind == harm::double_commit) {
    return 0;
  }
  const auto found = std::find_if(harms.begin(), harms.end(), [&](const metrics::notable& n) {
    return is_measured(n.kind, about);
  });
  return found == harms.end() ? 0 : static_cast<std::size_t>(found - harms.begin());
}

}  // namespace dibs::report
