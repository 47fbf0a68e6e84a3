/// What all nodes of a live run share: the real clock, the thread of timers, the address of each
/// node, the merged record, and the faults that have a trigger. Only the last is written by all.
///
/// It does for a live run what the kernel does for a virtual one, on one thread. Each node's own
/// state (retransmissions, outages, memory) lies in its `live_node`, and belongs to its actor
/// alone.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "runtime/inbox.hpp"
#include "runtime/live_clock.hpp"
#include "runtime/merged_recorder.hpp"
#include "runtime/other_processes.hpp"
#include "runtime/run_conditions.hpp"
#include "runtime/timer_thread.hpp"
#include "runtime/triggered_faults.hpp"

#include <caf/actor_control_block.hpp>
#include <caf/execution_unit.hpp>
#include <tsl/hopscotch_map.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace dibs::runtime {
struct shared_world;
}

namespace dibs::runtime {

class live_system {
 public:
  live_system(const run_condition_options& options, double speed, shared_world& world);
  live_system(const live_system&) = delete;
  live_system& operator=(const live_system&) = delete;
  ~live_system() { stop(); }

  // -- for the engine

  /// The actor of the next node of this kind, and where it finds what comes for it; nothing, if it
  /// is elsewhere. Requires: no more than `reserve` made room for, unless nobody has begun.
  void register_actor(node_id node, caf::strong_actor_ptr actor, std::shared_ptr<inbox> mail);
  void reserve(node_kind kind, std::size_t nodes);

  /// Some nodes are in other processes. Before any is registered.
  void join(other_processes& others) { others_ = &others; }
  /// Time begins, and the planned faults with it: now, or when the machine's clock reads so. What
  /// nodes do before, they do at its first instant, and no timer fires.
  void start(std::optional<std::chrono::nanoseconds> when = {});
  /// Happens now, to whom it goes.
  void post(event e);
  /// From nodes elsewhere, each when it is due. False: one of them is to nobody here.
  [[nodiscard]] bool take_in(std::span<const event> mail);
  /// What became true elsewhere enters the record of supply here, each list in order of time;
  /// whoever waits here for a driver is woken.
  void learn(std::span<const events::event> facts, std::span<const lapse_notice> lapses);
  /// A fact about a node here that no node records.
  void record(node_id where, const events::fact& what);
  /// Tells a node to begin to work. Requires: started.
  void begin_work(node_id node);
  /// No event has any effect from here on; those under way come to their end first.
  void stop();
  /// Waits for the events under way and lets go of the actors, which end. Requires: stopped.
  void dismiss();

  [[nodiscard]] const live_clock& clock() const { return clock_; }
  [[nodiscard]] merged_recorder<live_clock>& recorder() { return recorder_; }

  // -- for nodes

  [[nodiscard]] const run_conditions& rules() const { return conditions_; }
  [[nodiscard]] shared_world& world() { return world_; }
  [[nodiscard]] bool is_over() const { return over_.load(std::memory_order_relaxed); }

  /// Has each handed on when it is due.
  void set_timers(std::span<const event> events) { timers_.set(events); }
  /// To whom each goes, now; nowhere once the run is over.
  void deliver(std::span<const event> events, caf::execution_unit* unit);

  [[nodiscard]] bool is_elsewhere(node_id n) const {
    return others_ != nullptr && others_->have(n);
  }
  void send_elsewhere(sim_time sent, std::span<const event> mail) { others_->carry(sent, mail); }

  void tell_lapse(const lapse_notice& what) {
    if (others_ != nullptr) {
      others_->carry(what);
    }
  }

  /// Whether some fault may strike this kind of nodes.
  [[nodiscard]] bool may_strike(node_kind kind) const {
    return struck_[static_cast<std::size_t>(kind)];
  }

  /// `f(triggered_faults&)`; where there are any, nobody else looks at them meanwhile.
  template <class F>
  decltype(auto) with_triggered_faults(F f) {
    if (faults_.empty()) [[likely]] {
      return f(faults_);
    }
    const std::lock_guard lock(faults_guard_);
    return f(faults_);
  }
  [[nodiscard]] bool needs_expiries() const { return faults_.needs_expiries(); }
  void note_expiry(token_id token, sim_time when);
  [[nodiscard]] std::optional<sim_time> expiry_of(token_id token);

 private:
  struct actor_registration {
    caf::strong_actor_ptr actor;
    std::shared_ptr<inbox> mail;
  };

  void schedule_outages();

  run_conditions conditions_;
  shared_world& world_;
  other_processes* others_ = nullptr;  ///< null: all nodes are here
  live_clock clock_;
  merged_recorder<live_clock> recorder_;
  std::mutex faults_guard_;
  triggered_faults faults_;
  tsl::hopscotch_map<token_id, sim_time>
      expiries_;  ///< kept only where a triggered fault needs them
  std::array<bool, node_kinds> struck_{};
  std::array<std::vector<actor_registration>, node_kinds> actors_;
  std::atomic<bool> over_{false};
  timer_thread timers_;
};

/// What a planned outage, or a strike from another node, says to the node that it hits.
struct outage_notice {
  sim_time until{};
  std::uint32_t group = 0;  ///< the entry among those of groups, from 1; 0: this node alone
  bool stays = false;       ///< a crash follows where it ends
};

}  // namespace dibs::runtime
