// The rides of a batch that are looked at together.

#include "match/search_machine.hpp"

#include <algorithm>
#include <utility>

namespace dibs::match {

// The first whose timer is due takes the others along; their timers then fire into nothing.
void search_machine::try_batch(turn& t, ride_search& p) {
  if (p.batch == 0) {
    try_next(t, p);  // it has waited for something else than a batch
    return;
  }
  const std::int64_t due = p.batch;
  std::vector<ride_id> rides;
  for (const auto& [ride, each] : searches_) {
    if (each.stage == search_stage::idle && each.batch != 0 && each.batch <= due &&
        each.tries < rules_->matching.offers.max) {
      rides.push_back(ride);
    }
  }
  std::sort(rides.begin(), rides.end());
  std::erase_if(rides, [&](ride_id r) {
    ride_search& each = *find(r);
    each.batch = 0;
    each.enter(search_stage::idle);
    return !has_zone(t, each);
  });
  t.add(find_drivers{std::move(rides)});
}

const ride_search* search_machine::in_batch(ride_id r) const {
  const auto found = searches_.find(r);
  return found != searches_.end() && found->second.stage == search_stage::idle ? &found->second
                                                                               : nullptr;
}

void search_machine::found(turn& t, const found_driver& one) {
  if (in_batch(one.ride) != nullptr) {
    found(t, *find(one.ride), one.driver, one.version);
  }
}

}  // namespace dibs::match
