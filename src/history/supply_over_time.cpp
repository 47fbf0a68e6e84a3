#include "history/supply_over_time.hpp"

#include "base/ensure.hpp"
#include "metrics/evaluators.hpp"

#include <algorithm>
#include <tuple>
#include <variant>

namespace dibs::history {
namespace {

using metrics::try_index;
using metrics::try_record;

enum class change : std::uint8_t { offline, lease_over, trip_over, online, lease, trip };

/// One thing that happens to a driver.
struct edge {
  std::uint32_t driver = 0;
  sim_time t{};
  change what{};
  try_index lease = metrics::no_try;
};

std::vector<edge> edges_of(const indexed_run& c) {
  std::vector<edge> all;
  for (const events::event& e : c.of().events) {
    if (const auto* on = std::get_if<events::driver_came_online>(&e.what)) {
      all.push_back({on->driver.value, e.t, change::online});
    } else if (const auto* off = std::get_if<events::driver_went_offline>(&e.what)) {
      all.push_back({off->driver.value, e.t, change::offline});
    }
  }
  const time_interval whole{sim_time{}, c.of().end};
  for (try_index i = 0; i < c.tries().size(); ++i) {
    const try_record& t = c.tries()[i];
    const auto add = [&](const time_interval& when, change begin, change end) {
      if (when.begin != never && !common(when, whole).is_empty()) {
        all.push_back({t.driver.value, when.begin, begin, i});
        if (when.end < whole.end) {
          all.push_back({t.driver.value, when.end, end, i});
        }
      }
    };
    add(t.lease(), change::lease, change::lease_over);
    add(t.commitment(), change::trip, change::trip_over);
  }
  std::ranges::stable_sort(all, [](const edge& a, const edge& b) {
    return std::tie(a.driver, a.t) < std::tie(b.driver, b.t);
  });
  return all;
}

/// Puts stretches of time into steps.
class steps {
 public:
  steps(const indexed_run& c, supply_layers& to)
      : c_(c),
        to_(to),
        whole_{.window = {sim_time{}, c.of().end},
               .grace = c.of().scenario.lease.grace,
               .end = c.of().end,
               .down = c.down(),
               .paused = c.paused()} {}

  void add(std::size_t layer, const time_interval& when) {
    if (when.is_empty()) {
      return;
    }
    auto& spent = to_.spent[layer];
    const auto after = std::upper_bound(to_.begins.begin(), to_.begins.end(), when.begin);
    auto i = static_cast<std::size_t>(after - to_.begins.begin()) - 1;
    for (; i < to_.begins.size() && to_.begins[i] < when.end; ++i) {
      const sim_time end = i + 1 < to_.begins.size() ? to_.begins[i + 1] : c_.of().end;
      spent[i] += common(when, {to_.begins[i], end}).length().count();
    }
  }

  void add_leased(try_index i, const time_interval& when) {
    const try_record& t = c_.tries()[i];
    const bool is_censored = t.granted < c_.window().end && t.over >= c_.window().end;
    if (t.converted && !is_censored) {
      add(static_cast<std::size_t>(layer::converting), when);
      return;
    }
    metrics::evaluation_context seen = whole_;
    seen.window.end = is_censored ? c_.window().end : whole_.window.end;
    const std::size_t rest = layers_before_parts + metrics::hidden_part_of(t, seen);
    cut_zombies(t, when, rest);
  }

 private:
  void cut_zombies(const try_record& t, const time_interval& when, std::size_t rest) {
    const time_interval dead = common(when, metrics::zombie_of(t, whole_));
    add(layers_before_parts + metrics::zombie_part, dead);
    cut_overhang(t, {when.begin, dead.is_empty() ? when.end : dead.begin}, rest);
  }

  void cut_overhang(const try_record& t, const time_interval& when, std::size_t rest) {
    add(rest, common(when, {sim_time::min(), t.deadline}));
    add(layers_before_parts + metrics::overhang_part, common(when, {t.deadline, never}));
  }

  const indexed_run& c_;
  supply_layers& to_;
  metrics::evaluation_context whole_;
};

/// A driver while her edges are walked along.
struct walker {
  bool online = false;
  int trips = 0;
  std::vector<try_index> leases;
  sim_time since{};

  void apply(const edge& e) {
    switch (e.what) {
      case change::online:
        online = true;
        return;
      case change::offline:
        online = false;
        return;
      case change::trip:
        ++trips;
        return;
      case change::trip_over:
        --trips;
        return;
      case change::lease:
        leases.push_back(e.lease);
        return;
      case change::lease_over:
        std::erase(leases, e.lease);
        return;
    }
  }

  void spend(steps& to, sim_time until) const {
    const time_interval when{since, until};
    if (!online) {
      to.add(static_cast<std::size_t>(layer::offline), when);
    } else if (trips > 0) {
      to.add(static_cast<std::size_t>(layer::on_trip), when);
    } else if (!leases.empty()) {
      to.add_leased(leases.back(), when);
    } else {
      to.add(static_cast<std::size_t>(layer::available), when);
    }
  }
};

std::vector<sim_time> begins_of(const indexed_run& c, sim_duration step) {
  // One step begins with the measured time, so that figures of it can be added up from steps.
  const sim_time from = c.window().begin;
  std::vector<sim_time> all{sim_time{}};
  const auto before = from.time_since_epoch() % step;
  for (sim_time t = sim_time{before}; t < c.of().end; t += step) {
    if (t > all.back()) {
      all.push_back(t);
    }
  }
  const sim_time until = c.window().end;
  if (until < c.of().end && !std::binary_search(all.begin(), all.end(), until)) {
    all.insert(std::upper_bound(all.begin(), all.end(), until), until);
  }
  return all;
}

}  // namespace

supply_layers supply_over_time(const indexed_run& c, sim_duration step, std::size_t steps_max) {
  ensure(step > sim_duration::zero() && steps_max > 0, "supply is shown in steps");
  const sim_duration length = c.of().end.time_since_epoch();
  const auto fits = static_cast<std::int64_t>(steps_max) * step.count();
  const std::int64_t times = std::max<std::int64_t>(1, (length.count() + fits - 1) / fits);
  supply_layers s;
  s.step = step * times;
  s.layers = {"offline", "available", "converting", "on_trip"};
  for (const std::string_view part : metrics::hidden_parts()) {
    s.layers.emplace_back(part);
  }
  s.begins = begins_of(c, s.step);
  s.spent.assign(s.layers.size(), std::vector<std::int64_t>(s.begins.size()));
  steps to(c, s);
  const std::vector<edge> edges = edges_of(c);
  std::size_t next = 0;
  for (std::uint32_t d = 0; d < c.of().scenario.drivers.count; ++d) {
    walker driver;
    for (; next < edges.size() && edges[next].driver == d; ++next) {
      driver.spend(to, edges[next].t);
      driver.since = edges[next].t;
      driver.apply(edges[next]);
    }
    driver.spend(to, c.of().end);
  }
  return s;
}

}  // namespace dibs::history
