/// What a core sees of the world while it handles one event: its own clock, its links, its random
/// streams and the place to record facts. What happens in the world (people act, cars move) is told
/// in true time; what a node decides, by its own clock.
///
/// The one thing that a core knows of the runtime: the same core runs in virtual time, where the
/// kernel does all of it, and live, where its own node does.
#pragma once

#include "base/prefetch.hpp"
#include "base/random.hpp"
#include "messages/calls.hpp"
#include "runtime/kernel.hpp"
#include "runtime/live_node.hpp"

#include <array>
#include <cstdint>

namespace dibs::runtime {

class context {
  /// `act(runtime)` with the kernel or the live node.
  template <class Act>
  [[nodiscard]] decltype(auto) on_runtime(Act act) const {
    if (live_ != nullptr) [[unlikely]] {
      return act(*live_);
    }
    return act(*kernel_);
  }

 public:
  context(kernel& k, const event& cause) : kernel_(&k), cause_(cause) {}
  context(live_node& n, const event& cause) : live_(&n), cause_(cause) {}

  /// As `x`, but what is being handled is `cause`, which came before.
  context(const context& x, const event& cause)
      : kernel_(x.kernel_), live_(x.live_), cause_(cause) {}

  [[nodiscard]] const event& cause() const { return cause_; }
  [[nodiscard]] node_id self() const { return cause_.to; }
  /// Who sent the message that is being handled.
  [[nodiscard]] node_id sender() const { return cause_.from; }

  /// The clock by which the node measures time: its monotonic one, unless it chose the other.
  [[nodiscard]] local_time now() const { return clocks().reading(self(), world_time()); }
  /// Its wall clock.
  [[nodiscard]] local_time wall() const { return clock().wall(world_time()); }
  /// That of another node, as it reads now: what that node would write into a store just then.
  [[nodiscard]] local_time wall_of(node_id other) const {
    return clocks().of(other).wall(world_time());
  }
  /// The same, where it judges the deadline of a lease on the driver for the ride.
  [[nodiscard]] local_time wall_for(ride_id r, driver_id d) const;

  template <class M>
  void send(node_id to, const M& m) {
    on_runtime([&](auto& r) {
      if constexpr (messages::is_call<M>) {
        r.record(self(), messages::call_in(self(), m));
      }
      r.send(self(), to, m);
    });
  }

  /// Answers the request that is being handled.
  template <class M>
  void answer(const M& m) {
    static_assert(messages::is_reply<M>);
    on_runtime([&](auto& r) { r.answer(cause_, m); });
  }

  /// A timer on the clock by which the node measures time. `forever` sets none.
  template <class M>
  void after(sim_duration local, const M& m) {
    if (local != forever) {
      on_runtime([&](auto& r) { r.set_timer(self(), local, m); });
    }
  }

  /// What another thread posts when something is done that this node began there.
  template <class M>
  [[nodiscard]] event completion(const M& m) const {
    return on_runtime([&](const auto& r) { return r.completion(self(), m); });
  }

  /// What the person at this node does: after so much true time, and not before the node is up.
  /// `forever`: never.
  template <class M>
  void acts_after(sim_duration true_length, const M& m) {
    if (true_length != forever) {
      has_act(self(), true_length, m);
    }
  }

  /// The same for the person at another node, of whom only the world knows.
  template <class M>
  void has_act(node_id who, sim_duration true_length, const M& m) {
    on_runtime([&](auto& r) { r.set_true_timer(who, true_length, m); });
  }

  /// How long it truly takes until a timer of so much is due, set now.
  [[nodiscard]] sim_duration true_length(sim_duration local) const {
    return local == forever ? forever
                            : on_runtime([&](auto& r) { return r.true_length(self(), local); });
  }

  /// A matcher takes a step in the life of a ride. Unless `none`, a fault stops it here and it must
  /// return at once: after a pause `rest` comes as a message, after a crash nothing does, and an
  /// error is the matcher's own to handle.
  template <class M>
  [[nodiscard]] step_interruption take_step(
      sim::life_step step, ride_id r, driver_id d, token_id token, const M& rest);

