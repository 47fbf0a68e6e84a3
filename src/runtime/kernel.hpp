/// The run's one clock and one order: takes events by due time and sequence, and gives each to the
/// core that it is for.
///
/// Nothing sleeps and nothing runs inline: a message over a perfect link is an event of its own as
/// well. Its transport (`transport.hpp`), one for all nodes, applies the network, pauses and
/// crashes. Knows no core's type: rooms above host their cores here.
///
/// Not thread-safe: one kernel, one thread.
#pragma once

#include "base/ensure.hpp"
#include "runtime/event.hpp"
#include "runtime/event_queue.hpp"
#include "runtime/recorder.hpp"
#include "runtime/ride_message_count.hpp"
#include "runtime/run_conditions.hpp"
#include "runtime/transport.hpp"
#include "runtime/triggered_faults.hpp"

#include <tsl/hopscotch_map.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace dibs::runtime {
struct shared_world;
}

namespace dibs::runtime {

class virtual_scheduler;

struct kernel_options {
  run_condition_options terms;
  std::vector<events::observer*> observers;
};

class kernel : public transport<kernel> {
 public:
  using handler = void (*)(kernel&, const event&);
  using lifecycle = void (*)(kernel&, node_id);

  /// What the kernel knows of one kind of cores.
  struct core_registration {
    void* cores = nullptr;  ///< a contiguous container of cores
    std::size_t (*count)(const void* cores) = nullptr;
    lifecycle on_crash = nullptr;
    lifecycle on_restart = nullptr;
  };

  kernel(const kernel_options& options, shared_world& world);
  kernel(const kernel&) = delete;
  kernel& operator=(const kernel&) = delete;

  // -- for cores, through their context

  [[nodiscard]] sim_time now() const { return now_; }
  [[nodiscard]] std::uint64_t seed() const { return conditions_.seed; }
  [[nodiscard]] const sim::clocks& clocks() const { return conditions_.clocks; }
  [[nodiscard]] shared_world& world() { return world_; }

  template <class Fact>
  void record(node_id where, const Fact& fact) {
    if (recorder_.has_readers()) {
      recorder_.record(now_, conditions_.clocks.reading(where, now_), fact);
    } else {
      recorder_.count();
    }
    if constexpr (events::sets_expiry<Fact>) {
      if (faults_.needs_expiries()) {
        expiries_.insert_or_assign(fact.token, true_time_of(where, fact.expires));
      }
    }
  }

  // -- for the engine

  void host(node_kind kind, const core_registration& cores) {
    registrations_[static_cast<std::size_t>(kind)] = cores;
  }
  template <class M>
  void handle(node_kind receiver, handler take, handler fetch) {
    handlers_[messages::number_of<M>()] = {take, fetch, receiver};
  }
  [[nodiscard]] void* cores(node_kind kind) const {
    return registrations_[static_cast<std::size_t>(kind)].cores;
  }

  [[nodiscard]] std::size_t count_of(node_kind kind) const {
    const core_registration& of_kind = registrations_[static_cast<std::size_t>(kind)];
    return of_kind.cores == nullptr ? 0 : of_kind.count(of_kind.cores);
  }
  [[nodiscard]] bool hosts(node_id node) const { return node.index() < count_of(node.kind()); }

  /// The same happens to all nodes of a kind now, one after the other. Only the next of them waits
  /// in the queue, or it would be longer at the start than ever again. Requires: they are hosted.
  template <class M>
  void happen_to_all(node_kind kind, const M& m) {
    const auto count = count_of(kind);
    if (count > 0) {
      event e = addressed({kind, 0}, {kind, 0}, role::physical);
      e.due = now_;
      e.leads = true;
      e.put(m);
      push(e);
      next_order_ += count - 1;
    }
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

  // -- for its transport

  [[nodiscard]] const run_conditions& rules() const { return conditions_; }
  void push(event& e) {
    e.order = next_order_++;
    queue_.push(e);
  }
  void deliver(const event& e) {
    ++events_;
    if (mailboxes_ != nullptr) [[unlikely]] {
      mail(e);
    } else {
      enter(e);
    }
  }
  template <class F>
  decltype(auto) with_triggered_faults(F f) {
    return f(faults_);
  }
  [[nodiscard]] std::uint32_t life_of(node_id n) const { return own_outages().life(n); }
  /// A note that is still awaited; a request is acknowledged by its answer.
  [[nodiscard]] std::optional<topic> ask_back(const event& e) {
    const unacknowledged* sent = own_exchanges().find(e.exchange);
    return sent == nullptr || sent->is_request ? std::nullopt : std::optional(sent->about);
  }
  std::uint32_t count_sent(const topic& about) { return sent_.count(about.ride, about.number); }
  std::uint32_t count_passed(const topic& about) { return passed_.count(about.ride, about.number); }
  void on_crash(node_id n);
  void on_restart(node_id n);
  void strike_node(const strike& s, sim_time until);
  [[nodiscard]] std::optional<sim_time> expiry_of(token_id token) const;

 private:
  struct reception {
    handler take = nullptr;
    handler fetch = nullptr;  ///< prefetches what `take` will look up
    node_kind receiver{};
  };

  [[nodiscard]] sim_time true_time_of(node_id node, local_time when) const;
  void dispatch(const event& e);
  /// The next of a row, with the place in the order that was kept for it.
  void lead_on(const event& e);
  void mail(const event& e);
  void begin_planned(const event& e);
  void end_later(node_id n, sim::outage_kind kind, sim_time until);
  void schedule_outages();

  shared_world& world_;
  run_conditions conditions_;
  triggered_faults faults_;
  tsl::hopscotch_map<token_id, sim_time>
      expiries_;               ///< kept only where a triggered fault needs them
  ride_message_count passed_;  ///< while some link may be cut in part, or slow
  ride_message_count sent_;
  recorder recorder_;
  event_queue<event> queue_;
  bool is_large_;  ///< larger than a cache
  std::array<core_registration, node_kinds> registrations_{};
  std::array<reception, messages::all_messages::size> handlers_{};
  virtual_scheduler* mailboxes_ = nullptr;
  virtual_scheduler* foreigners_ = nullptr;
  sim_time now_{};
  std::uint64_t next_order_ = 0;
  std::uint64_t events_ = 0;

  friend class virtual_scheduler;
};

}  // namespace dibs::runtime
