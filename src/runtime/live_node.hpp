/// One node of a live run: all that the runtime keeps for it, owned by its actor alone.
///
/// While it handles an event, or a few that have come together, its time stands still, at the
/// moment at which it began: a core sees what it would see in virtual time, and what it records
/// bears that time. What it sends goes on its way when the moment is over.
#pragma once

#include "events/facts.hpp"
#include "runtime/live_system.hpp"
#include "runtime/transport.hpp"

#include <caf/execution_unit.hpp>
#include <tsl/hopscotch_map.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dibs::runtime {

class live_node : public transport<live_node> {
 public:
  /// How a core takes a message, and has memory bring what that will look up.
  struct reception {
    void (*take)(void* core, live_node&, const event&) = nullptr;
    void (*fetch)(const void* core, live_node&, const event&) = nullptr;
  };
  using lifecycle = void (*)(void* core, live_node&);

  /// What the node knows of its core.
  struct registration {
    void* core = nullptr;
    const reception* handlers = nullptr;  ///< by message number
    lifecycle on_start = nullptr;
    lifecycle on_crash = nullptr;
    lifecycle on_restart = nullptr;
  };

  live_node(live_system& system, node_id self, const registration& core);

  [[nodiscard]] node_id self() const { return self_; }

  // -- for its actor

  /// Handles what has come, one after the other.
  void take(std::span<const event> events, caf::execution_unit* unit);
  /// The node begins to work.
  void start(caf::execution_unit* unit);

  // -- for its core, through the context

  [[nodiscard]] sim_time now() const { return now_.t; }
  [[nodiscard]] std::uint64_t seed() const { return system_.rules().seed; }
  [[nodiscard]] const sim::clocks& clocks() const { return system_.rules().clocks; }
  [[nodiscard]] shared_world& world() { return system_.world(); }

  template <class Fact>
  void record(node_id where, const Fact& fact) {
    facts_.push_back({now(), clocks().of(where).reading(now()), fact, events::driver_in(fact)});
    if constexpr (events::sets_expiry<Fact>) {
      if (system_.needs_expiries() && fact.expires != local_time::max()) {
        system_.note_expiry(fact.token, clocks().of(where).due(fact.expires, now()));
      }
    }
  }

  void tell_lapse(const lapse_notice& what) { system_.tell_lapse(what); }

  // -- for its transport

  [[nodiscard]] const run_conditions& rules() const { return system_.rules(); }
  /// Never due if the run is over by then.
  void push(event& e) {
    if (system_.is_elsewhere(e.to)) [[unlikely]] {
      if (e.due < rules().ends) {
        e.due = std::max(e.due, now() + 1ns);  // however the other's clock differs, it comes later
        outgoing_.push_back(e);
      }
    } else if (e.due > now()) {
      if (e.due < rules().ends) {
        timers_.push_back(e);
      }
    } else {
      e.due = now();
      mail_.push_back(e);
    }
  }
  void deliver(const event& e);
  template <class F>
  decltype(auto) with_triggered_faults(F f) {
    return system_.with_triggered_faults(f);
  }
  [[nodiscard]] std::uint32_t life_of(node_id n) const {
    return n == self_ ? own_outages().life(n) : any_life;
  }
  /// The sender knows what is awaited: whoever receives it acknowledges every note.
  [[nodiscard]] static std::optional<topic> ask_back(const event& e) {
    return awaits_answer(e.number) ? std::nullopt : std::optional(topic_in(e));
  }
  std::uint32_t count_sent(const topic& about) { return count(sent_, about); }
  std::uint32_t count_passed(const topic& about) { return count(passed_, about); }
  void on_crash(node_id) { call(core_.on_crash); }
  void on_restart(node_id) { call(core_.on_restart); }
  void strike_node(const strike& s, sim_time until);
  [[nodiscard]] std::optional<sim_time> expiry_of(token_id token) {
    return system_.expiry_of(token);
  }

 private:
  /// How many messages of each kind the node has sent about each ride.
  using tally_of_node = tsl::hopscotch_map<std::uint64_t, std::uint16_t, spread_hash>;

  static std::uint32_t count(tally_of_node& kept, const topic& about) {
    return kept[std::uint64_t{about.ride.value} << 16 | about.number]++;
  }

  void call(lifecycle hook) {
    if (hook != nullptr) {
      hook(core_.core, *this);
    }
  }
  /// Prefetches the records that the event is about.
  void fetch(const event& e);
  void handle(const event& e);
  /// What has been sent and set in the moment that ends goes on its way.
  void post(caf::execution_unit* unit);
  void begin_noticed(const event& e);

  live_system& system_;
  node_id self_;
  registration core_;
  recorded_instant now_;
  // Of the moment under way.
  std::vector<events::event> facts_;
  std::vector<event> mail_;
  std::vector<event> timers_;
  std::vector<event> outgoing_;  ///< to nodes of other processes, which wait there until it is due
  tally_of_node sent_;
  tally_of_node passed_;
};

}  // namespace dibs::runtime
