/// The run's one clock and one order: takes events by due time and sequence, and gives each to the
/// core that it is for.
///
/// Nothing sleeps and nothing runs inline: a message over a perfect link is an event of its own as
/// well. The network acts when a message is sent, pauses and crashes when it arrives; each in one
/// place. Knows no core's type: rooms above host their cores here.
///
/// Not thread-safe: one kernel, one thread.
#pragma once

#include "actors/runtime/event.hpp"
#include "actors/runtime/event_queue.hpp"
#include "actors/runtime/exchanges.hpp"
#include "actors/runtime/gates.hpp"
#include "actors/runtime/recorder.hpp"
#include "actors/runtime/tally.hpp"
#include "actors/runtime/traps.hpp"
#include "base/ensure.hpp"
#include "sim/clocks.hpp"
#include "sim/faults.hpp"
#include "sim/network.hpp"

#include <tsl/hopscotch_map.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <vector>

namespace dibs::actors {
struct surroundings;
}

namespace dibs::actors::runtime {

class virtual_scheduler;

struct kernel_options {
  std::uint64_t seed = 1;
  sim_time ends{};
  /// From here on every link is perfect and every clock right; what is under way arrives at once.
  /// The plan of faults is healed before it comes here.
  sim_time heals = sim_time::max();
  std::vector<sim::link_options> network;
  std::vector<sim::clock_error> clocks;
  sim::fault_plan faults;
  std::array<std::uint32_t, node_kinds> counts{};
  std::vector<events::observer*> observers;
};

class kernel {
 public:
  using handler = void (*)(kernel&, const event&);
  using lifecycle = void (*)(kernel&, node_id);

  /// What the kernel knows of one kind of cores.
  struct lodging {
    void* cores = nullptr;  ///< a contiguous container of cores
    lifecycle on_crash = nullptr;
    lifecycle on_restart = nullptr;
    lifecycle fetch = nullptr;  ///< has memory fetch a core that will be wanted soon
  };

  kernel(const kernel_options& options, surroundings& world);
  kernel(const kernel&) = delete;
  kernel& operator=(const kernel&) = delete;

  // -- for cores, through their context

