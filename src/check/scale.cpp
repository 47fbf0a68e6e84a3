#include "check/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

namespace dibs::check {
namespace {

constexpr double scale_min = 0.1;
constexpr double scale_max = 20;

template <class... Handlers>
struct by_kind : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
by_kind(Handlers...) -> by_kind<Handlers...>;

signed_distribution scaled_offset(const signed_distribution& of, double times) {
  return signed_distribution{check::scaled(of.shape, times)};
}

/// Names the nodes that `mine` has.
class node_mapping {
 public:
  explicit node_mapping(const scenario::scenario& mine) : mine_(mine) {}

  void apply(sim::node_pattern& p) const {
    if (!p.index) {
      return;
    }
    if (p.kind == node_kind::matcher) {
      p.index = *p.index % mine_.matchers.count;
    } else if (p.kind == node_kind::driver) {
      p.index = *p.index % mine_.drivers.count;
    } else if (p.kind == node_kind::lease_manager && !mine_.lease.standby) {
      p.index.reset();
    }
  }
  void apply(sim::node_group& g) const {
    for (sim::node_pattern& p : g.nodes) {
      apply(p);
    }
  }
  void apply(std::optional<sim::trigger>& t) const {
    if (t) {
      apply(*t);
    }
  }
  void apply(sim::trigger& t) const {
    for (auto* end : {&t.from, &t.to}) {
      if (*end) {
        apply(**end);
      }
    }
  }

 private:
  const scenario::scenario& mine_;
};

/// From the time of the incident to that of `mine`, `round` repetitions of it later.
struct time_mapping {
  sim_duration from{};  ///< where the measured time of the incident begins
  sim_duration to{};
  sim_duration length{};
  double times = 1;
  std::size_t round = 0;

