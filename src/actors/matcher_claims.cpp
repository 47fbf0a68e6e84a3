// What a matcher holds besides drivers: the rides that it has claimed, the zones that it works in,
// and the line of rides that wait for the next driver to be free.

#include "actors/matcher.hpp"
#include "actors/node_options.hpp"

#include <algorithm>
#include <utility>

namespace dibs::actors {
namespace {

using events::try_ending;
using match::stage;

/// Sets a ride that was taken over apart from one that its rider asked for, in the matcher's draws.
constexpr std::uint32_t taken_over_asks = 1U << 20;

bool only_looks(const runtime::context& x, matcher_id m) {
  return x.world().options.lease.zones->only_looks(m, x.world().options.matchers.count);
}

sim_duration share_of(sim_duration whole, double share) {
  return sim_duration{static_cast<std::int64_t>(static_cast<double>(whole.count()) * share)};
}

}  // namespace

// -- rides as work -------------------------------------------------------------------------------

void matcher::claim(context& x, ride_id r, bool must_hold) {
  const auto& claims = *x.world().options.matchers.claims;
  x.send(the_lease_manager(), claim_ride{r, this_matcher(x), find(r)->wait, must_hold});
  x.after(share_of(claims.ttl, claims.heartbeat), claim_heartbeat_due{r});
}

void matcher::on(context& x, const claim_heartbeat_due& m) {
  if (const pursuit* p = find(m.ride)) {
    claim(x, m.ride, p->is_claimed);
  }
}

void matcher::on(context& x, const claim_given& m) {
  pursuit* p = find(m.ride);
  if (p == nullptr) {
    return;  // done meanwhile, as the manager has been told
  }
  if (p->stage == stage::claiming) {
    write_it(x, *p);
  } else if (!p->is_claimed) {
    p->is_claimed = true;
    pursue(x, *p);
  }
}

void matcher::on(context& x, const claim_refused& m) {
  if (pursuit* p = find(m.ride)) {
    drop(x, *p);
  }
}

void matcher::on(context& x, const take_over& m) {
  if (find(m.ride) == nullptr) {
    begin(x, {m.ride, taken_over_asks, m.wait});
  }
}

void matcher::drop(context& x, pursuit& p) {
  if (p.stage == stage::claiming) {
    give_back(x, p, events::lease_ending::released);
  }
  withdraw(x, p, try_ending::displaced);
  forget(p);
}

// -- zones ---------------------------------------------------------------------------------------

zone_id matcher::zone_of(context& x, ride_id r) const {
  const std::uint32_t grid = x.world().options.lease.zones->grid;
  if (x.world().map.is_map()) {
    return zone_id{x.world().map.cell_of(x.world().rides.ends(r).origin, grid)};
  }
  auto draws = x.random(purpose::ride_zone, x.world().rides.at(r).key);
  return zone_id{static_cast<std::uint32_t>(draws.below(std::uint64_t{grid} * grid))};
}

zone_id matcher::zone_of(context& x, driver_id d) const {
  const std::uint32_t grid = x.world().options.lease.zones->grid;
  if (x.world().map.is_map()) {
    return zone_id{x.world().map.cell_of(x.world().supply.place_of(d), grid)};
  }
  return zone_id{d.value % (grid * grid)};
}

bool matcher::may_take_from(context& x, driver_id d) const {
  if (!x.world().options.lease.zones) {
    return true;
  }
  const auto zone = zones_.find(zone_of(x, d));
  return zone != zones_.end() && zone->second.is_held;
}

bool matcher::has_zone(context& x, pursuit& p) {
  const zone_id z = zone_of(x, p.ride);
  zone_state& zone = zones_[z];
  use(x, z);
  if (zone.is_held) {
    return true;
  }
  if (std::find(zone.waiting.begin(), zone.waiting.end(), p.ride) == zone.waiting.end()) {
    zone.waiting.push_back(p.ride);
  }
  if (!zone.is_asked_for) {
    ask_for_zone(x, z);
  }
  return false;
}

void matcher::use(context& x, zone_id z) {
  zone_state& zone = zones_[z];
  zone.used = x.now();
  if (zone.is_held && std::exchange(zone.is_let_go, false)) {
    ask_for_zone(x, z);
  }
}

void matcher::ask_for_zone(context& x, zone_id z) {
  zone_state& zone = zones_[z];
  zone.is_asked_for = true;
  zone.manager = leader_;
  x.send(the_lease_manager(), claim_zone{z, this_matcher(x)});
  x.after(x.world().options.matchers.reply_timeout, no_word_of_zone{z, ++zone.asks});
}

void matcher::on(context& x, const zone_given& m) {
  zone_state& zone = zones_[m.zone];
  zone.is_held = true;
  zone.is_let_go = false;
  zone.is_asked_for = false;
  const auto& options = *x.world().options.lease.zones;
  if (!only_looks(x, this_matcher(x))) {  // who only looks leaves room for those who take
    x.after(share_of(options.ttl, options.renew_at), zone_renewal_due{m.zone, ++zone.grants});
  }
  for (const ride_id r : std::exchange(zone.waiting, {})) {
    if (pursuit* p = find(r); p != nullptr && p->stage == stage::idle) {
      try_next(x, *p);
    }
  }
}

void matcher::on(context& x, const zone_refused& m) {
  zone_state& zone = zones_[m.zone];
  zone.is_held = false;
  if (only_looks(x, m.holder)) {
    return;  // a reader serves nobody: it is this matcher's turn next, and it asks again
  }
  zone.is_asked_for = false;
  for (const ride_id r : std::exchange(zone.waiting, {})) {
    if (pursuit* p = find(r); p != nullptr && p->stage == stage::idle) {
      hand_on(x, *p, m.holder);
    }
  }
}

void matcher::hand_on(context& x, pursuit& p, matcher_id to) {
  const ride_id r = p.ride;
  x.send(node_of(to), want_ride{r, p.asked, p.wait});
  handed_on_[r] = to;
  close(x, r);
}

bool matcher::is_left_to_writer(context& x, pursuit& p) {
  if (!x.world().options.lease.zones || !only_looks(x, this_matcher(x))) {
    return false;
  }
  const std::uint32_t writers =
      x.world().options.matchers.count - x.world().options.lease.zones->readers;
  hand_on(x, p, matcher_id{zone_of(x, p.ride).value % writers});
  return true;
}

void matcher::on(context& x, const zone_renewal_due& m) {
  zone_state& zone = zones_[m.zone];
  const auto& zones = *x.world().options.lease.zones;
  // A zone in which nothing was asked for lately, and nobody is held, is left to whoever needs it
  // next.
  const bool is_in_use =
      zones.renews_unused || x.now() - zone.used < zones.ttl || has_leases_under(x, m.zone);
  if (m.grant == zone.grants && zone.is_held) {
    zone.is_let_go = !is_in_use;
    if (is_in_use) {
      ask_for_zone(x, m.zone);
    }
  }
}

bool matcher::has_leases_under(context& x, zone_id z) const {
  return std::any_of(pursuits_.begin(), pursuits_.end(), [&](const auto& each) {
    const pursuit& p = each.second;
    return p.token.is_some() && zone_of(x, p.driver) == z;
  });
}

void matcher::on(context&, const zone_over& m) { zones_[m.zone].is_held = false; }

void matcher::on(context& x, const no_word_of_zone& m) {
  zone_state& zone = zones_[m.zone];
  if (m.ask == zone.asks && zone.is_asked_for) {
    doubt_leader(x, zone.manager);
    ask_for_zone(x, m.zone);
  }
}

// -- the line ------------------------------------------------------------------------------------

void matcher::stand_in_line(context& x, pursuit& p) {
  supply& drivers = x.world().supply;
  if (line_.join(p)) {
    drivers.await_someone(this_matcher(x));
  }
  // Of whoever became free a moment ago the view does not know yet, and nobody will tell again.
  const sim_time now = x.world_time();
  if (const auto wait = line_.until_seen(now, drivers.next_seen(now, this_matcher(x)))) {
    x.acts_after(*wait, someone_free{});
  }
  // Nor does anybody tell when a driver whom the ride has asked before may be asked again.
  if (const auto wait = match::waiting_line::until_rested(p, x.now())) {
    x.after(*wait, someone_free{});
  }
  // Or of a lease that runs out where it is noticed on read.
  const auto& options = x.world().options;
  if (options.lease.cleanup.kind == scenario::cleanup::lazy && options.matchers.look_again) {
    p.enter(stage::idle);  // earlier timers of this kind fire into nothing
    x.after(*options.matchers.look_again, look_again{p.ride, p.step});
  }
}

void matcher::on(context& x, const someone_free&) {
  for (const ride_id r : line_.call()) {
    pursuit* p = find(r);
    if (p == nullptr || !p->is_in_line) {
      continue;
    }
    p->is_in_line = false;
    if (p->stage == stage::idle) {
      try_next(x, *p);
    }
  }
}

}  // namespace dibs::actors
