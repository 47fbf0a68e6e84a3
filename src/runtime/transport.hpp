/// Carries messages from node to node: over links that lose, delay, copy and retransmit them, with
/// timers on the clock of the node, and through outages, in which a node hears nothing.
///
/// Never reads a clock and never keeps a random stream: the host gives the time, and each draw has
/// its key from the message. Virtual and live runs share this code. In virtual time one transport
/// serves all nodes. In a live run each node has its own, so its unacknowledged messages and its
/// outages belong to one actor.
///
/// `Host` derives from this class and supplies what differs between the two:
///   now(), rules()                 the true time of the event under way; links, clocks and faults
///   push(event&)                   schedules the event for `event.due`
///   deliver(const event&)          hands the event to the core of its node
///   record(node, fact)             records the fact at `now()`
///   with_triggered_faults(f)       calls `f` with the faults that have a trigger
///   expiry_of(token)               true time at which the lease expires; nothing if unknown
///   life_of(node)                  how often the node has restarted, or `any_life` if unknown
///   ask_back(const event&)         the topic to acknowledge; nothing if no note awaits it
///   count_sent(topic), count_passed(topic)    how many such messages the ride had before
///   on_crash(node), on_restart(node)    tells the core of the node
///   strike_node(strike, until)     begins an outage of the node that ends at `until`
#pragma once

#include "base/ensure.hpp"
#include "base/random.hpp"
#include "runtime/event.hpp"
#include "runtime/link_message_count.hpp"
#include "runtime/message_topic.hpp"
#include "runtime/node_outages.hpp"
#include "runtime/retransmission.hpp"
#include "runtime/run_conditions.hpp"
#include "runtime/triggered_faults.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace dibs::runtime {

/// A timer that is further away than this is never set: no run is that long.
inline constexpr sim_duration timer_horizon = 24h * 365 * 100;

template <class Host>
class transport {
 public:
  /// Sends a message over the link between two nodes, with retries where the link has them.
  template <class M>
  void send(node_id from, node_id to, const M& m) {
    event e = addressed(from, to, role::message);
    e.put(m);
    transmit(e, topic_of(m), messages::is_request<M>);
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
    e.exchange = outages_.life(node);
    e.due = local_due(node, after);
    e.put(m);
    host().push(e);
  }

  /// What tells the node, whenever it is posted, that something it began elsewhere is done; nothing
  /// comes of it once the node has crashed.
  template <class M>
  [[nodiscard]] event completion(node_id node, const M& m) const {
    event e = addressed(node, node, role::timer);
    e.exchange = outages_.life(node);
    e.put(m);
    return e;
  }

  /// As `set_timer`, but `after` so much true time.
  template <class M>
  void set_true_timer(node_id node, sim_duration after, const M& m) {
    event e = addressed(node, node, role::timer);
    e.exchange = host().life_of(node);
    e.due = after < rules().ends - host().now() ? host().now() + after : sim_time::max();
    e.put(m);
    host().push(e);
  }

  /// How long it truly takes until a timer of `node`, set now, is due; `forever` for never.
  [[nodiscard]] sim_duration true_length(node_id node, sim_duration local) const {
    const sim_time due = local_due(node, local);
    return due == sim_time::max() ? forever : due - host().now();
  }

  /// An event of the outside world, `after` so much true time. No outage delays it.
  template <class M>
  void happen(node_id to, sim_duration after, const M& m) {
    event e = addressed(to, to, role::physical);
    e.due = host().now() + after;
    e.put(m);
    host().push(e);
  }

  /// The partitions and slowdowns that a message was lost to or held up by, by their places among
  /// the faults.
  [[nodiscard]] const std::set<std::size_t>& link_faults_felt() const { return link_faults_felt_; }

