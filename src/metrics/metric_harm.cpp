#include "metrics/metric_harm.hpp"

#include <algorithm>
#include <array>

namespace dibs::metrics {
namespace {

struct measured {
  std::string_view by;  ///< what the metric's name begins with
  harm_kind kind;
};
constexpr std::array all_measured{measured{"double.commits", harm_kind::double_commit},
                                  measured{"double.rides", harm_kind::double_commit},
                                  measured{"promises.", harm_kind::broken_promise},
                                  measured{"confirms.stale", harm_kind::stale_confirm},
                                  measured{"double.accepts", harm_kind::double_accept},
                                  measured{"accepts.", harm_kind::lost_accept},
                                  measured{"double.offers", harm_kind::double_offer},
                                  measured{"supply.starved", harm_kind::starved_ride},
                                  measured{"supply.hidden", harm_kind::hiding_lease},
                                  measured{"leases.zombie", harm_kind::hiding_lease},
                                  measured{"leases.overhang", harm_kind::hiding_lease},
                                  measured{"leases.phantom", harm_kind::hiding_lease}};

}  // namespace

std::optional<harm_kind> harm_behind(std::string_view metric) {
  const auto found = std::find_if(all_measured.begin(), all_measured.end(), [&](const measured& m) {
    return metric.starts_with(m.by);
  });
  return found == all_measured.end() ? std::nullopt : std::optional(found->kind);
}

}  // namespace dibs::metrics
