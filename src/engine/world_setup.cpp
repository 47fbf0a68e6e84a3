#include "engine/world_setup.hpp"

#include "lease/ledger_machine.hpp"
#include "sim/faults.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace dibs::engine {
namespace {

std::array<std::uint32_t, node_kinds> counts_of(const scenario::scenario& s) {
  std::array<std::uint32_t, node_kinds> counts{};
  const auto count = [&](node_kind kind) -> std::uint32_t& {
    return counts[static_cast<std::size_t>(kind)];
  };
  count(node_kind::driver) = s.drivers.count;
  count(node_kind::matcher) = s.matchers.count;
  count(node_kind::lease_manager) = s.lease.standby ? 2 : 1;
  count(node_kind::ledger) = 1;
  count(node_kind::demand) = 1;
  count(node_kind::sweeper) = 1;
  return counts;
}

sim::fault_plan plan_of(const scenario::scenario& s,
                        const std::array<std::uint32_t, node_kinds>& counts,
                        const run_options& how) {
  sim::fault_plan plan = sim::plan_faults(s.faults, counts, s.ends(), how.seed);
  if (how.fault_free_from) {
    sim::heal(plan, *how.fault_free_from);
  }
  return plan;
}

match::supply_index_options index_of(const scenario::scenario& s, const world::geography& map) {
  const bool blind = s.matchers.view == scenario::view::blind;
  const world::extent box = map.extent();
  return {.drivers = s.drivers.count,
          .south_west = blind ? point{} : point{box.west, box.south, 0},
          .north_east = blind ? point{} : point{box.east, box.north, 0}};
}

/// From when on matchers see the drivers as they are.
sim_time sees_from(const run_options& how) {
  return how.keeps_ordinary_delays ? sim_time::max()
                                   : how.fault_free_from.value_or(sim_time::max());
}

std::vector<double> shares_of(const scenario::scenario& s) {
  std::vector<double> shares;
  for (const scenario::driver_class& c : s.drivers.classes) {
    shares.push_back(c.share);
  }
  return shares;
}

bool may_repeat_offers(const scenario::scenario& s) {
  const auto repeats = [](const scenario::link_options& l) {
    const bool goes_forth = l.from.kind == node_kind::matcher && l.to.kind == node_kind::driver;
    const bool goes_back = l.from.kind == node_kind::driver && l.to.kind == node_kind::matcher;
    return (goes_forth || (goes_back && l.both_ways)) && (l.duplicate > 0 || l.retry);
  };
  return std::ranges::any_of(s.network, repeats) ||
         std::ranges::any_of(s.faults, [](const scenario::fault& f) {
           return std::holds_alternative<scenario::duplicate_fault>(f.what);
         });
}

/// What a thread for renewals does while the rest of the matcher stands still.
std::vector<std::uint16_t> heard_in_pauses(const scenario::renewal_options& r) {
  return r.own_thread
             ? std::vector<std::uint16_t>{messages::number_of<messages::renew_due>(),
                                          messages::number_of<messages::renewal_timeout_due>(),
                                          messages::number_of<messages::lease_extended>(),
                                          messages::number_of<messages::claim_heartbeat_due>()}
             : std::vector<std::uint16_t>();
}

}  // namespace

runtime::shared_world world_of(const scenario::scenario& s,
                               const prepared_scenario& shared,
                               const run_options& how) {
  return {.options = s,
          .protocol = s.lease.rules(),
          .map = shared.map,
          .seed = how.seed,
          .heals = how.fault_free_from.value_or(sim_time::max()),
          .offers_repeat = may_repeat_offers(s),
          .demand = world::demand(shared.demand, shared.map, how.seed),
          .availability = runtime::driver_availability(index_of(s, shared.map),
                                                       s.matchers.view_lag,
                                                       s.matchers.view == scenario::view::facts,
                                                       s.matchers.count,
                                                       plan_of(s, {}, how).cuts,
                                                       sees_from(how)),
          .rides = {},
          .class_shares = shares_of(s),
          .chord_m = shared.map.chord_of(s.matchers.policy.radius_m),
          .near = {},
          .seat_riders = {}};
}