  /// A matcher takes a step in the life of a ride; see `context::take_step`.
  step_interruption reach(sim::life_step step, const step_topic& about) {
    const step_interruption found = host().with_triggered_faults([&](triggered_faults& t) {
      return t.empty() ? step_interruption::none : t.at_step(step, about, host().now(), strikes_);
    });
    if (found == step_interruption::error || found == step_interruption::tidy_error) [[unlikely]] {
      host().record(about.matcher,
                    events::work_failed{about.matcher,
                                        about.ride,
                                        about.driver,
                                        about.token,
                                        found == step_interruption::tidy_error});
    }
    return found;
  }

 protected:
  static event addressed(node_id from, node_id to, role what) {
    event e;
    e.to = to;
    e.from = from;
    e.role = what;
    return e;
  }

  [[nodiscard]] node_outages& own_outages() { return outages_; }
  [[nodiscard]] const node_outages& own_outages() const { return outages_; }
  [[nodiscard]] retransmissions& own_exchanges() { return retransmissions_; }
  [[nodiscard]] bool has_strikes() const { return !strikes_.empty(); }

  /// A message, an answer or a timer is due. It may trigger faults first; then it reaches its node,
  /// unless an outage of the node holds it up or drops it.
  void arrive_at_gate(const event& e) {
    host().with_triggered_faults([&](triggered_faults& t) {
      if (!t.empty()) {
        spring(t, e);
      }
    });
    if (has_strikes()) [[unlikely]] {
      strike_now();
    }
    pass_gate(e);
  }

  void begin_outage(node_id n, sim::outage_kind kind, sim_time until);
  void end_outage(const event& e);
  void strike_now();
  void lose(const event& e, node_id where, const topic& about, events::loss_cause cause) {
    host().record(where, events::message_lost{e.from, e.to, about.ride, about.token, cause});
  }

 private:
  [[nodiscard]] Host& host() { return static_cast<Host&>(*this); }
  [[nodiscard]] const Host& host() const { return static_cast<const Host&>(*this); }
  [[nodiscard]] const run_conditions& rules() const { return host().rules(); }

  [[nodiscard]] sim_time local_due(node_id node, sim_duration after) const;

  // sending
  void transmit(event& e, const topic& about, bool is_request);
  /// Repeats the message until it is acknowledged.
  void watch(event& e, const topic& about, const sim::retry_options& retry, bool is_request);
  void pass_on(event& e, const topic& about);
  void pass_on_disturbed(event& e, const topic& about);
  /// Sends the event over the link. `slow(delay)` gives the delay in place of an undisturbed one.
  /// False if every copy is lost.
  template <class Slow>
  bool cross(event& e, const topic& about, const Slow& slow);
  /// How many messages of this kind were sent before: about this ride, or over this link if the
  /// message is about no ride.
  [[nodiscard]] std::uint32_t nth_sent(const event& e, const topic& about) {
    return about.ride.is_some() ? host().count_sent(about)
                                : rideless_sent_.count(e.from, e.to, about.number);
  }
  [[nodiscard]] std::uint32_t nth_passed(const event& e, const topic& about) {
    return about.ride.is_some() ? host().count_passed(about)
                                : rideless_passed_.count(e.from, e.to, about.number);
  }
  /// `nth`: how many messages of this kind came before.
  [[nodiscard]] bool is_cut(const event& e, const topic& about, std::uint32_t nth);
  [[nodiscard]] sim_duration slowed(const event& e,
                                    const topic& about,
                                    std::uint32_t nth,
                                    sim_duration delay);
  [[nodiscard]] message_tampering tamper(const event& e, const topic& about);

  // arriving
  void spring(triggered_faults& t, const event& e);
  void pass_gate(const event& e);
  void find_shut(const event& e);
  void arrive(const event& e);
  void acknowledge(const event& e);
  void repeat(const event& e);
  void lose_to_crash(const event& e);
  [[nodiscard]] std::optional<sim_time> end_of(const strike& s);

