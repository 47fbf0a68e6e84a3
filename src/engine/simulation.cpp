#include "engine/simulation.hpp"

#include "engine/world_setup.hpp"

namespace dibs::engine {

namespace {}  // namespace

simulation::simulation(const scenario::scenario& s,
                       const prepared_scenario& shared,
                       const run_options& how,
                       std::vector<events::observer*> observers)
    : scenario_(s),
      how_(how),
      world_(world_of(s, shared, how)),
      kernel_({.terms = terms_of(s, how), .observers = std::move(observers)}, world_),
      drivers_(s.drivers.count),
      matchers_(matchers_of(world_)),
      lease_managers_(lease_managers_of(world_)),
      demands_(1),
      sweepers_(1),
      system_(configuration_),
      scheduler_(runtime::virtual_scheduler::of(system_)) {
  ledgers_.push_back(ledger_of(s));
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
  };
  host(node_kind::driver, drivers_);
  host(node_kind::rider, riders_);
  host(node_kind::matcher, matchers_);
  host(node_kind::lease_manager, lease_managers_);
  host(node_kind::ledger, ledgers_);
  host(node_kind::demand, demands_);
  host(node_kind::sweeper, sweepers_);
  world_.seat_riders = [this](std::uint32_t seats) {
    if (riders_.size() < seats) {
      riders_.resize(seats);
    }
  };
}

void simulation::begin() {
  kernel_.happen_to_all(node_kind::driver, messages::shift_over{});
  start_managers();
  kernel_.happen({node_kind::demand, 0}, sim_duration::zero(), messages::next_ride{});
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
    kernel_.set_timer({node_kind::sweeper, 0}, cleanup.every, messages::sweeper_due{});
  }
}

std::optional<stall> simulation::run(watchdog* watch) {
  std::optional<stall> stuck;
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
