#include "engine/worst_case.hpp"

#include "sim/faults.hpp"
#include "sim/triggers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

namespace dibs::engine {
namespace {

using sim::message_words;

/// The least and the most that a draw can be; `forever` if there is no such bound.
struct range {
  sim_duration least{};
  sim_duration most{};

  [[nodiscard]] sim_duration either_way() const { return std::max(-least, most); }
};

range range_of(const distribution& d) {
  if (const auto* c = std::get_if<constant_duration>(&d)) {
    return {c->value, c->value};
  }
  if (const auto* u = std::get_if<uniform_duration>(&d)) {
    return {u->min, u->max};
  }
  if (const auto* q = std::get_if<quantiles_duration>(&d)) {
    return {q->knots.front().value, q->knots.back().value};
  }
  return {-forever, forever};
}

// -- clocks --------------------------------------------------------------------------------------

/// How far the wall clock may be set off by what is done to it during the run.
sim_duration set_off(const scenario::clock_error& c) {
  sim_duration all{};
  for (const scenario::clock_step& step : c.steps) {
    all = sum({all, range_of(step.by.shape).either_way()});
  }
  return c.strobe ? sum({all, range_of(c.strobe->by.shape).either_way()}) : all;
}

/// What the clock gains or loses in a second, at worst.
double drift_ppm_of(const scenario::clock_error& c) {
  const sim_duration gained = range_of(c.drift.shape).either_way();
  return gained == forever ? std::numeric_limits<double>::infinity()
                           : static_cast<double>(gained.count()) / 1000;
}

/// Timers on a wall clock fire early or late when it is set.
bool timers_jump(const scenario::clock_error& c) {
  const bool is_set_later =
      c.from > sim_duration::zero() && range_of(c.offset.shape).either_way() > sim_duration::zero();
  return c.timers == sim::timebase::wall && (is_set_later || set_off(c) > sim_duration::zero());
}

// -- links ---------------------------------------------------------------------------------------

bool lies_between(const scenario::link_options& l, node_kind from, node_kind to) {
  return (l.from.kind == from && l.to.kind == to) ||
         (l.both_ways && l.from.kind == to && l.to.kind == from);
}

bool covers(const scenario::node_group& g, node_kind kind) {
  return std::ranges::any_of(g.nodes, [kind](const auto& p) { return p.kind == kind; });
}

/// A partition or a slowdown.
template <class Fault>
bool lies_between(const Fault& f, node_kind from, node_kind to) {
  return (covers(f.between[0], from) && covers(f.between[1], to)) ||
         (f.both_ways && covers(f.between[0], to) && covers(f.between[1], from));
}

bool may_be_about(const sim::trigger& when, node_kind from, node_kind to) {
  return (!when.from || when.from->kind == from) && (!when.to || when.to->kind == to);
}

/// Whether what the fault drops keeps nobody and nothing for ever: what a matcher asks the lease
/// manager and offers to drivers, and the answers. None goes to the ledger or comes from it, and
/// nobody waits for one longer than a timeout or a lease.
bool is_made_good(const scenario::drop_fault& f) {
  constexpr std::array<std::string_view, 12> words{"acquire",
                                                   "lease_given",
                                                   "lease_refused",
                                                   "confirm",
                                                   "confirm_taken",
                                                   "confirm_denied",
                                                   "renew",
                                                   "lease_extended",
                                                   "renewal_denied",
                                                   "release",
                                                   "offer",
                                                   "offer_answer"};
  return f.when.message && std::ranges::find(words, message_words[*f.when.message]) != words.end();
}

/// Whether the fault drops what nobody sends again.
bool loses(const scenario::fault& f, node_kind from, node_kind to) {
  const auto* drop = std::get_if<scenario::drop_fault>(&f.what);
  return drop != nullptr && may_be_about(drop->when, from, to) && !is_made_good(*drop);
}

/// A copy that is sent again because no acknowledgement came.
sim_duration sent_again(const scenario::link_options& l) {
  return l.retry ? times(l.retry->after, l.retry->max) : sim_duration::zero();
}

// -- faults --------------------------------------------------------------------------------------

/// Of a fault that delays messages, or sends second copies: what it waits for, and by how much.
std::pair<const sim::trigger*, sim_duration> held_up(const scenario::fault& f) {
  if (const auto* d = std::get_if<scenario::delay_fault>(&f.what)) {
    return {&d->when, range_of(d->by).most};
  }
  if (const auto* d = std::get_if<scenario::duplicate_fault>(&f.what)) {
    return {&d->when, range_of(d->after).most};
  }
  return {};
}

/// `forever` where it lasts until a lease is over.
sim_duration longest_pause(const scenario::pause_fault& p) {
  return p.length ? range_of(*p.length).most : forever;
}

/// How long a fault may keep the lease manager down in all, late sweeps counted; `forever` without
/// a bound.
sim_duration downtime_of(const scenario::fault& f, sim_duration sweep) {
  const auto once = [](const auto& outage) {
    return outage.at.has_value() || (outage.when && outage.when->nth);
  };
  const auto* p = std::get_if<scenario::pause_fault>(&f.what);
  if (p != nullptr && p->node.kind == node_kind::lease_manager) {
    return once(*p) ? longest_pause(*p) : forever;
  }
  const auto* c = std::get_if<scenario::crash_fault>(&f.what);
  if (c != nullptr && c->node.kind == node_kind::lease_manager) {
    return once(*c) ? sum({c->restart_after, sweep}) : forever;
  }
  return sim_duration::zero();
}

}  // namespace

sim_duration times(sim_duration length, double factor) {
  const double ns = std::ceil(static_cast<double>(length.count()) * factor);
  return ns >= static_cast<double>(forever.count()) ? forever
                                                    : sim_duration{static_cast<std::int64_t>(ns)};
}

sim_duration sum(std::initializer_list<sim_duration> parts) {
  sim_duration all{};
  for (const sim_duration part : parts) {
    if (part >= forever - all) {
      return forever;
    }
    all += part;
  }
  return all;
}

sim_duration longest_of(const distribution& d) { return range_of(d).most; }

sim_duration longest_on(const scenario::link_options& l) {
  return sum({range_of(l.latency).most,
              l.reorder ? range_of(l.reorder->by).most : sim_duration::zero(),
              sent_again(l)});
}

double worst_case::drift_ppm(node_kind kind) const {
  double worst = 0;
  for (const scenario::clock_error& c : of_.clocks) {
    if (c.node.kind == kind) {
      worst = std::max(worst,
                       timers_jump(c) ? std::numeric_limits<double>::infinity() : drift_ppm_of(c));
    }
  }
  return worst;
}

sim_duration worst_case::skew(node_kind kind) const {
  sim_duration worst{};
  for (const scenario::clock_error& c : of_.clocks) {
    if (c.node.kind == kind) {
      const sim_duration drifted = times(of_.ends().time_since_epoch(), drift_ppm_of(c) * 1e-6);
      worst = std::max(worst, sum({range_of(c.offset.shape).either_way(), set_off(c), drifted}));
    }
  }
  return worst;
}

sim_duration worst_case::delay(node_kind from,
                               node_kind to,
                               const std::vector<std::string_view>& words) const {
  sim_duration worst{};
  for (const scenario::link_options& l : of_.network) {
    worst = lies_between(l, from, to) ? std::max(worst, longest_on(l)) : worst;
  }
  for (const scenario::fault& f : of_.faults) {
    const auto* slow = std::get_if<scenario::slow_fault>(&f.what);
    if (slow != nullptr && lies_between(*slow, from, to)) {
      worst = sum({times(worst, std::max(1.0, slow->factor)), range_of(slow->plus).most});
    }
    const auto [when, by] = held_up(f);
    if (when == nullptr || !may_be_about(*when, from, to)) {
      continue;
    }
    const auto which = when->message.value_or(sim::any_message);
    if (words.empty() || which == sim::any_message ||
        std::ranges::find(words, message_words[which]) != words.end()) {
      worst = sum({worst, by});
    }
  }
  return worst;
}

sim_duration worst_case::sure_delay(node_kind from, node_kind to) const {
  const bool may_lose =
      std::ranges::any_of(of_.network,
                          [&](const auto& l) { return lies_between(l, from, to) && l.loss > 0; }) ||
      std::ranges::any_of(of_.faults, [&](const scenario::fault& f) { return loses(f, from, to); });
  return may_lose ? forever : delay(from, to);
}

bool worst_case::is_exact(node_kind a, node_kind b) const {
  const auto may_repeat = [&](const scenario::link_options& l) {
    return l.loss > 0 || l.duplicate > 0 ||
           (l.retry && sum({delay(a, b), delay(b, a)}) >= l.retry->after);
  };
  const bool links = std::ranges::none_of(of_.network, [&](const auto& l) {
    return (lies_between(l, a, b) || lies_between(l, b, a)) && may_repeat(l);
  });
  return links && std::ranges::none_of(of_.faults, [](const scenario::fault& f) {
           return std::holds_alternative<scenario::drop_fault>(f.what) ||
                  std::holds_alternative<scenario::duplicate_fault>(f.what);
         });
}

bool worst_case::may_be_cut(node_kind a, node_kind b) const {
  return std::ranges::any_of(of_.faults, [&](const scenario::fault& f) {
    const auto* p = std::get_if<scenario::partition_fault>(&f.what);
    return (p != nullptr && (lies_between(*p, a, b) || lies_between(*p, b, a))) || loses(f, a, b) ||
           loses(f, b, a);
  });
}

sim_duration worst_case::links_well() const {
  sim_duration last{};
  for (const scenario::fault& f : of_.faults) {
    std::visit(
        [&last](const auto& what) {
          if constexpr (requires { what.between; }) {
            last = std::max(last, sum({what.at, what.length}));
          }
        },
        f.what);
  }
  return last;
}

sim_duration worst_case::pause(node_kind kind) const {
  sim_duration longest{};
  for (const scenario::fault& f : of_.faults) {
    if (const auto* p = std::get_if<scenario::pause_fault>(&f.what);
        p != nullptr && p->node.kind == kind) {
      longest = std::max(longest, longest_pause(*p));
    }
  }
  return longest;
}

bool worst_case::may_crash(node_kind kind) const {
  return std::ranges::any_of(of_.faults, [kind](const scenario::fault& f) {
    const auto* c = std::get_if<scenario::crash_fault>(&f.what);
    return c != nullptr && c->node.kind == kind;
  });
}

std::optional<sim_duration> worst_case::overstay() const {
  const auto kind = of_.lease.cleanup.kind;
  if (kind == scenario::cleanup::lazy || kind == scenario::cleanup::none) {
    return std::nullopt;
  }
  const sim_duration sweep =
      kind == scenario::cleanup::periodic ? of_.lease.cleanup.every : sim_duration::zero();
  sim_duration all = sweep;
  for (const scenario::fault& f : of_.faults) {
    all = sum({all, downtime_of(f, sweep)});
  }
  return all == forever ? std::nullopt : std::optional(all);
}

}  // namespace dibs::engine