  node_outages outages_;
  retransmissions retransmissions_;
  link_message_count rideless_sent_;    ///< messages about no ride, over links that draw
  link_message_count rideless_passed_;  ///< the same, where a link may be cut in part, or slow
  std::set<std::size_t> link_faults_felt_;
  std::vector<strike> strikes_;  ///< faults that the event under way has triggered
};

// -- sending -------------------------------------------------------------------------------------

template <class Host>
sim_time transport<Host>::local_due(node_id node, sim_duration after) const {
  ensure(after >= sim_duration::zero(), "a timer lies in the future");
  if (after > timer_horizon) {
    return sim_time::max();
  }
  const sim_time now = host().now();
  if (rules().clocks.all_perfect(node.kind())) {
    return now + after;
  }
  const sim::node_clock& clock = rules().clocks.of(node);
  return clock.due(clock.reading(now) + after, now);
}

template <class Host>
void transport<Host>::transmit(event& e, const topic& about, bool is_request) {
  const sim::laid_link* link = rules().network.link(e.from, e.to);
  if (link != nullptr && link->retry) [[unlikely]] {
    watch(e, about, *link->retry, is_request);
  }
  pass_on(e, about);
}

template <class Host>
void transport<Host>::watch(event& e,
                            const topic& about,
                            const sim::retry_options& retry,
                            bool is_request) {
  e.exchange =
      retransmissions_.open({e, about, retry.max, retry.after, outages_.life(e.from), is_request});
  event again = addressed(e.from, e.from, role::repeat);
  again.exchange = e.exchange;
  again.due = local_due(e.from, retry.after);
  host().push(again);
}

template <class Host>
void transport<Host>::pass_on(event& e, const topic& about) {
  if (rules().is_calm) [[likely]] {
    cross(e, about, [](sim_duration delay) { return delay; });
  } else {
    pass_on_disturbed(e, about);
  }
}

template <class Host>
void transport<Host>::pass_on_disturbed(event& e, const topic& about) {
  const message_tampering done = tamper(e, about);
  if (done.drops()) {
    lose(e, e.from, about, events::loss_cause::loss);
    return;
  }
  const run_conditions& on = rules();
  const std::uint32_t passed = on.counts_passages ? nth_passed(e, about) : 0;
  if (!on.plan.cuts.empty() && is_cut(e, about, passed)) {
    lose(e, e.from, about, events::loss_cause::partition);
    return;
  }
  const bool arrives = cross(
      e, about, [&](sim_duration delay) { return slowed(e, about, passed, delay) + done.delay(); });
  if (!arrives) {
    return;
  }
  const sim_time first = e.due;
  for (const fault_effect& b : done.effects) {
    if (b.what == events::tampering::doubled) {
      e.due = std::min(first + b.by, std::max(host().now(), on.arrives_by));
      host().push(e);
    }
  }
}

template <class Host>
template <class Slow>
bool transport<Host>::cross(event& e, const topic& about, const Slow& slow) {
  const run_conditions& on = rules();
  const sim_time now = host().now();
  const sim_time latest = std::max(now, on.arrives_by);
  const sim::network& network = now < on.heals ? on.network : on.healed_network;
  const sim::laid_link* link = network.link(e.from, e.to);
  if (link == nullptr) {
    e.due = std::min(now + slow(sim_duration::zero()), latest);
    host().push(e);
    return true;
  }
  const std::uint32_t nth = link->steady ? 0 : nth_sent(e, about);
  const sim::message_key which{about.number, about.ride.value, nth};
  if (link->only_delays) [[likely]] {
    e.due = std::min(now + slow(network.delay(*link, e.from, e.to, which)), latest);
    host().push(e);
    return true;
  }
  const sim::passage through = network.pass(*link, e.from, e.to, which);
  if (through.copies == 0) {
    lose(e, e.from, about, events::loss_cause::loss);
    return false;
  }
  for (int copy = 0; copy < through.copies; ++copy) {
    e.due = std::min(now + slow(through.delays[static_cast<std::size_t>(copy)]), latest);
    host().push(e);
  }
  return true;
}

