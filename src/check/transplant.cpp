#include "check/transplant.hpp"

#include "check/scale.hpp"
#include "scenario/field_needs.hpp"
#include "scenario/field_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <variant>

namespace dibs::check {
namespace {

using overrides = std::vector<scenario::override_value>;

/// The two ends of `a->b` or `a<->b`, in the direction that is asked for.
std::string directed(const std::string& text, bool forward) {
  const std::size_t arrow = text.find("->");
  const std::size_t left_end = arrow > 0 && text[arrow - 1] == '<' ? arrow - 1 : arrow;
  const std::string left = text.substr(0, left_end);
  const std::string right = text.substr(arrow + 2);
  return forward ? left + "->" + right : right + "->" + left;
}

/// One direction of a link, as an entry of its own.
scenario::link_options one_way(scenario::link_options l, bool forward) {
  l.text = directed(l.text, forward);
  if (!forward) {
    std::swap(l.from, l.to);
  }
  l.both_ways = false;
  return l;
}

std::vector<scenario::link_options> ways_of(const scenario::link_options& l) {
  std::vector<scenario::link_options> all{one_way(l, true)};
  if (l.both_ways) {
    all.push_back(one_way(l, false));
  }
  return all;
}

/// A link of the scenario under the disturbance: it loses as much, and what is held up longer than
/// it takes on the link is held up there too.
scenario::link_options disturbed(scenario::link_options own, const scenario::link_options& by) {
  own.loss = std::max(own.loss, by.loss);
  own.duplicate = std::max(own.duplicate, by.duplicate);
  if (by.reorder) {
    own.reorder = by.reorder;
  }
  if (mean_of(by.latency) > mean_of(own.latency)) {
    own.latency = by.latency;
  }
  if (own.retry && by.retry && by.retry->after > own.retry->after) {
    own.retry = by.retry;  // a repetition that comes late is the disturbance
  }
  return own;
}

/// The first entry that fits counts, so the disturbed ones stand first.
std::vector<scenario::link_options> network_of(const std::vector<scenario::link_options>& own,
                                               const std::vector<scenario::link_options>& by) {
  std::vector<scenario::link_options> all;
  for (const scenario::link_options& each : by) {
    for (const scenario::link_options& way : ways_of(each)) {
      const std::size_t before = all.size();
      for (const scenario::link_options& link : own) {
        for (const scenario::link_options& ours : ways_of(link)) {
          if (ours.from.kind == way.from.kind && ours.to.kind == way.to.kind) {
            all.push_back(disturbed(ours, way));
          }
        }
      }
      if (all.size() == before) {
        all.push_back(way);
      }
    }
  }
  const auto stands = [&](const scenario::link_options& way) {
    return std::ranges::find(all, way.text, &scenario::link_options::text) != all.end();
  };
  std::vector<scenario::link_options> rest;
  for (const scenario::link_options& link : own) {
    if (!std::ranges::all_of(ways_of(link), stands)) {
      rest.push_back(link);
    }
  }
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

scenario::scenario amid(const environment& around, scenario::scenario mine) {
  const auto timers_of = [&](const scenario::clock_error& c) {
    const auto own = std::ranges::find_if(mine.clocks, [&](const scenario::clock_error& each) {
      return each.node.kind == c.node.kind;
    });
    return own == mine.clocks.end() ? sim::timebase::monotonic : own->timers;
  };
  const auto clocks = around.clocks;
  for (scenario::clock_error each : clocks) {
    each.timers = timers_of(each);
    mine.clocks.push_back(std::move(each));
  }
  mine.faults.insert(mine.faults.end(), around.faults.begin(), around.faults.end());
  mine.network = network_of(mine.network, around.links);
  mine.matchers.view_lag =
      std::max(mine.matchers.view_lag, around.view_lag.value_or(sim_duration{}));
  for (scenario::driver_class& each : mine.drivers.classes) {
    if (around.answers && !std::holds_alternative<never_duration>(each.response)) {
      each.response = *around.answers;
    }
  }
  return mine;
}

/// The fields in which environment lie, as far as these two differ there.
overrides set_of(const scenario::scenario& mine, const scenario::scenario& changed) {
  constexpr std::array paths{"clocks", "faults", "network", "matchers.view_lag", "drivers.classes"};
  const scenario::field_values before(mine);
  const scenario::field_values after(changed);
  overrides all;
  for (const char* path : paths) {
    if (const auto value = after.find(path); value && value != before.find(path)) {
      all.push_back({path, *value});
    }
  }
  return all;
}

/// The lease rules of the incident, with lengths as they are for `mine`.
scenario::scenario rules_told(const scenario::scenario& told,
                              const scenario::scenario& mine,
                              double times) {
  scenario::scenario s = told;
  lease::lease_options& l = s.lease;
  for (sim_duration* each : {&l.ttl, &l.grace, &l.lock_delay, &l.jitter, &l.cleanup.every}) {
    *each = scaled(*each, times);
  }
  if (l.offer_window) {
    l.offer_window = mine.lease.offer_window
                         ? std::optional(scaled(*mine.lease.offer_window,
                                                static_cast<double>(l.ttl.count()) /
                                                    static_cast<double>(mine.lease.ttl.count())))
                         : std::nullopt;
  }
  return s;
}

bool is_below(const std::optional<sim_duration>& a, const std::optional<sim_duration>& b) {
  return a && b && *a < *b;
}

/// Whether a length of `mine` goes wrong in the direction of the incident's.
bool is_off(sim_duration own, sim_duration wrong, sim_duration right) {
  return wrong < right ? own < right : wrong > right && own > right;
}

/// Whether a rule of `mine` is as wrong as that of the incident.
bool is_wrong(const std::string& path,
              const scenario::scenario& mine,
              const scenario::scenario& wrong,
              const scenario::scenario& right) {
  const lease::lease_options& own = mine.lease;
  if (path == "lease.grace") {
    return is_off(own.grace, wrong.lease.grace, right.lease.grace);
  }
  if (path == "lease.lock_delay") {
    return is_off(own.lock_delay, wrong.lease.lock_delay, right.lease.lock_delay);
  }
  if (path == "lease.jitter") {
    return own.jitter == sim_duration::zero();
  }
  if (path.starts_with("lease.cleanup")) {
    return own.cleanup.kind == wrong.lease.cleanup.kind &&
           own.cleanup.kind != right.lease.cleanup.kind &&
           (own.cleanup.kind != lease::cleanup::periodic ||
            !is_below(own.cleanup.every * 2, wrong.lease.cleanup.every));
  }
  if (path == "lease.restart") {
    const lease::restart_options& bad = wrong.lease.restart;
    const lease::restart_options& good = right.lease.restart;
    return (own.restart.leases == bad.leases && own.restart.leases != good.leases) ||
           (own.restart.keeps_tokens == bad.keeps_tokens &&
            own.restart.keeps_tokens != good.keeps_tokens);
  }
  const auto value = scenario::field_values(mine).find(path);
  return value && value == scenario::field_values(wrong).find(path);
}

bool has_wall_timers(const scenario::scenario& s) {
  return std::ranges::any_of(s.clocks, [](const scenario::clock_error& c) {
    return c.node.kind == node_kind::lease_manager && c.timers == sim::timebase::wall;
  });
}

/// The timers of the lease manager's clocks, set for all its entries.
void set_timers(scenario::scenario& s, sim::timebase to) {
  for (scenario::clock_error& each : s.clocks) {
    if (each.node.kind == node_kind::lease_manager) {
      each.timers = to;
    }
  }
}

/// One side of the pair while it is put together.
struct side {
  scenario::scenario around;  ///< with its environment
  overrides rules{};
};

variant made(const scenario::scenario& mine, const side& s, std::string& why_not) {
  variant v;
  v.set = set_of(mine, s.around);
  v.set.insert(v.set.end(), s.rules.begin(), s.rules.end());
  auto read = changed(mine, v.set);
  if (!read) {
    why_not = read.error().text;
    return v;
  }
  v.value = std::move(*read);
  return v;
}

/// The wrong rules, and the right ones, on the sides where they belong.
void apply_rules(const cause& c,
                 const scenario::scenario& mine,
                 double times,
                 side& with,
                 side& without,
                 transplant& to) {
  const scenario::scenario wrong = rules_told(c.told, mine, times);
  const scenario::scenario right = rules_told(c.told_without, mine, times);
  const auto is_own = [&](const std::string& path) {
    return path == manager_timers ? has_wall_timers(mine) : is_wrong(path, mine, wrong, right);
  };
  const bool own = !c.is_of_ttl() && std::ranges::any_of(c.wrong_rules, is_own);
  to.from = own ? origin::own_rule : origin::other_rule;
  const scenario::field_values values(own ? right : wrong);
  for (const std::string& path : c.wrong_rules) {
    if (path == manager_timers) {
      set_timers(own ? without.around : with.around,
                 own ? sim::timebase::monotonic : sim::timebase::wall);
      for (std::size_t i = 0; own && i < mine.clocks.size(); ++i) {
        if (mine.clocks[i].node.kind == node_kind::lease_manager) {
          to.cure.push_back({fmt::format("clocks.{}.timers", i + 1), "monotonic"});
        }
      }
    } else if (const auto value = values.find(path)) {
      (own ? to.cure : with.rules).push_back({path, *value});
    }
  }
  if (own) {
    for (const scenario::override_value& each : to.cure) {
      if (!each.path.starts_with("clocks.")) {
        without.rules.push_back(each);
      }
    }
  }
}

/// Why the cause cannot befall the scenario, as far as that can be told without reading it.
std::string why_not(const cause& c, const scenario::scenario& mine) {
  if (!mine.lease.rules().leases && (c.is_of_rules() || c.told.lease.standby)) {
    return fmt::format("`{}` takes no leases", mine.lease.rules().name);
  }
  if (c.told.lease.standby && !mine.lease.standby) {
    return "no second lease manager stands by (`lease.standby`)";
  }
  if (c.told.matchers.count > 1 && c.told_without.matchers.count == 1 && mine.matchers.count == 1) {
    return "there is one matcher (`matchers.count`)";
  }
  const bool is_sweepers = std::ranges::any_of(
      c.with.clocks, [](const auto& each) { return each.node.kind == node_kind::sweeper; });
  if (is_sweepers && mine.lease.cleanup.by != lease::sweep_clock::sweeper) {
    return "no sweeper with a clock of its own ends leases (`lease.cleanup.by`)";
  }
  return "";
}

}  // namespace

result<scenario::scenario> changed(const scenario::scenario& mine, const overrides& set) {
  scenario::reading read =
      scenario::read_text(scenario::dump(mine), mine.name, mine.folder, set, mine.rows);
  if (!read.ok()) {
    return failure(exit_code::invalid_input,
                   read.diagnostics.front().path + ": " + read.diagnostics.front().message);
  }
  return std::move(read.value);
}

overrides effective(const scenario::scenario& mine, const overrides& set) {
  const std::string as_it_is = scenario::dump(mine);
  overrides all;
  for (const scenario::override_value& each : set) {
    const auto one = changed(mine, {each});
    if (!one || scenario::dump(*one) != as_it_is) {
      all.push_back(each);
    }
  }
  return all;
}

transplant transplanted(const cause& c, const scenario::scenario& mine, double times) {
  transplant t;
  t.from = c.is_of_rules() ? origin::other_rule : origin::environment;
  t.why_not = why_not(c, mine);
  if (!t.why_not.empty()) {
    return t;
  }
  side with{.around = amid(fitted(c.with, c, mine, times), mine)};
  side without{.around = amid(fitted(c.without, c, mine, times), mine)};
  if (c.is_of_rules()) {
    apply_rules(c, mine, times, with, without, t);
  }
  t.with = made(mine, with, t.why_not);
  if (t.why_not.empty()) {
    t.without = made(mine, without, t.why_not);
  }
  for (const std::string& path : c.wrong_rules) {
    if (const auto idle = path == manager_timers || !t.why_not.empty()
                              ? std::nullopt
                              : scenario::why_idle(t.with.value, path)) {
      t.why_not = *idle;
    }
  }
  if (t.why_not.empty() && scenario::dump(t.with.value) == scenario::dump(t.without.value)) {
    t.why_not = "it changes nothing of this scenario";
  }
  return t;
}

std::vector<scenario::override_value> joined(std::vector<scenario::override_value> first,
                                             const std::vector<scenario::override_value>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace dibs::check
