#include "engine/live_simulation.hpp"

#include "actors/demand.hpp"
#include "actors/driver.hpp"
#include "actors/lease_manager.hpp"
#include "actors/ledger.hpp"
#include "actors/matcher.hpp"
#include "actors/rider.hpp"
#include "actors/sweeper.hpp"
#include "engine/world_setup.hpp"
#include "events/history_hash.hpp"
#include "runtime/live_actor.hpp"
#include "runtime/real_wait.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <array>
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
  if (options_.others != nullptr) {
    live_.join(*options_.others);
    rides_ = foretell_rides(shared);
  }
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

std::string live_simulation::foretell_rides(const prepared_scenario& shared) {
  world::demand all(shared.demand, shared.map, how_.seed);
  std::vector<world::ride_plan> plans;
  events::history_hash hash;  // of the facts that each ride would come to if nothing went wrong
  for (auto next = all.next(); next && next->at < scenario_.ends(); next = all.next()) {
    const ride_id ride{static_cast<std::uint32_t>(plans.size())};
    const std::array<events::event, 2> story{
        {{next->at, {}, events::ride_requested{ride, next->origin}, {}},
         {next->at + next->trip,
          {},
          events::trip_ended{{next->key}, driver_id::none(), ride, next->destination},
          {}}}};
    hash.observe(story);
    plans.push_back(*next);
  }
  world_.rides.foretell(plans);
  return hash.digest();
}

template <class Core>
void live_simulation::spawn(node_id node, Core core) {
  if (is_here(node)) {
    runtime::spawn_live(actors_, live_, node, std::move(core));
  } else {
    live_.register_actor(node, nullptr, nullptr);
  }
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
  if (options_.others != nullptr) {
    for (std::uint32_t i = 0; i < world_.rides.size(); ++i) {
      spawn({node_kind::rider, i}, actors::rider());
    }
    world_.seat_riders = [](std::uint32_t) {};
    return;
  }
  // Called by the source of demand alone, while it handles an event.
  world_.seat_riders = [this, seated = std::uint32_t{0}](std::uint32_t seats) mutable {
    for (; seated < seats; ++seated) {
      spawn({node_kind::rider, seated}, actors::rider());
    }
  };
}

bool live_simulation::is_stopped() const {
  return (how_.stop != nullptr && how_.stop->load(std::memory_order_relaxed)) ||
         (options_.others != nullptr && options_.others->is_stopped());
}

void live_simulation::bring_drivers() {
  std::uint32_t here = 0;
  for (std::uint32_t i = 0; i < scenario_.drivers.count; ++i) {
    if (const node_id driver{node_kind::driver, i}; is_here(driver)) {
      live_.post(happening(driver, messages::shift_over{}));
      ++here;
    }
  }
  const auto are_there = [this, here] {
    return live_.recorder().handled() >= here && live_.recorder().is_idle();
  };
  while (!are_there() && !is_stopped()) {
    runtime::wait_in_reality(runtime::merge_every);
  }
  if (!is_stopped()) {
    live_.recorder().drain_all(observers_);
  }
}

void live_simulation::begin(std::optional<std::chrono::nanoseconds> when) {
  live_.start(when);
  for (std::uint32_t i = 0; i < (scenario_.lease.standby ? 2U : 1U); ++i) {
    if (const node_id manager{node_kind::lease_manager, i}; is_here(manager)) {
      live_.begin_work(manager);
    }
  }
  const auto& cleanup = scenario_.lease.cleanup;
  if (cleanup.kind == scenario::cleanup::periodic && cleanup.by == scenario::sweep_clock::sweeper &&
      is_here({node_kind::sweeper, 0})) {
    live_.begin_work({node_kind::sweeper, 0});
  }
  if (is_here({node_kind::demand, 0})) {
    live_.post(happening({node_kind::demand, 0}, messages::next_ride{}));
  }
}

void live_simulation::wait() {
  if (options_.others != nullptr) {
    options_.others->wait(runtime::exchange_every);
  } else {
    runtime::wait_in_reality(runtime::merge_every);
  }
}

sim_time live_simulation::run() {
  spawn_all();
  bring_drivers();
  runtime::other_processes* const others = options_.others;
  std::optional<std::chrono::nanoseconds> when;
  if (others != nullptr) {
    when = others->await_start(live_, rides_);
    if (!when) {
      return {};
    }
  }
  begin(when);
  sim_time reached{};
  for (sim_time now{}; now < scenario_.ends() && !is_stopped(); now = live_.clock().now()) {
    reached = live_.recorder().drain(observers_);
    if (others != nullptr) {
      reached = others->exchange(reached);
    }
    if (how_.on_progress) {
      how_.on_progress({.reached = std::min(reached, scenario_.ends()),
                        .ends = scenario_.ends(),
                        .events = live_.recorder().handled()});
    }
    wait();
  }
  reached = std::min(live_.clock().now(), scenario_.ends());
  live_.stop();
  while (!live_.recorder().is_idle()) {
    runtime::wait_in_reality(runtime::merge_every);
  }
  live_.recorder().drain_all(observers_);
  if (others != nullptr) {
    others->finish();
  }
  return reached;
}

}  // namespace dibs::engine