runtime::run_condition_options terms_of(const scenario::scenario& s, const run_options& how) {
  const auto counts = counts_of(s);
  return {.seed = how.seed,
          .ends = s.ends(),
          .heals = how.fault_free_from.value_or(sim_time::max()),
          .heals_to_ordinary = how.keeps_ordinary_delays,
          .network = s.network,
          .clocks = s.clocks,
          .faults = plan_of(s, counts, how),
          .counts = counts,
          .heard_in_pauses = heard_in_pauses(s.lease.renewal)};
}

void add_never_struck(const scenario::scenario& s,
                      const sim::fault_plan& plan,
                      std::vector<std::string>& ids) {
  const auto look = [&](const scenario::fault& f, const auto& what, sim::outage_kind kind) {
    const bool is_too_late = what.at && at(*what.at) >= s.ends();
    const bool is_never_drawn =
        what.rate_per_h > 0 && std::ranges::none_of(plan.outages, [&](auto& o) {
          return o.kind == kind && what.node.covers(o.node);
        });
    if (is_too_late || is_never_drawn) {
      ids.push_back(f.id);
    }
  };
  for (const scenario::fault& f : s.faults) {
    if (const auto* pause = std::get_if<scenario::pause_fault>(&f.what)) {
      look(f, *pause, sim::outage_kind::pause);
    } else if (const auto* crash = std::get_if<scenario::crash_fault>(&f.what)) {
      look(f, *crash, sim::outage_kind::crash);
    }
  }
}

void add_never_felt(const scenario::scenario& s,
                    const sim::fault_plan& plan,
                    const std::set<std::size_t>& felt,
                    std::vector<std::string>& ids) {
  for (std::size_t i = 0; i < s.faults.size(); ++i) {
    const bool hides_supply = s.matchers.view != scenario::view::blind &&
                              std::ranges::any_of(plan.cuts, [&](const sim::cut& c) {
                                return c.entry == i && runtime::hides_supply(c, s.matchers.count);
                              });
    const bool is_slow = std::holds_alternative<scenario::slow_fault>(s.faults[i].what);
    const bool is_cut = std::holds_alternative<scenario::partition_fault>(s.faults[i].what);
    if (!felt.contains(i) && (is_slow || (is_cut && !hides_supply))) {
      ids.push_back(s.faults[i].id);
    }
  }
}

std::vector<actors::matcher> matchers_of(const runtime::shared_world& world) {
  const scenario::scenario& s = world.options;
  match::matcher_rules rules{
      .self = matcher_id{0},
      .seed = world.seed,
      .matching = s.matchers,
      .lease = s.lease,
      .hears_late_answers = s.drivers.late_answer == scenario::late_answer::sent,
      .rider_confirms = s.riders.confirm ? std::optional{s.riders.confirm->within} : std::nullopt};
  std::vector<actors::matcher> all;
  for (; rules.self.value < s.matchers.count; ++rules.self.value) {
    all.emplace_back(rules);
  }
  return all;
}

std::vector<actors::lease_manager> lease_managers_of(const runtime::shared_world& world,
                                                     const actors::store_access& leases) {
  const scenario::scenario& s = world.options;
  lease::manager_rules rules{.seed = world.seed,
                             .drivers = s.drivers.count,
                             .matchers = s.matchers.count,
                             .lease = s.lease,
                             .claims = s.matchers.claims};
  std::vector<actors::lease_manager> all;
  for (; rules.self < (s.lease.standby ? 2U : 1U); ++rules.self) {
    if (leases.to != nullptr) {
      all.emplace_back(rules, leases);
    } else {
      all.emplace_back(rules);
    }
  }
  return all;
}

actors::ledger ledger_of(const scenario::scenario& s, const actors::store_access& trips) {
  lease::ledger record(s.lease.rules().ledger, s.drivers.count);
  return trips.to != nullptr ? actors::ledger(std::move(record), trips)
                             : actors::ledger(std::move(record));
}

}  // namespace dibs::engine