  [[nodiscard]] sim_time now() const { return now_; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  [[nodiscard]] const sim::clocks& clocks() const { return clocks_; }
  [[nodiscard]] surroundings& world() { return world_; }

  /// Sends a message over the link between two nodes, with retries where the link has them.
  template <class M>
  void send(node_id from, node_id to, const M& m) {
    event e = addressed(from, to, role::message);
    e.put(m);
    transmit(e, topic_of(m), is_request<M>);
  }

  /// Answers the request `to_what`, which names the exchange to close.
  template <class M>
  void answer(const event& to_what, const M& m) {
    if (to_what.from == to_what.to) {
      return;  // an ordinary send from outside the run: there is no node to answer
    }
    event e = addressed(to_what.to, to_what.from, role::answer);
    e.exchange = to_what.exchange;
    e.put(m);
    pass_on(e, topic_of(m));
  }

  /// A timer of `node`, `after` so much of its local time.
  template <class M>
  void set_timer(node_id node, sim_duration after, const M& m) {
    event e = addressed(node, node, role::timer);
    e.exchange = gates_.life(node);
    e.due = local_due(node, after);
    e.put(m);
    push(e);
  }

  /// As `set_timer`, but `after` so much true time.
  template <class M>
  void set_true_timer(node_id node, sim_duration after, const M& m) {
    event e = addressed(node, node, role::timer);
    e.exchange = gates_.life(node);
    e.due = after < ends_ - now_ ? now_ + after : sim_time::max();
    e.put(m);
    push(e);
  }

  /// How long it truly takes until a timer of `node`, set now, is due; `forever` for never.
  [[nodiscard]] sim_duration true_length(node_id node, sim_duration local) const;

  /// Something in the world, `after` so much true time, that no outage holds up.
  template <class M>
  void happen(node_id to, sim_duration after, const M& m) {
    event e = addressed(to, to, role::physical);
    e.due = now_ + after;
    e.put(m);
    push(e);
  }

  template <class Fact>
  void record(node_id where, const Fact& fact) {
    recorder_.record(now_, clocks_.of(where).reading(now_), fact);
    if constexpr (std::is_same_v<Fact, events::lease_granted> ||
                  std::is_same_v<Fact, events::lease_renewed>) {
      if (traps_.needs_expiries()) {
        expiries_.insert_or_assign(fact.token, true_time_of(where, fact.expires));
      }
    }
  }

  /// A matcher takes a step in the life of a ride; see `context::is_stopped`.
  stop reach(sim::life_step step, const step_topic& about) {
    return traps_.empty() ? stop::none : traps_.at_step(step, about, now_, strikes_);
  }

  // -- for the engine

  void host(node_kind kind, const lodging& cores) {
    lodgings_[static_cast<std::size_t>(kind)] = cores;
  }
  template <class M>
  void handle(node_kind receiver, handler h) {
    handlers_[number_of<M>()] = {h, &topic_in<M>, receiver};
  }
  [[nodiscard]] void* cores(node_kind kind) const {
    return lodgings_[static_cast<std::size_t>(kind)].cores;
  }

  /// With a scheduler, every event travels through the mailbox of the CAF actor it is for.
  void deliver_by(virtual_scheduler* mailboxes) { mailboxes_ = mailboxes; }

  /// Runs until nothing is left before the end, or until `stop` says so.
  void run(const std::function<void()>& on_progress, const std::atomic<bool>* stop);

  /// Whether nothing is left that could ever happen.
  [[nodiscard]] bool is_idle() const { return queue_.empty(); }
  [[nodiscard]] std::uint64_t events() const { return events_; }
  [[nodiscard]] std::uint64_t facts() const { return recorder_.facts(); }
  void flush() { recorder_.flush(); }

  // -- for the scheduler

  /// An ordinary CAF timer or message that is due at `when`; `slot` comes back when it is.
  void push_foreign(sim_time when, std::uint32_t slot);
  /// Gives an event to its core.
  void enter(const event& e) {
    const reception& r = handlers_[e.number];
    ensure(r.receiver == e.to.kind(), "a message goes to the kind of node that takes it");
    r.take(*this, e);
  }

 private:
  struct reception {
    handler take = nullptr;
    topic (*topic_of)(const event&) = nullptr;
    node_kind receiver{};
  };

  template <class M>
  static topic topic_of(const M& m) {
    topic about;
    about.number = number_of<M>();
    if constexpr (requires { m.ride; }) {
      about.ride = m.ride;
    }
    if constexpr (requires { m.token; }) {
      about.token = m.token;
    }
    return about;
  }

  template <class M>
  static topic topic_in(const event& e) {
    return topic_of(e.get<M>());
  }

  static event addressed(node_id from, node_id to, role what) {
    event e;
    e.to = to;
    e.from = from;
    e.role = what;
    return e;
  }

  void push(event& e) {
    e.order = next_order_++;
    queue_.push(e);
  }

  [[nodiscard]] sim_time local_due(node_id node, sim_duration after) const;
  [[nodiscard]] sim_time true_time_of(node_id node, local_time when) const;
  void transmit(event& e, const topic& about, bool is_request);
  void pass_on(event& e, const topic& about);
  void lose(const event& e, node_id where, const topic& about, events::loss_cause cause);
  void lose_to_crash(const event& e);
  /// `nth`: how many such messages about the ride came before.
  [[nodiscard]] bool is_cut(const event& e, const topic& about, std::uint32_t nth) const;
  [[nodiscard]] sim_duration slowed(const event& e,
                                    const topic& about,
                                    std::uint32_t nth,
                                    sim_duration delay) const;
  [[nodiscard]] meddling meddle(const event& e, const topic& about);
  void spring(const event& e);

  void dispatch(const event& e);
  void pass_gate(const event& e);
  void arrive(const event& e);
  void deliver(const event& e);
  void acknowledge(const event& e);
  void repeat(const event& e);
  void begin_planned(const event& e);
  void begin_outage(node_id n, sim::outage_kind kind, sim_time until);
  void end_outage(const event& e);
  void end_later(node_id n, sim::outage_kind kind, sim_time until);
  void strike_now();
  [[nodiscard]] std::optional<sim_time> end_of(const strike& s) const;
  void schedule_outages();

  surroundings& world_;
  std::uint64_t seed_;
  sim_time ends_;
  sim_time heals_;
  sim::network network_;
  sim::clocks clocks_;
  sim::fault_plan plan_;
  traps traps_;
  std::vector<strike> strikes_;                      ///< that the event under way has brought about
  tsl::hopscotch_map<token_id, sim_time> expiries_;  ///< kept only where a trap needs them
  tally passed_;  ///< while some link may be cut in part, or slow
  bool counts_passages_ = false;
  gates gates_;
  exchanges exchanges_;
  tally sent_;
  recorder recorder_;
  event_queue<event> queue_;
  std::array<lodging, node_kinds> lodgings_{};
  std::array<reception, all_messages::size> handlers_{};
  virtual_scheduler* mailboxes_ = nullptr;
  virtual_scheduler* foreigners_ = nullptr;
  sim_time now_{};
  std::uint64_t next_order_ = 0;
  std::uint64_t events_ = 0;

  friend class virtual_scheduler;
};

}  // namespace dibs::actors::runtime