  /// True time, for what moves in the world. No node may decide by it.
  [[nodiscard]] sim_time world_time() const {
    return on_runtime([](const auto& r) { return r.now(); });
  }

  /// Something physical: in true time, untouched by outages.
  template <class M>
  void happens_after(sim_duration true_length, const M& m) {
    on_runtime([&](auto& r) { r.happen(self(), true_length, m); });
  }

  /// Something has become true at this node: it goes on record, the supply takes it over, and then
  /// the matchers are woken that wait for a driver, if one has become free since they were told
  /// last. To record alone changes nothing but the record.
  template <class Fact>
  void publish(const Fact& fact);

  /// Readers of the record of supply take the lease for over from `at` on, unless it is confirmed,
  /// ended or prolonged first.
  void let_lapse(driver_id d, token_id token, sim_time at);

  /// The random stream for this purpose and these keys, the same in every protocol.
  [[nodiscard]] stream random(purpose why,
                              std::uint64_t key_1 = 0,
                              std::uint64_t key_2 = 0,
                              std::uint64_t key_3 = 0) const {
    return stream::keyed(
        on_runtime([](const auto& r) { return r.seed(); }), why, key_1, key_2, key_3);
  }

  /// Whom to try next for the ride, as the matchers' view shows the drivers now, after `others` who
  /// are left to others.
  template <class Excluded>
  [[nodiscard]] driver_id pick_driver(ride_id r,
                                      stream& random,
                                      const Excluded& is_excluded,
                                      std::uint32_t others);

  [[nodiscard]] shared_world& world() const {
    return on_runtime([](auto& r) -> shared_world& { return r.world(); });
  }

 private:
  [[nodiscard]] const sim::clocks& clocks() const {
    return on_runtime([](const auto& r) -> const sim::clocks& { return r.clocks(); });
  }
  [[nodiscard]] const sim::node_clock& clock() const { return clocks().of(self()); }

  kernel* kernel_ = nullptr;  ///< one of the two
  live_node* live_ = nullptr;
  const event& cause_;
};

/// Tells the kernel which cores of one kind there are, and which messages they take.
/// `Core::inbox` lists the messages; `cores` is a random-access container that outlives the run.
template <class Core, class Container>
class host {
 public:
  static void of(kernel& k, node_kind kind, Container& cores) {
    kernel::core_registration where{.cores = &cores};
    where.count = [](const void* all) { return static_cast<const Container*>(all)->size(); };
    if constexpr (requires(Core & c) { c.crash(); }) {
      where.on_crash = [](kernel& k2, node_id n) { at(k2, n).crash(); };
    }
    if constexpr (requires(Core & c, context & x) { c.restart(x); }) {
      where.on_restart = [](kernel& k2, node_id n) {
        event none;
        none.to = n;
        none.from = n;
        context x(k2, none);
        at(k2, n).restart(x);
      };
    }
    k.host(kind, where);
    accept(k, kind, typename Core::inbox{});
  }

 private:
  static Core& at(kernel& k, node_id n) {
    return (*static_cast<Container*>(k.cores(n.kind())))[n.index()];
  }

  template <class... Messages>
  static void accept(kernel& k, node_kind kind, messages::message_list<Messages...>) {
    (k.template handle<Messages>(kind, &take<Messages>, &fetch<Messages>), ...);
  }

  template <class M>
  static void take(kernel& k, const event& e) {
    context x(k, e);
    const M m = e.get<M>();
    if constexpr (messages::is_answer<M>) {
      k.record(e.to, messages::answer_in(e.to, m));
    }
    at(k, e.to).on(x, m);
  }

  template <class M>
  static void fetch(kernel& k, const event& e);
};

/// How a live node calls its core: one handler for each message of `Core::inbox`.
template <class Core>
class live_host {
 public:
  static live_node::registration of(Core& core) {
    live_node::registration where{.core = &core, .handlers = handlers.data()};
    if constexpr (requires(context & x) { core.start(x); }) {
      where.on_start = [](void* c, live_node& n) { with_context(n, &Core::start, c); };
    } else if constexpr (requires(context & x) { core.restart(x); }) {
      where.on_start = [](void* c, live_node& n) { with_context(n, &Core::restart, c); };
    }
    if constexpr (requires { core.crash(); }) {
      where.on_crash = [](void* c, live_node&) { static_cast<Core*>(c)->crash(); };
    }
    if constexpr (requires(context & x) { core.restart(x); }) {
      where.on_restart = [](void* c, live_node& n) { with_context(n, &Core::restart, c); };
    }
    return where;
  }

