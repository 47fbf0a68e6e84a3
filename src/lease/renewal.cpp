#include "lease/renewal.hpp"

#include <algorithm>

namespace dibs::lease {
namespace {

double share_of(renewal kind, sim_duration ttl, sim_duration round_trip) {
  switch (kind) {
    case renewal::none:
      return 1;
    case renewal::eager:
      return 0.5;
    case renewal::lazy:
      return 0.9;
    case renewal::adaptive:
      return std::clamp(1 - 3 * in_seconds(round_trip) / in_seconds(ttl), 0.3, 0.7);
  }
  return 1;
}

}  // namespace

void round_trips::add(sim_duration measured) {
  mean_ = has_any_ ? mean_ + (measured - mean_) / 8 : measured;
  has_any_ = true;
}

sim_duration renewal_interval(renewal kind,
                              std::optional<double> at,
                              sim_duration ttl,
                              sim_duration round_trip) {
  if (kind == renewal::none || ttl == forever) {
    return forever;
  }
  const double share = at.value_or(share_of(kind, ttl, round_trip));
  return sim_duration{static_cast<std::int64_t>(static_cast<double>(ttl.count()) * share)};
}

}  // namespace dibs::lease
