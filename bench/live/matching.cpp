#include "bench/live/matching.hpp"

#include "base/ensure.hpp"
#include "bench/live/ride_times.hpp"
#include "engine/live_run.hpp"
#include "engine/prepared_scenario.hpp"
#include "match/popularity.hpp"
#include "world/demand.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

namespace dibs::bench {
namespace {

/// Of one measurement: a bound on memory. At some 100 bytes a ride only those that appear cost any.
constexpr double rides_max = 4e6;

sim_duration true_time(double seconds, double speed) {
  return sim_duration{static_cast<std::int64_t>(seconds * speed * 1e9)};
}

/// When the rides of an open loop should appear, as the demand gives them.
std::function<sim_time()> arrivals_of(const scenario::scenario& s,
                                      const engine::prepared_scenario& shared,
                                      std::uint64_t seed) {
  auto rides = std::make_shared<world::demand>(shared.demand, shared.map, seed);
  return [rides, end = s.ends()] {
    const auto next = rides->next();
    return next ? next->at : end;
  };
}

std::uint64_t count_of(const metrics::report& r, const char* metric) {
  return static_cast<std::uint64_t>(r.value(metric).value_or(0));
}

matching_sample sample_of(const engine::live_result& live,
                          const ride_times& times,
                          const scenario::scenario& s,
                          const matching_options& o) {
  const metrics::report& m = live.run.metrics;
  const sim_duration measured = std::max(live.run.reached - s.measured_from(), sim_duration{1});
  matching_sample x;
  x.seconds = in_seconds(measured) / o.speed;
  x.matches = times.matches();
  if (lease::rules_of(o.protocol).leases) {
    x.conflicts = count_of(m, "leases.denied");
    x.attempts = count_of(m, "leases.granted") + x.conflicts;
    x.lease_operations = x.attempts + count_of(m, "confirms.taken") +
                         count_of(m, "confirms.refused") + count_of(m, "leases.early_release");
  } else {
    x.conflicts = times.refused_writes();
    x.attempts = count_of(m, "rides.committed") + x.conflicts;
  }
  x.to_match = times.to_match();
  x.in_matcher = times.in_matcher();
  x.unmatched = times.unmatched();
  x.double_commits = count_of(m, "double.commits");
  x.double_rides = count_of(m, "double.rides");
  x.violations = live.run.checks.violation_count;
  x.facts = live.run.facts;
  if (live.late.timers.count() > 0) {
    x.timer_late_p99_s = live.late.timers.quantile(0.99) / o.speed;
  }
  x.ran_out_of_rides = live.ran_out_of_rides;
  x.interrupted = live.run.interrupted;
  return x;
}

}  // namespace

std::optional<double> quantile_of(const stats::histogram& times, double q) {
  const double beyond = static_cast<double>(times.count()) * (1 - q);
  constexpr double rounding = 1e-9;
  if (times.count() == 0 || (q > 0.5 && beyond < 1 - rounding)) {
    return std::nullopt;
  }
  return times.quantile(q);
}

scenario::scenario matching_scenario(const matching_options& o) {
  scenario::scenario s;
  s.name = "matching";
  s.clock.warmup = true_time(o.seconds * warmup_share, o.speed);
  s.clock.duration = true_time(o.seconds, o.speed);
  s.clock.drain = {};
  s.world.geography = scenario::geography::none;
  s.world.trip = constant_duration{0s};
  const double whole_s = in_seconds(s.ends());
  const double rate = o.rate > 0 ? o.rate / o.speed : rides_max / whole_s;
  s.demand = {scenario::poisson_demand{.rate_per_s = rate, .from = {}, .until = {}}};
  s.riders.ask_again.reset();
  s.drivers.count = o.drivers;
  s.drivers.classes = {
      {.name = "all", .share = 1, .response = constant_duration{0s}, .accept = 1, .ignore = 0}};
  s.matchers.count = o.matchers;
  s.matchers.policy.kind = scenario::pick::random;
  s.matchers.view = o.blind ? scenario::view::blind : scenario::view::facts;
  s.matchers.offers.max = UINT32_MAX;
  s.matchers.offers.cooldown_after_decline = sim_duration::zero();
  s.matchers.offers.total_wait = forever;
  s.matchers.look_again = true_time(1e-3, o.speed);
  s.lease.protocol = o.protocol;
  return s;
}

result<matching_sample> measure_matching(const matching_options& o) {
  ensure(o.matchers > 0 && o.drivers > 0 && o.seconds > 0 && o.speed > 0 && o.threads > 0,
         "there is something to measure");
  const scenario::scenario s = matching_scenario(o);
  const auto shared = engine::prepare(s);
  if (!shared) {
    return tl::unexpected(shared.error());
  }
  ride_times times = o.rate > 0 ? ride_times(s.measured_from(), arrivals_of(s, *shared, o.seed))
                                : ride_times(s.measured_from(), o.in_flight);
  const match::popularity favourites(o.drivers, o.zipf, o.candidates);
  engine::run_options how;
  how.seed = o.seed;
  how.stop = o.stop;
  how.observers.push_back(&times);
  const auto live =
      engine::run_live(s,
                       how,
                       {.speed = o.speed,
                        .threads = o.threads,
                        .rides_at_once = o.rate > 0 ? o.at_once : std::min(o.at_once, o.in_flight),
                        .rides_follow = o.rate == 0,
                        .favourites = &favourites,
                        .rides_max = static_cast<std::size_t>(rides_max)});
  if (!live) {
    return tl::unexpected(live.error());
  }
  times.finish(live->run.reached);
  return sample_of(*live, times, s, o);
}

}  // namespace dibs::bench