template <class Host>
bool transport<Host>::is_cut(const event& e, const topic& about, std::uint32_t nth) {
  const std::uint64_t ends = std::uint64_t{e.from.packed} << 32 | e.to.packed;
  const std::uint64_t what = std::uint64_t{about.number} << 32 | about.ride.value;
  const auto& cuts = rules().plan.cuts;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const sim::cut& c = cuts[i];
    if (c.is_on(host().now()) && c.lies_on(e.from, e.to) &&
        (c.loss >= 1 ||
         stream::keyed(rules().seed, purpose::cut_loss, ends, what, std::uint64_t{nth} << 32 | i)
             .happens(c.loss))) {
      link_faults_felt_.insert(c.entry);
      return true;
    }
  }
  return false;
}

template <class Host>
sim_duration transport<Host>::slowed(const event& e,
                                     const topic& about,
                                     std::uint32_t nth,
                                     sim_duration delay) {
  const std::uint64_t ends = std::uint64_t{e.from.packed} << 32 | e.to.packed;
  const std::uint64_t what = std::uint64_t{about.number} << 32 | about.ride.value;
  const auto& slowdowns = rules().plan.slowdowns;
  for (std::size_t i = 0; i < slowdowns.size(); ++i) {
    const sim::slowdown& s = slowdowns[i];
    if (s.is_on(host().now()) && s.lies_on(e.from, e.to)) {
      auto draws =
          stream::keyed(rules().seed, purpose::slowness, ends, what, std::uint64_t{nth} << 32 | i);
      const double longer = std::min(static_cast<double>(delay.count()) * s.factor,
                                     static_cast<double>(draw_max.count()));
      const sim_duration slow =
          as_if_drawn(sim_duration{static_cast<std::int64_t>(longer)} + draw(s.plus, draws));
      if (slow != delay) {
        link_faults_felt_.insert(s.entry);
      }
      delay = slow;
    }
  }
  return delay;
}

template <class Host>
message_tampering transport<Host>::tamper(const event& e, const topic& about) {
  return host().with_triggered_faults([&](triggered_faults& t) -> message_tampering {
    if (t.empty()) {
      return {};
    }
    const auto word = message_name_index(about.number);
    if (!word || e.from == e.to) {
      return {};
    }
    message_tampering done =
        t.at_sending({*word, e.from, e.to}, about.ride, about.token, host().now(), strikes_);
    for (const fault_effect& b : done.effects) {
      host().record(e.from,
                    events::message_tampered{e.from,
                                             e.to,
                                             static_cast<events::message_kind>(*word),
                                             b.what,
                                             b.by,
                                             about.ride,
                                             about.token});
    }
    return done;
  });
}

// -- arriving ------------------------------------------------------------------------------------

template <class Host>
void transport<Host>::spring(triggered_faults& t, const event& e) {
  if (e.role != role::message && e.role != role::answer) {
    return;
  }
  const auto word = message_name_index(e.number);
  if (!word || e.from == e.to) {
    return;
  }
  const topic about = topic_in(e);
  t.at_arrival({*word, e.from, e.to}, about.ride, about.token, host().now(), strikes_);
}

template <class Host>
void transport<Host>::pass_gate(const event& e) {
  if (outages_.of(e.to) == node_outages::state::open) [[likely]] {
    arrive(e);
  } else {
    find_shut(e);
  }
}

template <class Host>
void transport<Host>::find_shut(const event& e) {
  switch (outages_.of(e.to)) {
    case node_outages::state::open:
      arrive(e);
      return;
    case node_outages::state::paused:
      if (rules().is_heard_in_pauses(e.number) && e.role != role::repeat &&
          e.role != role::acknowledgement) {
        arrive(e);
      } else {
        outages_.hold(e);
      }
      return;
    case node_outages::state::crashed:
      lose_to_crash(e);
      return;
  }
}

