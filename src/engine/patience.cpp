#include "engine/patience.hpp"

#include "base/gamma.hpp"
#include "base/real.hpp"
#include "engine/worst_case.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>
#include <vector>

namespace dibs::engine {
namespace {

/// Whoever waits for what never happens waits in vain.
sim_duration finite(sim_duration d) { return d == forever ? sim_duration::zero() : d; }
sim_duration finite(const std::optional<sim_duration>& d) {
  return finite(d.value_or(sim_duration::zero()));
}

/// How far from 0 a draw may lie: where there is no bound, farther than one in 10^14 does.
struct farthest {
  static constexpr double means = 35;
  static constexpr double deviations = 8;

  static sim_duration size(sim_duration d) { return std::max(d, -d); }

  sim_duration operator()(const constant_duration& d) const { return size(d.value); }
  sim_duration operator()(const uniform_duration& d) const {
    return std::max(size(d.min), size(d.max));
  }
  sim_duration operator()(const exponential_duration& d) const { return times(d.mean, means); }
  sim_duration operator()(const normal_duration& d) const {
    return sum({size(d.mean), times(d.sd, deviations)});
  }
  sim_duration operator()(const lognormal_duration& d) const {
    return times(d.median, real::exp(deviations * d.sigma));
  }
  sim_duration operator()(const weibull_duration& d) const {
    return times(d.scale, real::exp(real::log(means) / d.shape));
  }
  sim_duration operator()(const gamma_duration& d) const {
    constexpr double nearly_all = 1 - 1e-14;
    return times(d.mean, real::gamma_quantile(d.shape, nearly_all) / d.shape);
  }
  sim_duration operator()(const quantiles_duration& d) const {
    return std::max(size(d.knots.front().value), size(d.knots.back().value));
  }
  sim_duration operator()(const never_duration&) const { return sim_duration::zero(); }
};

sim_duration long_draw(const distribution& d) { return std::visit(farthest{}, d); }
sim_duration long_draw(const signed_distribution& d) { return long_draw(d.shape); }

/// A ride crosses fewer links than this from one step to the next that the watchdog sees.
constexpr double crossings = 8;

/// The longest of all entries of a list.
template <class List, class Wait>
sim_duration longest_in(const List& list, Wait wait) {
  sim_duration longest{};
  for (const auto& entry : list) {
    longest = std::max(longest, wait(entry));
  }
  return longest;
}

/// The same of the faults of one kind, and all of them one after the other.
template <class Kind, class Wait>
sim_duration longest_fault(const scenario::scenario& s, Wait wait) {
  return longest_in(s.faults, [&](const scenario::fault& f) {
    const auto* of_kind = std::get_if<Kind>(&f.what);
    return of_kind == nullptr ? sim_duration::zero() : wait(*of_kind);
  });
}
template <class Kind, class Wait>
sim_duration faults_in_turn(const scenario::scenario& s, Wait wait) {
  sim_duration all{};
  for (const scenario::fault& f : s.faults) {
    if (const auto* of_kind = std::get_if<Kind>(&f.what)) {
      all = sum({all, wait(*of_kind)});
    }
  }
  return all;
}

/// How often in a row a message, or the answer to it, may be lost by chance before one comes
/// through: more than that happens once in 10^14 times. What is always lost is not waited for.
double losses_in_a_row(const scenario::scenario& s) {
  constexpr double hardly_ever = 1e-14;
  double arrives = 1;
  const auto loses = [&arrives](double share) { arrives *= share < 1 ? 1 - share : 1; };
  for (const scenario::link_options& l : s.network) {
    loses(l.loss);
  }
  for (const scenario::fault& f : s.faults) {
    if (const auto* drop = std::get_if<scenario::drop_fault>(&f.what)) {
      loses(drop->when.share);
    } else if (const auto* part = std::get_if<scenario::partition_fault>(&f.what)) {
      loses(part->loss);
    }
  }
  return arrives < 1 ? std::max(1.0, std::ceil(real::log(hardly_ever) / real::log(1 - arrives)))
                     : 1;
}

double slowest_link(const scenario::scenario& s) {
  double factor = 1;
  for (const scenario::fault& f : s.faults) {
    if (const auto* slow = std::get_if<scenario::slow_fault>(&f.what)) {
      factor *= std::max(slow->factor, 1.0);
    }
  }
  return factor;
}

constexpr std::string_view frame = "it says how long the run is, not what happens in it";
constexpr std::string_view comes_by_itself = "a ride that was not asked for yet waits for nobody";
constexpr std::string_view instant = "it says when something begins, not how long it lasts";
constexpr std::string_view gives_up = "who gives up brings no ride on";
constexpr std::string_view has_driver = "the ride has its driver";
constexpr std::string_view known_down = "the watchdog knows who is down, and waits";
constexpr std::string_view shortens = "it makes something happen earlier";

// -- the list ------------------------------------------------------------------------------------

using fields = std::vector<awaited_field>;

fields fields_of_world() {
  return {
      {"clock.start", nullptr, frame},
      {"clock.warmup", nullptr, frame},
      {"clock.duration", nullptr, frame},
      {"clock.drain", nullptr, frame},
      {"output.series", nullptr, "it only says how finely results are kept"},
      {"world.trip", nullptr, "the watchdog knows who is on a trip, and waits"},
      {"demand.trace.jitter.time", nullptr, comes_by_itself},
      {"demand.trace.shift", nullptr, comes_by_itself},
      {"demand.matrix.per", nullptr, comes_by_itself},
      {"demand.matrix.period", nullptr, comes_by_itself},
      {"demand.poisson.from", nullptr, comes_by_itself},
      {"demand.poisson.until", nullptr, comes_by_itself},
      {"demand.burst.at", nullptr, comes_by_itself},
      {"demand.burst.within", nullptr, comes_by_itself},
      {"demand.burst.every", nullptr, comes_by_itself},
  };
}

fields fields_of_people() {
  return {
      {"riders.patience.after", nullptr, gives_up},
      {"riders.cancel_after_match.after", nullptr, has_driver},
      {"riders.cancel_at_accept.after", nullptr, has_driver},
      {"riders.confirm.after", nullptr, "she has no longer than `within`"},
      {"riders.confirm.within",
       [](const auto& s) {
         return s.riders.confirm ? s.riders.confirm->within : sim_duration::zero();
       }},
      {"riders.no_show_after", [](const auto& s) { return finite(s.riders.no_show_after); }},
      {"riders.ask_again", [](const auto& s) { return finite(s.riders.ask_again); }},
      {"drivers.shifts",
       [](const auto& s) {
         return s.drivers.shifts ? long_draw(*s.drivers.shifts) : sim_duration::zero();
       }},
      {"drivers.drop_out.after", nullptr, "nobody waits for a phone to drop off"},
      {"drivers.drop_out.back_after",
       [](const auto& s) {
         return s.drivers.drop_out.share > 0 ? long_draw(s.drivers.drop_out.back_after)
                                             : sim_duration::zero();
       }},
      {"drivers.classes.response",
       [](const auto& s) {
         return longest_in(s.drivers.classes, [](const scenario::driver_class& c) {
           return times(long_draw(c.response),
                        std::max(c.by_pickup.response_at(world::pickup_effect::longest), 1.0));
         });
       }},
  };
}

fields fields_of_matchers() {
  return {
      {"matchers.view_lag", [](const auto& s) { return s.matchers.view_lag; }},
      {"matchers.offers.total_wait", nullptr, gives_up},
      {"matchers.offers.cooldown_after_decline",
       [](const auto& s) { return finite(s.matchers.offers.cooldown_after_decline); }},
      {"matchers.offers.stagger",
       [](const auto& s) { return times(s.matchers.offers.stagger, s.matchers.offers.at_once()); }},
      {"matchers.offers.next_try_after",
       [](const auto& s) { return long_draw(s.matchers.offers.next_try_after); }},
      {"matchers.look_again", [](const auto& s) { return finite(s.matchers.look_again); }},
      {"matchers.reply_timeout", [](const auto& s) { return finite(s.matchers.reply_timeout); }},
      {"matchers.batch", [](const auto& s) { return finite(s.matchers.batch); }},
      {"matchers.overhead", [](const auto& s) { return s.matchers.overhead; }},
      {"matchers.claims.ttl",
       [](const auto& s) {
         return s.matchers.claims ? s.matchers.claims->ttl : sim_duration::zero();
       }},
  };
}

fields fields_of_leases() {
  return {
      {"lease.ttl", [](const auto& s) { return finite(s.lease.ttl); }},
      {"lease.ttl_step", [](const auto& s) { return s.lease.ttl_step; }},
      {"lease.ttl_min", [](const auto& s) { return s.lease.ttl_min; }},
      {"lease.offer_window", [](const auto& s) { return finite(s.lease.offer_window); }},
      {"lease.grace", [](const auto& s) { return std::max(s.lease.grace, sim_duration::zero()); }},
      {"lease.margin", nullptr, shortens},
      {"lease.confirm_hold", [](const auto& s) { return finite(s.lease.confirm_hold); }},
      {"lease.jitter", [](const auto& s) { return s.lease.jitter; }},
      {"lease.lock_delay", [](const auto& s) { return s.lease.lock_delay; }},
      {"lease.hold_min", [](const auto& s) { return s.lease.hold_min; }},
      {"lease.handshake", [](const auto& s) { return finite(s.lease.handshake); }},
      {"lease.transaction", [](const auto& s) { return long_draw(s.lease.transaction); }},
      {"lease.cleanup.every", [](const auto& s) { return s.lease.cleanup.every; }},
      {"lease.cleanup.lag", [](const auto& s) { return s.lease.cleanup.lag; }},
      {"lease.renewal.stagger", nullptr, shortens},
      {"lease.renewal.timeout", [](const auto& s) { return s.lease.renewal.timeout; }},
      {"lease.renewal.retry", [](const auto& s) { return s.lease.renewal.retry; }},
      {"lease.restart.extra", [](const auto& s) { return s.lease.restart.extra; }},
      {"lease.restart.checkpoint", nullptr, "what is put on record is part of the TTL"},
      {"lease.standby.after",
       [](const auto& s) {
         return s.lease.standby ? s.lease.standby->after : sim_duration::zero();
       }},
      {"lease.standby.heartbeat",
       [](const auto& s) {
         return s.lease.standby ? s.lease.standby->heartbeat : sim_duration::zero();
       }},
      {"lease.zones.ttl",
       [](const auto& s) { return s.lease.zones ? s.lease.zones->ttl : sim_duration::zero(); }},
      {"lease.zones.margin", nullptr, shortens},
  };
}

fields fields_of_links() {
  return {
      {"network.latency",
       [](const auto& s) {
         const sim_duration once =
             longest_in(s.network, [](const auto& l) { return long_draw(l.latency); });
         return times(once, crossings * slowest_link(s));
       }},
      {"network.retry.after",
       [](const auto& s) {
         const sim_duration once = longest_in(s.network, [](const auto& l) {
           return l.retry ? times(l.retry->after, l.retry->max) : sim_duration::zero();
         });
         return times(once, crossings);
       }},
      {"network.reorder.by",
       [](const auto& s) {
         const sim_duration once = longest_in(s.network, [](const auto& l) {
           return l.reorder ? long_draw(l.reorder->by) : sim_duration::zero();
         });
         return times(once, crossings);
       }},
  };
}

fields fields_of_clocks() {
  return {
      {"clocks.offset",
       [](const auto& s) {
         return longest_in(s.clocks, [](const auto& c) { return long_draw(c.offset); });
       }},
      {"clocks.from", nullptr, instant},
      {"clocks.steps.at", nullptr, instant},
      {"clocks.steps.by",
       [](const auto& s) {
         return longest_in(s.clocks, [](const scenario::clock_error& c) {
           sim_duration all{};
           for (const scenario::clock_step& step : c.steps) {
             all = sum({all, long_draw(step.by)});
           }
           return all;
         });
       }},
      {"clocks.strobe.every",
       [](const auto& s) {
         return longest_in(s.clocks, [](const scenario::clock_error& c) {
           return c.strobe ? c.strobe->every : sim_duration::zero();
         });
       }},
      {"clocks.strobe.by",
       [](const auto& s) {
         return longest_in(s.clocks, [](const scenario::clock_error& c) {
           return c.strobe ? long_draw(c.strobe->by) : sim_duration::zero();
         });
       }},
      {"clocks.strobe.from", nullptr, instant},
      {"clocks.strobe.until", nullptr, instant},
  };
}

fields fields_of_faults() {
  return {
      {"faults.pause.at", nullptr, instant},
      {"faults.pause.for", nullptr, known_down},
      {"faults.pause.until_expiry", nullptr, known_down},
      {"faults.crash.at", nullptr, instant},
      {"faults.crash.restart_after", nullptr, known_down},
      {"faults.partition.at", nullptr, instant},
      {"faults.partition.for",
       [](const auto& s) {
         return faults_in_turn<scenario::partition_fault>(s,
                                                          [](const auto& f) { return f.length; });
       }},
      {"faults.slow.at", nullptr, instant},
      {"faults.slow.for",
       [](const auto& s) {
         return faults_in_turn<scenario::slow_fault>(s, [](const auto& f) { return f.length; });
       }},
      {"faults.slow.plus",
       [](const auto& s) {
         return times(faults_in_turn<scenario::slow_fault>(
                          s, [](const auto& f) { return long_draw(f.plus); }),
                      crossings);
       }},
      {"faults.delay.by",
       [](const auto& s) {
         return times(
             longest_fault<scenario::delay_fault>(s, [](const auto& f) { return long_draw(f.by); }),
             crossings);
       }},
      {"faults.duplicate.after",
       [](const auto& s) {
         return longest_fault<scenario::duplicate_fault>(
             s, [](const auto& f) { return long_draw(f.after); });
       }},
      {"faults.*.when.since", nullptr, instant},
      {"faults.*.when.until",
       [](const auto& s) {  // what is dropped until then comes through afterwards
         return longest_fault<scenario::drop_fault>(
             s, [](const auto& f) { return finite(f.when.until); });
       }},
  };
}

fields all_fields() {
  fields all;
  for (const auto& some : {fields_of_world(),
                           fields_of_people(),
                           fields_of_matchers(),
                           fields_of_leases(),
                           fields_of_links(),
                           fields_of_clocks(),
                           fields_of_faults()}) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

/// No clock runs at less than half the rate of true time, and most run at it.
bool drifts(const scenario::clock_error& c) {
  const auto* steady = std::get_if<constant_duration>(&c.drift.shape);
  return steady == nullptr || steady->value != sim_duration::zero();
}

}  // namespace

std::span<const awaited_field> awaited_fields() {
  static const fields all = all_fields();
  return all;
}

stall_limits stall_limits_of(const scenario::scenario& s) {
  sim_duration all = 10min;
  for (const awaited_field& f : awaited_fields()) {
    if (f.wait != nullptr) {
      all = sum({all, f.wait(s)});
    }
  }
  // Whoever lost one message waits as long for the answer to the next.
  all = times(all, losses_in_a_row(s));
  stall_limits p;
  p.quiet_max = std::ranges::any_of(s.clocks, drifts) ? times(all, 2) : all;
  return p;
}

}  // namespace dibs::engine
