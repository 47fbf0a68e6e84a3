// The lease manager's leases on rides, as work for matchers, and on zones of the map.

#include "actors/lease_manager.hpp"

#include <algorithm>

namespace dibs::actors {
namespace {

using events::claim_ending;
using lease::claim_table;

events::zone_mode mode_of(const runtime::context& x, matcher_id m) {
  const auto& options = x.world().options;
  return options.lease.zones->reads(m, options.matchers.count) ? events::zone_mode::read
                                                               : events::zone_mode::write;
}

}  // namespace

// -- rides ---------------------------------------------------------------------------------------

void lease_manager::on(context& x, const claim_ride& m) {
  if (!leads_ || !x.world().options.matchers.claims) {
    return;
  }
  const auto& options = *x.world().options.matchers.claims;
  work& job = work_[m.ride];
  const bool is_lost = m.must_hold && !rides_.holds(m.ride.value, m.holder, x.now());
  if (m.wait <= job.served || is_lost) {
    x.answer(claim_refused{m.ride});
    return;
  }
  job.wait = std::max(job.wait, m.wait);
  const auto outcome = rides_.claim(m.ride.value, m.holder, x.now(), options.ttl);
  const auto* given = std::get_if<claim_table::given>(&outcome);
  if (given == nullptr) {
    x.answer(claim_refused{m.ride});
    return;
  }
  if (!given->renewed) {
    const bool taken_over = given->after && *given->after != m.holder;
    x.publish(events::ride_claimed{m.ride, m.holder, taken_over, given->expires});
  }
  watch_claim(x, m.ride, options.ttl);
  x.answer(claim_given{m.ride});
}

void lease_manager::on(context& x, const claim_done& m) {
  if (m.is_served) {
    work& job = work_[m.ride];
    job.served = std::max(job.served, m.wait);
  }
  if (rides_.release(m.ride.value, m.holder)) {
    x.publish(events::ride_claim_ended{m.ride, m.holder, claim_ending::released});
  }
}

void lease_manager::on(context& x, const claim_due& m) {
  for (const matcher_id holder : rides_.expire(m.ride.value, x.now())) {
    x.publish(events::ride_claim_ended{m.ride, holder, claim_ending::expired});
  }
  const auto orphan = rides_.orphan_of(m.ride.value);
  const std::uint32_t matchers = x.world().options.matchers.count;
  if (!orphan || work_[m.ride].is_done()) {
    return;
  }
  // The next matcher may be down too: ask one after another, until one claims the ride.
  const matcher_id next = rides_.heir_of(*orphan, draws_[m.ride]++, matchers);
  x.send(node_of(next), take_over{m.ride, work_[m.ride].wait});
  watch_claim(x, m.ride, x.world().options.matchers.claims->ttl);
}

void lease_manager::watch_claim(context& x, ride_id r, sim_duration after) {
  x.after(after, claim_due{r});
}

// -- zones ---------------------------------------------------------------------------------------

void lease_manager::on(context& x, const claim_zone& m) {
  if (!leads_ || !x.world().options.lease.zones) {
    return;
  }
  const auto& options = *x.world().options.lease.zones;
  for (const matcher_id holder : zones_.expire(m.zone.value, x.now())) {
    end_zone(x, m.zone, holder);  // its timer is due at this very instant
  }
  const auto mode = mode_of(x, m.holder);
  const auto outcome =
      zones_.claim(m.zone.value, m.holder, x.now(), options.ttl, mode == events::zone_mode::read);
  const auto* given = std::get_if<claim_table::given>(&outcome);
  if (given == nullptr) {
    x.answer(zone_refused{m.zone, std::get<claim_table::taken>(outcome).holder});
    return;
  }
  if (!given->renewed) {
    x.publish(events::zone_granted{m.zone, m.holder, mode, given->expires});
  }
  x.after(options.ttl, zone_due{m.zone});
  x.answer(zone_given{m.zone});
}

void lease_manager::on(context& x, const zone_due& m) {
  for (const matcher_id holder : zones_.expire(m.zone.value, x.now())) {
    end_zone(x, m.zone, holder);
  }
}

void lease_manager::end_zone(context& x, zone_id z, matcher_id holder) {
  x.publish(events::zone_ended{z, holder, mode_of(x, holder), claim_ending::expired});
  for (const auto& due : leases_.pending()) {
    const bool is_under = due.driver.value < zone_of_.size() && zone_of_[due.driver.value] == z;
    if (due.confirmed || due.holder != holder || !is_under) {
      continue;
    }
    if (const auto ended =
            leases_.release(due.driver, due.token, events::lease_ending::zone_lost)) {
      report(x, *ended, true);
    }
  }
  x.send(node_of(holder), zone_over{z});
}

}  // namespace dibs::actors