template <class Host>
void transport<Host>::arrive(const event& e) {
  // The most frequent first: a switch would jump by a table, which no processor foresees.
  if (e.role == role::message) [[likely]] {
    if (e.exchange != 0) {
      acknowledge(e);
    }
    host().deliver(e);
    return;
  }
  switch (e.role) {
    case role::answer:
      // The answer to a repeated request may come twice: the sender takes the first.
      if (e.exchange == 0 || retransmissions_.close(e.exchange)) {
        host().deliver(e);
      }
      return;
    case role::timer:
      if (e.exchange == outages_.life(e.to) || e.exchange == any_life) {
        host().deliver(e);
      }
      return;
    case role::acknowledgement:
      retransmissions_.close(e.exchange);
      return;
    case role::repeat:
      repeat(e);
      return;
    default:
      ensure(false, "only these roles arrive at a gate");
  }
}

template <class Host>
void transport<Host>::acknowledge(const event& e) {
  std::optional<topic> about = host().ask_back(e);
  if (!about) {
    return;
  }
  about->number |= 0x8000;  // draws of its own
  event back = addressed(e.to, e.from, role::acknowledgement);
  back.exchange = e.exchange;
  pass_on(back, *about);
}

template <class Host>
void transport<Host>::repeat(const event& e) {
  unacknowledged* sent = retransmissions_.find(e.exchange);
  if (sent == nullptr) {
    return;
  }
  if (sent->repeats_left == 0 || sent->life != outages_.life(e.to)) {
    retransmissions_.close(e.exchange);
    return;
  }
  --sent->repeats_left;
  event copy = sent->message;
  copy.exchange = e.exchange;
  const topic about = sent->about;
  event again = e;
  again.due = local_due(e.to, sent->every);
  host().push(again);
  pass_on(copy, about);
}

template <class Host>
void transport<Host>::lose_to_crash(const event& e) {
  if (e.role == role::message || e.role == role::answer) {
    lose(e, e.to, topic_in(e), events::loss_cause::crash);
  }
}

// -- outages -------------------------------------------------------------------------------------

template <class Host>
void transport<Host>::begin_outage(node_id n, sim::outage_kind kind, sim_time until) {
  if (kind == sim::outage_kind::pause) {
    if (outages_.pause(n, until)) {
      host().record(n, events::node_paused{n});
    }
    return;
  }
  std::vector<event> lost;
  if (!outages_.crash(n, until, lost)) {
    return;
  }
  host().record(n, events::node_crashed{n});
  for (const event& late : lost) {
    lose_to_crash(late);
  }
  host().on_crash(n);
}

template <class Host>
void transport<Host>::end_outage(const event& e) {
  const bool is_pause = e.role == role::resume;
  const auto which = is_pause ? node_outages::state::paused : node_outages::state::crashed;
  if (!outages_.is_over(e.to, which, host().now())) {
    return;  // another outage has taken its place, or lasts longer
  }
  const std::vector<event> held = outages_.open(e.to);
  if (is_pause) {
    host().record(e.to, events::node_resumed{e.to});
    for (const event& late : held) {
      pass_gate(late);
      strike_now();
    }
    return;
  }
  host().record(e.to, events::node_restarted{e.to});
  host().on_restart(e.to);
}

template <class Host>
void transport<Host>::strike_now() {
  for (const strike& s : std::exchange(strikes_, {})) {
    if (const auto until = end_of(s)) {
      host().strike_node(s, *until);
    }
  }
}

template <class Host>
std::optional<sim_time> transport<Host>::end_of(const strike& s) {
  const sim_time heals = rules().heals;
  if (!s.until_expiry) {
    return std::min(host().now() + s.length, heals);
  }
  const std::optional<sim_time> expiry = host().expiry_of(s.token);
  if (!expiry || *expiry == sim_time::max()) {
    return std::nullopt;
  }
  const sim_time until = std::min(*expiry + *s.until_expiry, heals);
  return until > host().now() ? std::optional(until) : std::nullopt;
}

}  // namespace dibs::runtime
