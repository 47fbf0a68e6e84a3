#include "engine/simulation.hpp"

#include "actors/runtime/node_actor.hpp"
#include "lease/lease_machine.hpp"
#include "lease/ledger_machine.hpp"
#include "sim/faults.hpp"

namespace dibs::engine {
namespace {

namespace runtime = actors::runtime;

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
  if (how.healed_from) {
    sim::heal(plan, *how.healed_from);
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

std::vector<double> shares_of(const scenario::scenario& s) {
  std::vector<double> shares;
  for (const scenario::driver_class& c : s.drivers.classes) {
    shares.push_back(c.share);
  }
  return shares;
}

runtime::kernel_options kernel_options_of(const scenario::scenario& s,
                                          const run_options& how,
                                          std::vector<events::observer*> observers) {
  const auto counts = counts_of(s);
  return {.terms = {.seed = how.seed,
                    .ends = s.ends(),
                    .heals = how.healed_from.value_or(sim_time::max()),
                    .network = s.network,
                    .clocks = s.clocks,
                    .faults = plan_of(s, counts, how),
                    .counts = counts},
          .observers = std::move(observers)};
}

lease::machine_options machine_options_of(const scenario::lease_options& l) {
  const lease::rules rules = l.rules();
  return {.protocol = rules,
          .ttl = rules.expires ? l.granted_ttl() : forever,
          .grace = l.grace,
          .confirm_hold = rules.expires ? l.confirm_hold : forever,
          .lock_delay = l.lock_delay,
          .commit_on_confirm = l.commit == scenario::commit_at::manager,
          .ends_on_sight = l.cleanup.kind == scenario::cleanup::timer ||
                           l.cleanup.kind == scenario::cleanup::lazy,
          .numbers_renewals = l.renewal.numbered};
}

}  // namespace

simulation::simulation(const scenario::scenario& s,
                       const prepared& shared,
                       const run_options& how,
                       std::vector<events::observer*> observers)
    : scenario_(s),
      how_(how),
      world_{.options = s,
             .protocol = s.lease.rules(),
             .map = shared.map,
             .seed = how.seed,
             .heals = how.healed_from.value_or(sim_time::max()),
             .demand = world::demand(shared.demand, shared.map, how.seed),
             .supply = actors::supply(index_of(s, shared.map),
                                      s.matchers.view_lag,
                                      s.matchers.view == scenario::view::facts,
                                      s.matchers.count,
                                      plan_of(s, {}, how).cuts,
                                      how.healed_from.value_or(sim_time::max())),
             .rides = {},
             .class_shares = shares_of(s),
             .chord_m = shared.map.chord_of(s.matchers.policy.radius_m),
             .near = {},
             .seat_riders = {}},
      kernel_(kernel_options_of(s, how, std::move(observers)), world_),
      drivers_(s.drivers.count),
      matchers_(s.matchers.count),
      demands_(1),
      sweepers_(1),
      system_(configuration_),
      scheduler_(runtime::virtual_scheduler::of(system_)) {
  for (bool leads : {true, false}) {
    if (leads || s.lease.standby) {
      lease_managers_.emplace_back(lease::machine(machine_options_of(s.lease), s.drivers.count),
                                   leads);
    }
  }
  ledgers_.emplace_back(lease::ledger(world_.protocol.ledger, s.drivers.count));
  system_.await_actors_before_shutdown(false);
  scheduler_.attach(kernel_);
  if (how.delivery == delivery::mailbox) {
    kernel_.deliver_by(&scheduler_);
  }
  host_cores();
  begin();
}

simulation::~simulation() = default;

void simulation::host_cores() {
  const auto host = [&]<class Core>(node_kind kind, std::vector<Core>& cores) {
    runtime::host<Core, std::vector<Core>>::of(kernel_, kind, cores);
    spawn_all(kind, static_cast<std::uint32_t>(cores.size()));
  };
  host(node_kind::driver, drivers_);
  host(node_kind::rider, riders_);
  host(node_kind::matcher, matchers_);
  host(node_kind::lease_manager, lease_managers_);
  host(node_kind::ledger, ledgers_);
  host(node_kind::demand, demands_);
  host(node_kind::sweeper, sweepers_);
  world_.seat_riders = [this](std::uint32_t seats) {
    while (riders_.size() < seats) {
      spawn({node_kind::rider, static_cast<std::uint32_t>(riders_.size())});
      riders_.emplace_back();
    }
  };
}

void simulation::spawn_all(node_kind kind, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    spawn({kind, i});
  }
}

void simulation::spawn(node_id node) {
  const auto actor = system_.spawn<runtime::node_actor, caf::lazy_init>(kernel_, node);
  scheduler_.lodge(node, caf::actor_cast<caf::strong_actor_ptr>(actor));
}

void simulation::begin() {
  for (std::uint32_t i = 0; i < scenario_.drivers.count; ++i) {
    kernel_.happen({node_kind::driver, i}, sim_duration::zero(), actors::shift_over{});
  }
  start_managers();
  kernel_.happen({node_kind::demand, 0}, sim_duration::zero(), actors::next_ride{});
}

void simulation::start_managers() {
  for (std::uint32_t i = 0; i < lease_managers_.size(); ++i) {
    const node_id self{node_kind::lease_manager, i};
    runtime::event none;
    none.to = self;
    none.from = self;
    runtime::context x(kernel_, none);
    lease_managers_[i].start(x);
  }
  const auto& cleanup = scenario_.lease.cleanup;
  if (cleanup.kind == scenario::cleanup::periodic && cleanup.by == scenario::sweep_clock::sweeper) {
    kernel_.set_timer({node_kind::sweeper, 0}, cleanup.every, actors::sweeper_due{});
  }
}

std::optional<standstill> simulation::run(watchdog* watch) {
  std::optional<standstill> stuck;
  std::atomic<bool> halt{false};
  const auto look = [&] {
    if (how_.on_progress) {
      how_.on_progress(
          {.reached = kernel_.now(), .ends = scenario_.ends(), .events = kernel_.events()});
    }
    halt = how_.stop != nullptr && how_.stop->load(std::memory_order_relaxed);
    if (watch != nullptr && !halt) {
      kernel_.flush();
      stuck = watch->look(kernel_.now(), kernel_.events());
      halt = stuck.has_value();
    }
  };
  kernel_.run(look, &halt);
  if (watch != nullptr && !halt) {
    stuck = kernel_.is_idle() ? watch->nothing_left(kernel_.now())
                              : watch->look(kernel_.now(), kernel_.events());
  }
  return stuck;
}

}  // namespace dibs::engine
