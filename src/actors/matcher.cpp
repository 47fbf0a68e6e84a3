#include "actors/matcher.hpp"

#include "actors/first_matcher.hpp"
#include "actors/node_options.hpp"
#include "match/least_total.hpp"

#include <variant>

namespace dibs::actors {
namespace {

/// How many of those that were asked for the ride at once come before this matcher.
std::uint32_t place_among_asked(const runtime::context& x, ride_id r) {
  const auto& options = matching_of(x);
  if (options.offers.broadcast == 1) {
    return 0;
  }
  const std::uint32_t place =
      (x.self().index() + options.count - first_matcher_of(x, r)) % options.count;
  return place < options.offers.broadcast ? place : 0;  // it was handed on
}

}  // namespace

// -- what the machine is told of the world -------------------------------------------------------

void matcher::on(context& x, const messages::zone_renewal_due& m) {
  const bool has_leases =
      search_.has_lease_where([&](driver_id d) { return zone_of(x, d) == m.zone; });
  decide(x, [&](match::turn& t) { search_.on(t, m, has_leases); });
}

match::ride_facts matcher::facts_of(const context& x, ride_id r) const {
  const std::uint64_t key = x.world().rides.at(r).key;
  if (!search_.rules().lease.zones) {
    return {key, zone_id::none()};
  }
  const std::uint32_t grid = lease_of(x).zones->grid;
  if (x.world().map.is_map()) {
    return {key, zone_id{x.world().map.cell_of(x.world().rides.ends(r).origin, grid)}};
  }
  auto draws = x.random(purpose::ride_zone, key);
  return {key, zone_id{static_cast<std::uint32_t>(draws.below(std::uint64_t{grid} * grid))}};
}

zone_id matcher::zone_of(const context& x, driver_id d) const {
  if (!search_.rules().lease.zones) {
    return zone_id::none();
  }
  const std::uint32_t grid = lease_of(x).zones->grid;
  return x.world().map.is_map()
             ? zone_id{x.world().map.cell_of(x.world().availability.place_of(d), grid)}
             : zone_id{d.value % (grid * grid)};
}

// -- what the machine asks for -------------------------------------------------------------------

void matcher::carry_out(context& x, const match::turn& t) {
  for (const match::action& a : t.actions()) {
    std::visit([&](const auto& what) { carry_out(x, what); }, a);
  }
}

void matcher::carry_out(context& x, match::message<messages::offer> m) {
  if (lease_of(x).is_absolute() && m.what.deadline != forever) {
    m.what.deadline += x.wall_for(m.what.ride, driver_id{m.to.index()}).time_since_epoch();
  }
  x.send(m.to, m.what);
}

void matcher::carry_out(context& x, const match::tell_of_driver& m) {
  x.send(rider_of(x, m.ride),
         messages::assigned{m.ride, m.driver, m.token, x.world().eta(m.driver, m.ride)});
}

void matcher::carry_out(context& x, const match::find_driver& question) {
  match::ride_search& p = *question.search;
  const local_time now = x.now();
  auto random = x.random(purpose::pick, p.key, p.asked, p.picks);
  const auto excludes = [&](driver_id each) { return is_excluded(x, p, each, now); };
  const driver_id d = x.pick_driver(p.ride, random, excludes, place_among_asked(x, p.ride));
  const std::uint32_t version = version_of(x, d);
  decide(x, [&](match::turn& t) { search_.found(t, p, d, version); });
}

std::uint32_t matcher::version_of(const context& x, driver_id d) {
  const bool reads_version =
      d.is_some() && x.world().protocol.ledger == lease::ledger_rule::compare_and_set;
  return reads_version ? x.world().availability.version_of(d) : 0;
}

void matcher::carry_out(context& x, const match::find_drivers& question) {
  const local_time now = x.now();
  std::vector<std::vector<match::possible_pickup>> rides;
  for (const ride_id r : question.rides) {
    const match::ride_search* p = search_.in_batch(r);
    rides.push_back(
        x.world().possible_pickups(x.world_time(), this_matcher(x), r, [&](driver_id d) {
          return p == nullptr || is_excluded(x, *p, d, now);
        }));
  }
  const auto given = match::assign_at_least_total(rides);
  for (std::size_t i = 0; i < given.size(); ++i) {
    const driver_id d = given[i].value_or(driver_id::none());
    const match::found_driver one{question.rides[i], d, version_of(x, d)};
    decide(x, [&](match::turn& t) { search_.found(t, one); });
  }
}

void matcher::carry_out(context& x, const match::join_waiting_line& question) {
  runtime::driver_availability& drivers = x.world().availability;
  if (search_.joins_line(*question.search)) {
    drivers.await_free_driver(this_matcher(x));
  }
  const sim_time now = x.world_time();
  const auto seen = drivers.next_seen(now, this_matcher(x));
  decide(x, [&](match::turn& t) { search_.joins_waiting_line(t, *question.search, now, seen); });
}

void matcher::carry_out(context& x, const match::take_step& question) {
  match::ride_search& p = *question.search;
  const messages::resume_step rest{p.ride, p.driver, p.step, question.here, p.token, question.left};
  const runtime::step_interruption found =
      x.take_step(question.here, p.ride, p.driver, p.token, rest);
  if (found == runtime::step_interruption::none) {
    go_on_after(x, p, question.here, question.left);
  } else if (found != runtime::step_interruption::outage) {
    const bool is_tidy = found == runtime::step_interruption::tidy_error;
    decide(x, [&](match::turn& t) { search_.break_off(t, p, is_tidy); });
  }
}

void matcher::on(context& x, const messages::resume_step& m) {
  if (match::ride_search* p = search_.stopped(m)) {
    go_on_after(x, *p, m.after, m.left);
  }
}

void matcher::go_on_after(context& x,
                          match::ride_search& p,
                          sim::life_step here,
                          sim_duration left) {
  const bool is_picked = here == sim::life_step::after_pick;
  const zone_id zone = is_picked ? zone_of(x, p.driver) : zone_id::none();
  decide(x, [&](match::turn& t) { search_.go_on(t, p, here, left, zone); });
}

}  // namespace dibs::actors
