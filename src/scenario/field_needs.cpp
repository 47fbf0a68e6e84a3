#include "scenario/field_needs.hpp"

#include "scenario/field_paths.hpp"
#include "scenario/fields.hpp"
#include "scenario/scenario.hpp"

#include <algorithm>
#include <array>
#include <variant>

namespace dibs::scenario {

namespace {

bool may_lose_manager(const scenario& s) {
  return s.lease.standby || std::ranges::any_of(s.faults, [](const fault& f) {
           const auto* crash = std::get_if<crash_fault>(&f.what);
           return crash != nullptr && crash->node.kind == node_kind::lease_manager;
         });
}

bool reads_wall_clocks(const scenario& s) {
  return s.lease.is_absolute() || s.lease.clock == expiry_clock::requester ||
         s.lease.cleanup.by == sweep_clock::sweeper ||
         std::ranges::any_of(s.clocks,
                             [](const clock_error& c) { return c.timers == sim::timebase::wall; });
}

/// Where a path has come to in the table.
struct step {
  const field_description* about = nullptr;
  std::vector<const member_description*> members{};  ///< of this name; alternatives may share one
};

step enter(const field_description& mapping, const std::string& key) {
  step next;
  const auto look_in = [&](const std::vector<member_description>& members) {
    for (const member_description& m : members) {
      if (m.key == key) {
        next.members.push_back(&m);
        next.about = m.value.get();
      }
    }
  };
  look_in(mapping.members);
  for (const alternative_shape& a : mapping.alternatives) {
    look_in(a.members);
  }
  return next;
}

}  // namespace

bool takes_leases(const scenario& s) { return s.lease.rules().leases; }

need of_leases() { return {takes_leases, "no leases are taken; see `lease.protocol`"}; }

need of_expiry() {
  return {[](const scenario& s) { return s.lease.rules().expires && s.lease.ttl != forever; },
          "no lease ends for want of time; see `lease.protocol`, `lease.ttl`"};
}

// A confirmed lease is freed after `lease.confirm_hold`, whether or not leases expire.
need of_running_out() {
  return {[](const scenario& s) {
            const bool may_be_unwritten =
                s.lease.judge != judge::holder && s.lease.commit == commit_at::ledger;
            return may_be_unwritten || of_expiry().is_met(s);
          },
          "no lease runs out; see `lease.protocol`, `lease.ttl`, `lease.judge`"};
}

need of_renewals() {
  return {[](const scenario& s) { return s.lease.renewal.kind != lease::renewal::none; },
          "no lease is renewed; see `lease.renewal.kind`"};
}

need of_lost_managers() {
  return {may_lose_manager,
          "no lease manager crashes, and there is no other; see `faults`, `lease.standby`"};
}

need of_fence() {
  return {[](const scenario& s) { return s.lease.rules().ledger == lease::ledger_rule::fence; },
          "the ledger compares no tokens; see `lease.protocol`"};
}

need of_map() {
  return {[](const scenario& s) { return s.world.geography == geography::map; },
          "there is no map; see `world.geography`"};
}

need of_trace() {
  return {[](const scenario& s) {
            return std::ranges::any_of(s.demand, [](const demand_source& d) {
              return std::holds_alternative<trace_demand>(d) ||
                     std::holds_alternative<matrix_demand>(d);
            });
          },
          "no ride comes from a trace or a matrix, which alone have times of day; see `demand`"};
}

need of_wall_clocks() {
  return {reads_wall_clocks,
          "no deadline is read off a wall clock; see `lease.deadline`, `lease.judge`"};
}

std::optional<std::string> why_idle(const scenario& s, const std::string& path) {
  const field_description* about = scenario_kind().about.get();
  for (std::size_t begin = 0; about != nullptr && begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    if (about->what == field_description::form::list) {
      about = about->element.get();
    } else {
      const step next = enter(*about, path.substr(begin, end - begin));
      for (const member_description* m : next.members) {
        for (const need& n : m->needs) {
          if (!n.is_met(s)) {
            return n.otherwise;
          }
        }
      }
      about = next.about;
    }
    begin = end + 1;
  }
  return std::nullopt;
}

bool is_of_runs(const std::string& path) {
  static constexpr std::array<std::string_view, 11> others{"version",
                                                           "name",
                                                           "question",
                                                           "incident",
                                                           "costs",
                                                           "output",
                                                           "thresholds",
                                                           "expect",
                                                           "clock.warmup",
                                                           "clock.duration",
                                                           "lease.profile"};
  return std::ranges::none_of(others,
                              [&](std::string_view other) { return is_within(path, other); });
}

}  // namespace dibs::scenario
