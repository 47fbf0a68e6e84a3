#include "check/cause.hpp"

#include "base/distribution.hpp"
#include "scenario/read.hpp"

#include <algorithm>
#include <utility>

namespace dibs::check {
namespace {

/// Messages that take longer than this are held up, whatever the network is.
constexpr sim_duration held_up = 250ms;
/// A view that lags by more than this is old.
constexpr sim_duration old_view = 1s;

bool is_disturbed(const scenario::link_options& l) {
  return l.loss > 0 || l.duplicate > 0 || l.reorder.has_value() || mean_of(l.latency) > held_up;
}

environment environment_of(const scenario::scenario& s) {
  environment all{.faults = s.faults,
                  .clocks = s.clocks,
                  .links = {},
                  .view_lag = std::nullopt,
                  .answers = std::nullopt};
  for (scenario::link_options each : s.network) {
    if (is_disturbed(each)) {
      each.latency = mean_of(each.latency) > held_up ? each.latency : constant_duration{};
      all.links.push_back(std::move(each));
    }
  }
  if (s.matchers.view_lag > old_view) {
    all.view_lag = s.matchers.view_lag;
  }
  return all;
}

}  // namespace

bool cause::is_of_ttl() const {
  return std::ranges::find(wrong_rules, "lease.ttl") != wrong_rules.end();
}

cause cause_of(const incidents::incident& what) {
  const scenario::incident_options& told = what.with_cause.incident;
  cause c{.name = what.with_cause.name,
          .sentence = told.cause,
          .file = what.file,
          .harms = told.harms,
          .with = environment_of(what.with_cause),
          .without = environment_of(what.without),
          .told = what.with_cause,
          .told_without = what.without,
          .wrong_rules = {}};
  for (const std::string& each : told.without) {
    const std::string path = scenario::override_of(each).path;
    if (path.starts_with("lease.")) {
      c.wrong_rules.push_back(path);
    } else if (path.starts_with("clocks.") && path.ends_with(".timers")) {
      c.wrong_rules.emplace_back(manager_timers);
    } else if (path.starts_with("drivers.classes.")) {
      c.with.answers = what.with_cause.drivers.classes.front().response;
    }
  }
  return c;
}

}  // namespace dibs::check