 private:
  using table = std::array<live_node::reception, messages::all_messages::size>;

  static void with_context(live_node& n, void (Core::*act)(context&), void* core) {
    event none;
    none.to = n.self();
    none.from = n.self();
    context x(n, none);
    (static_cast<Core*>(core)->*act)(x);
  }

  template <class... Messages>
  static constexpr table table_of(messages::message_list<Messages...>) {
    table all{};
    ((all[messages::number_of<Messages>()] = {&take<Messages>, &fetch<Messages>}), ...);
    return all;
  }

  template <class M>
  static void take(void* core, live_node& n, const event& e) {
    context x(n, e);
    const M m = e.get<M>();
    if constexpr (messages::is_answer<M>) {
      n.record(e.to, messages::answer_in(e.to, m));
    }
    static_cast<Core*>(core)->on(x, m);
  }

  template <class M>
  static void fetch(const void* core, live_node& n, const event& e);

  static constexpr table handlers = table_of(typename Core::inbox{});
};

}  // namespace dibs::runtime

#include "runtime/shared_world.hpp"

namespace dibs::runtime {

/// Has memory bring the ride that a message is about, and what its receiver keeps of the driver.
template <class Core, class M>
void fetch_topic(const Core& core, const shared_world& world, const M& m) {
  if constexpr (requires { ride_id{m.ride}; }) {
    world.rides.fetch(m.ride);
  }
  if constexpr (requires { core.fetch(driver_id{m.driver}); }) {
    core.fetch(m.driver);
    world.availability.fetch(m.driver);
  }
}

template <class Core, class Container>
template <class M>
void host<Core, Container>::fetch(kernel& k, const event& e) {
  constexpr std::size_t core_max = 256;
  const auto& all = *static_cast<Container*>(k.cores(e.to.kind()));
  if (e.to.index() >= all.size()) {
    return;
  }
  const Core& core = all[e.to.index()];
  if constexpr (sizeof(Core) <= core_max) {
    fetch_whole(core);
  }
  fetch_topic(core, k.world(), e.get<M>());
}

template <class Core>
template <class M>
void live_host<Core>::fetch(const void* core, live_node& n, const event& e) {
  fetch_topic(*static_cast<const Core*>(core), n.world(), e.get<M>());
}

template <class Fact>
void context::publish(const Fact& fact) {
  on_runtime([&](auto& r) { r.record(self(), fact); });
  driver_availability& drivers = world().availability;
  drivers.apply_fact(world_time(), fact);
  for (const matcher_id m : drivers.take_matchers_to_wake()) {
    // Just after whoever hears of it at this very instant has heard.
    has_act(node_of(m), world().options.matchers.view_lag + 1ns, messages::someone_free{});
  }
}

inline void context::let_lapse(driver_id d, token_id token, sim_time at) {
  const lapse_notice lapse{world_time(), d, token, at};
  world().availability.set_lapse(lapse);
  if (live_ != nullptr) [[unlikely]] {
    live_->tell_lapse(lapse);
  }
}

template <class Excluded>
driver_id context::pick_driver(ride_id r,
                               stream& random,
                               const Excluded& is_excluded,
                               std::uint32_t others) {
  return world().pick(world_time(), matcher_id{self().index()}, r, random, is_excluded, others);
}

inline local_time context::wall_for(ride_id r, driver_id d) const {
  return clocks().wall_for(self(), world_time(), world().rides.at(r).key, d);
}

template <class M>
step_interruption context::take_step(
    sim::life_step step, ride_id r, driver_id d, token_id token, const M& rest) {
  const step_interruption found = on_runtime([&](auto& k) {
    return k.reach(step, {self(), r, world().rides.at(r).rider, d, token});
  });
  if (found == step_interruption::outage) {
    after(sim_duration::zero(), rest);  // waits behind the gate, which is about to shut
  }
  return found;
}

}  // namespace dibs::runtime
