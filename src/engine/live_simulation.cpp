#include "engine/live_simulation.hpp"

#include "actors/demand.hpp"
#include "actors/driver.hpp"
#include "actors/lease_manager.hpp"
#include "actors/ledger.hpp"
#include "actors/matcher.hpp"
#include "actors/rider.hpp"
#include "actors/sweeper.hpp"
#include "engine/world_setup.hpp"
#include "runtime/live_actor.hpp"
#include "runtime/real_wait.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <utility>

namespace dibs::engine {
namespace {

template <class M>
runtime::event happening(node_id to, const M& m) {
  runtime::event e;
  e.to = to;
  e.from = to;
  e.role = runtime::role::physical;
  e.put(m);
  return e;
}

std::size_t rides_at_most(const world::demand_options& demand, const live_options& live) {
  return static_cast<std::size_t>(
      std::min(world::rides_at_most(demand) + 1, static_cast<double>(live.rides_max)));
}

}  // namespace

live_simulation::live_simulation(const scenario::scenario& s,
                                 const prepared_scenario& shared,
                                 const run_options& how,
                                 const live_options& live,
                                 store::client* store,
                                 std::vector<events::observer*> observers)
    : scenario_(s),
      how_(how),
      options_(live),
      store_(store),
      observers_(std::move(observers)),
      world_(world_of(s, shared, how)),
      live_(terms_of(s, how), live.speed, world_),
      configuration_(live.threads),
      actors_(configuration_) {
  const std::size_t rides = rides_at_most(shared.demand, live);
  world_.availability.share();
  world_.rides_at_once = live.rides_at_once;
  world_.rides_follow = live.rides_follow;
  world_.popular_drivers = live.favourites;
  world_.rides.share(rides, [this] {
    if (options_.rides_at_once > 0) {
      live_.post(happening({node_kind::demand, 0}, messages::next_ride{}));
    }
  });
  live_.reserve(node_kind::rider, rides);
  if (store_ != nullptr) {
    store_->set_clock([this] { return live_.clock().now(); });
  }
}

live_simulation::~live_simulation() {
  live_.stop();
  if (store_ != nullptr) {
    store_->stop();
  }
  live_.dismiss();
}

template <class Core>
void live_simulation::spawn(node_id node, Core core) {
  runtime::spawn_live(actors_, live_, node, std::move(core));
}

actors::store_access live_simulation::store_access() {
  return {store_, [this](const runtime::event& e) { live_.post(e); }};
}

void live_simulation::spawn_all() {
  live_.reserve(node_kind::driver, scenario_.drivers.count);
  for (std::uint32_t i = 0; i < scenario_.drivers.count; ++i) {
    spawn({node_kind::driver, i}, actors::driver());
  }
  auto matchers = matchers_of(world_);
  live_.reserve(node_kind::matcher, matchers.size());
  for (std::uint32_t i = 0; i < matchers.size(); ++i) {
    spawn({node_kind::matcher, i}, std::move(matchers[i]));
  }
  auto managers = lease_managers_of(world_, store_access());
  live_.reserve(node_kind::lease_manager, managers.size());
  for (std::uint32_t i = 0; i < managers.size(); ++i) {
    spawn({node_kind::lease_manager, i}, std::move(managers[i]));
  }
  for (const node_kind single : {node_kind::ledger, node_kind::demand, node_kind::sweeper}) {
    live_.reserve(single, 1);
  }
  spawn({node_kind::ledger, 0},
        store_ != nullptr && store_->has_ledger() ? ledger_of(scenario_, store_access())
                                                  : ledger_of(scenario_));
  spawn({node_kind::demand, 0}, actors::demand());
  spawn({node_kind::sweeper, 0}, actors::sweeper());
  // Called by the source of demand alone, while it handles an event.
  world_.seat_riders = [this, seated = std::uint32_t{0}](std::uint32_t seats) mutable {
    for (; seated < seats; ++seated) {
      spawn({node_kind::rider, seated}, actors::rider());
    }
  };
}

bool live_simulation::is_stopped() const {
  return how_.stop != nullptr && how_.stop->load(std::memory_order_relaxed);
}

void live_simulation::bring_drivers() {
  for (std::uint32_t i = 0; i < scenario_.drivers.count; ++i) {
    live_.post(happening({node_kind::driver, i}, messages::shift_over{}));
  }
  const auto are_there = [this] {
    return live_.recorder().handled() >= scenario_.drivers.count && live_.recorder().is_idle();
  };
  while (!are_there() && !is_stopped()) {
    runtime::wait_in_reality(runtime::merge_every);
  }
  if (!is_stopped()) {
    live_.recorder().drain_all(observers_);
  }
}

void live_simulation::begin() {
  live_.start();
  for (std::uint32_t i = 0; i < (scenario_.lease.standby ? 2U : 1U); ++i) {
    live_.begin_work({node_kind::lease_manager, i});
  }
  const auto& cleanup = scenario_.lease.cleanup;
  if (cleanup.kind == scenario::cleanup::periodic && cleanup.by == scenario::sweep_clock::sweeper) {
    live_.begin_work({node_kind::sweeper, 0});
  }
  live_.post(happening({node_kind::demand, 0}, messages::next_ride{}));
}

sim_time live_simulation::run() {
  spawn_all();
  bring_drivers();
  begin();
  sim_time reached{};
  for (sim_time now{}; now < scenario_.ends() && !is_stopped(); now = live_.clock().now()) {
    reached = live_.recorder().drain(observers_);
    if (how_.on_progress) {
      how_.on_progress({.reached = std::min(reached, scenario_.ends()),
                        .ends = scenario_.ends(),
                        .events = live_.recorder().handled()});
    }
    runtime::wait_in_reality(runtime::merge_every);
  }
  reached = std::min(live_.clock().now(), scenario_.ends());
  live_.stop();
  while (!live_.recorder().is_idle()) {
    runtime::wait_in_reality(runtime::merge_every);
  }
  live_.recorder().drain_all(observers_);
  return reached;
}

}  // namespace dibs::engine
