#include "metrics/metric_harm.hpp"

#include <algorithm>
#include <array>

namespace dibs::metrics {
namespace {

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

}  // namespace

std::optional<harm> harm_behind(std::string_view metric) {
  const auto found = std::find_if(all_measured.begin(), all_measured.end(), [&](const measured& m) {
    return metric.starts_with(m.by);
  });
  return found == all_measured.end() ? std::nullopt : std::optional(found->kind);
}

}  // namespace dibs::metrics
