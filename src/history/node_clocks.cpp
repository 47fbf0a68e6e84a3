#include "history/node_clocks.hpp"

#include "engine/prepared_scenario.hpp"
#include "events/jsonl.hpp"
#include "world/demand.hpp"

#include <algorithm>
#include <array>

namespace dibs::history {
namespace {

using json = nlohmann::ordered_json;

/// Riders judge no deadline.
std::array<std::uint32_t, node_kinds> counts_of(const scenario::scenario& s) {
  std::array<std::uint32_t, node_kinds> counts{};
  counts[static_cast<std::size_t>(node_kind::driver)] = s.drivers.count;
  counts[static_cast<std::size_t>(node_kind::matcher)] = s.matchers.count;
  counts[static_cast<std::size_t>(node_kind::lease_manager)] = s.lease.standby ? 2 : 1;
  counts[static_cast<std::size_t>(node_kind::ledger)] = 1;
  counts[static_cast<std::size_t>(node_kind::sweeper)] = 1;
  return counts;
}

/// In the order in which rides are asked for, which is that of their numbers.
std::vector<std::uint64_t> keys_of(const recorded_run& h) {
  std::vector<std::uint64_t> keys;
  if (const auto shared = engine::prepare(h.scenario)) {
    world::demand rides(shared->demand, shared->map, h.seed);
    while (const auto plan = rides.next()) {
      keys.push_back(plan->key);
    }
  }
  return keys;
}

double seconds(sim_duration d) { return in_seconds(d); }

json json_of(node_id n, const sim::node_clock& c, bool by_wall) {
  json one{{"on", events::node_name(n)}, {"from", in_seconds(c.from)}, {"ppb", c.drift_ppb}};
  if (by_wall || c.timers == sim::timebase::wall) {
    one["offset"] = seconds(c.offset);
    auto steps = json::array();
    for (const auto& s : c.steps) {
      steps.push_back({in_seconds(s.at), seconds(s.by)});
    }
    one["steps"] = std::move(steps);
    if (c.flicker.from < c.flicker.until) {
      one["strobe"] = {seconds(c.flicker.every),
                       seconds(c.flicker.by),
                       in_seconds(c.flicker.from),
                       in_seconds(c.flicker.until)};
    }
  }
  return one;
}

bool is_off(const sim::node_clock& c, bool by_wall) {
  const bool wall_counts = by_wall || c.timers == sim::timebase::wall;
  return c.drift_ppb != 0 ||
         (wall_counts && (c.offset != sim_duration::zero() || !c.steps.empty() ||
                          c.flicker.from < c.flicker.until));
}

}  // namespace

node_clocks::node_clocks(const recorded_run& of)
    : of_(of),
      by_wall_(of.scenario.lease.is_absolute()),
      clocks_(of.scenario.clocks, counts_of(of.scenario), of.seed) {
  const auto& errors = of.scenario.clocks;
  const bool redraws = std::ranges::any_of(
      errors, [](const auto& each) { return each.redraw == sim::redraw::lease; });
  if (by_wall_ && redraws) {
    ride_keys_ = keys_of(of);
  }
}

std::uint64_t node_clocks::key_of(ride_id r) const {
  return r.is_some() && r.value < ride_keys_.size() ? ride_keys_[r.value] : 0;
}

local_time node_clocks::judging(node_id n, sim_time t, ride_id r, driver_id d) const {
  const sim::node_clock& clock = clocks_.of(n);
  if (!by_wall_) {
    return clock.reading(t);
  }
  const bool has_own = clock.redraws && r.is_some() && d.is_some() && !ride_keys_.empty();
  return has_own ? clocks_.wall_for(n, t, key_of(r), d) : clock.wall(t);
}

std::vector<clock_setting> node_clocks::settings(node_id n, const time_interval& when) const {
  const sim::node_clock& clock = clocks_.of(n);
  std::vector<clock_setting> all;
  if (by_wall_ || clock.timers == sim::timebase::wall) {
    for (const auto& each : clock.steps) {
      if (when.holds(each.at) && each.by != sim_duration::zero()) {
        all.push_back({each.at, each.by});
      }
    }
  }
  return all;
}

sim_duration node_clocks::beyond_timers(node_id n, sim_time t, ride_id r, driver_id d) const {
  return judging(n, t, r, d) - clocks_.of(n).reading(t);
}

std::optional<sim_duration> node_clocks::left_at_offer(const metrics::try_record& t) const {
  const sim_duration ttl = of_.scenario.lease.granted_ttl();
  const bool has_deadline = t.is_leased() && t.deadline != never && ttl != forever;
  if (!by_wall_ || !has_deadline || t.sent == never || !t.matcher.is_some()) {
    return std::nullopt;
  }
  const node_id manager{node_kind::lease_manager, 0};
  return judging(manager, t.granted, t.ride, t.driver) + ttl -
         judging(node_of(t.matcher), t.sent, t.ride, t.driver);
}

std::optional<sim_time> node_clocks::trusted_until(const metrics::try_record& t) const {
  const auto left = left_at_offer(t);
  if (!left || t.deadline - t.granted > of_.scenario.lease.granted_ttl()) {
    return std::nullopt;  // a renewal brought another deadline, heard who knows when
  }
  const sim::node_clock& clock = clocks_.of(node_of(t.matcher));
  return std::min(clock.due(clock.reading(t.sent) + std::max(*left, sim_duration::zero()), t.sent),
                  of_.end);
}

std::optional<sim_time> node_clocks::shown_until(const metrics::try_record& t) const {
  if (t.shown == never || t.phone_deadline == local_time::max()) {
    return std::nullopt;
  }
  return std::min(clocks_.of(node_of(t.driver)).due(t.phone_deadline, t.shown), of_.end);
}

nlohmann::ordered_json node_clocks::json(const std::vector<bool>& drivers) const {
  auto all = nlohmann::ordered_json::array();
  const auto counts = counts_of(of_.scenario);
  for (const node_kind kind :
       {node_kind::matcher, node_kind::lease_manager, node_kind::ledger, node_kind::driver}) {
    for (std::uint32_t i = 0; i < counts[static_cast<std::size_t>(kind)]; ++i) {
      const bool is_drawn = kind != node_kind::driver || (i < drivers.size() && drivers[i]);
      const sim::node_clock& clock = clocks_.of({kind, i});
      if (is_drawn && is_off(clock, by_wall_)) {
        all.push_back(json_of({kind, i}, clock, by_wall_));
      }
    }
  }
  return all;
}

}  // namespace dibs::history