  [[nodiscard]] sim_duration operator()(sim_duration t) const {
    return std::max(to + scaled(t - from + length * static_cast<std::int64_t>(round), times),
                    sim_duration::zero());
  }
};

/// When it strikes, if that is known ahead.
std::optional<sim_duration> strikes_at(const scenario::fault& f) {
  return std::visit(
      [](const auto& what) -> std::optional<sim_duration> {
        using kind = std::remove_cvref_t<decltype(what)>;
        if constexpr (requires { what.at.has_value(); }) {
          return what.at;
        } else if constexpr (requires { what.at; }) {
          return what.at;
        } else if constexpr (!std::is_same_v<kind, sim::crash_fault>) {
          return what.when.since > sim_duration::zero() ? std::optional(what.when.since)
                                                        : std::nullopt;
        }
        return std::nullopt;
      },
      f.what);
}

void move_trigger(sim::trigger& t, const time_mapping& at) {
  if (t.since > sim_duration::zero()) {
    t.since = at(t.since);
  }
  if (t.until) {
    t.until = at(*t.until);
  }
}

template <class Kind>
void move_times(Kind& what, const time_mapping& at) {
  if constexpr (requires { what.at.has_value(); }) {
    if (what.at) {
      what.at = at(*what.at);
    }
    what.rate_per_h /= at.times;
    if (what.when) {
      move_trigger(*what.when, at);
    }
  } else if constexpr (requires { what.at; }) {
    what.at = at(what.at);
  } else {
    move_trigger(what.when, at);
  }
}

template <class Kind>
void stretch(Kind& what, double times) {
  if constexpr (requires { what.length.has_value(); }) {
    if (what.length) {
      what.length = scaled(*what.length, times);
    }
  } else if constexpr (requires { what.length; }) {
    what.length = scaled(what.length, times);
  }
  if constexpr (requires { what.until_expiry; }) {
    if (what.until_expiry) {
      what.until_expiry = scaled(*what.until_expiry, times);
    }
  }
  if constexpr (requires { what.restart_after; }) {
    what.restart_after = scaled(what.restart_after, times);
  }
  if constexpr (requires { what.by; }) {
    what.by = scaled(what.by, times);
  }
  if constexpr (requires { what.plus; }) {
    what.plus = scaled(what.plus, times);
  }
}

template <class Kind>
void rename_nodes(Kind& what, const node_mapping& nodes) {
  if constexpr (requires { what.node; }) {
    nodes.apply(what.node);
  }
  if constexpr (requires { what.between; }) {
    nodes.apply(what.between[0]);
    nodes.apply(what.between[1]);
  }
  if constexpr (requires { what.when; }) {
    nodes.apply(what.when);
  }
}

void add_faults(const std::vector<scenario::fault>& told,
                const scenario::scenario& mine,
                time_mapping at,
                const std::string& name,
                std::vector<scenario::fault>& to) {
  const node_mapping nodes(mine);
  const auto until = mine.measured_until().time_since_epoch();
  for (bool any = true; any && to.size() < strikes_max; ++at.round) {
    any = false;
    for (const scenario::fault& each : told) {
      const auto when = strikes_at(each);
      if ((when && at(*when) >= until) || (!when && at.round > 0) || to.size() >= strikes_max) {
        continue;
      }
      any = any || when.has_value();
      scenario::fault f = each;
      f.id = fmt::format("{}-{}", name, to.size() + 1);
      std::visit(
          [&](auto& what) {
            move_times(what, at);
            stretch(what, at.times);
            rename_nodes(what, nodes);
          },
          f.what);
      to.push_back(std::move(f));
    }
  }
}

scenario::clock_error fitted_clock(const scenario::clock_error& told,
                                   const scenario::scenario& mine,
                                   time_mapping at) {
  scenario::clock_error c = told;
  node_mapping(mine).apply(c.node);
  c.offset = scaled_offset(c.offset, at.times);
  if (c.from > sim_duration::zero()) {
    c.from = at(c.from);
  }
  c.steps.clear();
  const auto until = mine.measured_until().time_since_epoch();
  for (bool any = !told.steps.empty(); any && c.steps.size() < strikes_max; ++at.round) {
    any = false;
    for (const scenario::clock_step& each : told.steps) {
      if (at(each.at) < until && c.steps.size() < strikes_max) {
        any = true;
        c.steps.push_back({at(each.at), scaled_offset(each.by, at.times)});
      }
    }
  }
  if (c.strobe) {
    c.strobe->every = scaled(c.strobe->every, at.times);
    c.strobe->by = scaled_offset(c.strobe->by, at.times);
    c.strobe->from = mine.measured_from().time_since_epoch();
    c.strobe->until = until;
  }
  return c;
}

scenario::link_options fitted_link(scenario::link_options l, double times) {
  l.latency = scaled(l.latency, times);
  if (l.reorder) {
    l.reorder->by = scaled(l.reorder->by, times);
  }
  if (l.retry) {
    l.retry->after = scaled(l.retry->after, times);
  }
  return l;
}

}  // namespace

sim_duration scaled(sim_duration length, double times) {
  if (length == forever || times == 1) {
    return length;
  }
  const auto exact =
      sim_duration{static_cast<std::int64_t>(static_cast<double>(length.count()) * times)};
  // Whole milliseconds, as people write them, of what is not too short for that.
  constexpr sim_duration long_enough = 10ms;
  return std::chrono::abs(exact) < long_enough
             ? exact
             : std::chrono::round<std::chrono::milliseconds>(exact);
}

distribution scaled(const distribution& of, double times) {
  distribution d = of;
  std::visit(by_kind{[&](constant_duration& x) { x.value = scaled(x.value, times); },
                     [&](uniform_duration& x) {
                       x.min = scaled(x.min, times);
                       x.max = scaled(x.max, times);
                     },
                     [&](exponential_duration& x) { x.mean = scaled(x.mean, times); },
                     [&](normal_duration& x) {
                       x.mean = scaled(x.mean, times);
                       x.sd = scaled(x.sd, times);
                     },
                     [&](lognormal_duration& x) { x.median = scaled(x.median, times); },
                     [&](weibull_duration& x) { x.scale = scaled(x.scale, times); },
                     [&](gamma_duration& x) { x.mean = scaled(x.mean, times); },
                     [&](quantiles_duration& x) {
                       for (auto& knot : x.knots) {
                         knot.value = scaled(knot.value, times);
                       }
                     },
                     [](never_duration&) {}},
             d);
  return d;
}

double scale_of(const cause& c, const scenario::scenario& mine) {
  const sim_duration theirs = c.told_without.lease.granted_ttl();
  const sim_duration ours = mine.lease.granted_ttl();
  if (theirs == forever || ours == forever || !mine.lease.rules().leases ||
      !mine.lease.rules().expires) {
    return 1;
  }
  return std::clamp(static_cast<double>(ours.count()) / static_cast<double>(theirs.count()),
                    scale_min,
                    scale_max);
}

environment fitted(const environment& of,
                   const cause& c,
                   const scenario::scenario& mine,
                   double times) {
  const time_mapping at{.from = c.told.clock.warmup,
                        .to = mine.clock.warmup,
                        .length = c.told.clock.duration,
                        .times = times};
  environment all;
  add_faults(of.faults, mine, at, c.name, all.faults);
  for (const scenario::clock_error& each : of.clocks) {
    all.clocks.push_back(fitted_clock(each, mine, at));
    all.clocks.back().id = fmt::format("{}-{}", c.name, all.clocks.size());
  }
  for (const scenario::link_options& each : of.links) {
    all.links.push_back(fitted_link(each, times));
  }
  if (of.view_lag) {
    all.view_lag = scaled(*of.view_lag, times);
  }
  if (of.answers) {
    all.answers = scaled(*of.answers, times);
  }
  return all;
}

}  // namespace dibs::check
