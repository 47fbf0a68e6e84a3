#include "check/mend_cost.hpp"

#include "check/transplant.hpp"
#include "check/weighing.hpp"

#include <algorithm>
#include <utility>

namespace dibs::check {
namespace {

double sure(const incidents::paired_change& c) {
  const double doubt = 100 * c.change.half_width();
  return std::max(points(c) - doubt, 0.0);
}

}  // namespace

double cost_seen(const tried_mend& m) { return sure(m.service) + sure(m.hidden) + sure(m.missed); }

const std::vector<std::string>& figures_of_changes() {
  static const std::vector<std::string> names{"accepts.missed_rate", "pickup.mean"};
  return names;
}

result<mend_cost> cost_of(const study& of, const mend& m) {
  auto mended = changed(of.mine, m.set);
  const auto base = of.runs.of(of.mine, m.feature);
  if (!mended || !base) {
    return tl::unexpected<error>(mended ? base.error() : mended.error());
  }
  const auto runs = of.runs.of(*mended, m.feature);
  if (!runs) {
    return tl::unexpected<error>(runs.error());
  }
  mend_cost c{.mended = std::move(*mended),
              .told = {.what = m, .service = {}, .hidden = {}, .missed = {}, .waits = {}}};
  row probe;
  weigh(probe, **runs, **base, {});
  c.breaks = probe.outcome == incidents::incident_outcome::breaks;
  for (const incidents::paired_change& each :
       incidents::judge(**runs, **base, figures_of_changes()).all) {
    if (each.metric == "rides.match_rate") {
      c.told.service = each;
    } else if (each.metric == "supply.hidden_share") {
      c.told.hidden = each;
    } else if (each.metric == "accepts.missed_rate") {
      c.told.missed = each;
    } else if (each.metric == "ttm.p90") {
      c.told.waits = each;
    }
  }
  return c;
}

}  // namespace dibs::check
