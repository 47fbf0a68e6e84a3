#include "sim/faults.hpp"

#include "base/distribution.hpp"
#include "base/random.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace dibs::sim {
namespace {

class planner {
 public:
  planner(const std::array<std::uint32_t, node_kinds>& counts, sim_time ends, std::uint64_t seed)
      : counts_(counts), ends_(ends), seed_(seed) {}

  void add(const pause_fault& f, std::size_t) {
    for_each(f.node, [&](node_id n) {
      plan_.outages.push_back({n, outage_kind::pause, at(f.at), at(f.at) + f.length});
    });
  }

  void add(const crash_fault& f, std::size_t entry) {
    for_each(f.node, [&](node_id n) {
      if (f.at) {
        plan_.outages.push_back({n, outage_kind::crash, at(*f.at), at(*f.at) + f.restart_after});
      }
      if (f.rate_per_h > 0) {
        crash_at_random(f, n, entry);
      }
    });
  }

  void add(const partition_fault& f, std::size_t) {
    plan_.cuts.push_back({f.between, at(f.at), at(f.at) + f.length});
  }

  fault_plan finish() {
    std::erase_if(plan_.outages, [&](const outage& o) { return o.from >= ends_; });
    sort_outages();
    keep_apart();
    sort_outages();
    std::stable_sort(plan_.cuts.begin(), plan_.cuts.end(), [](const cut& a, const cut& b) {
      return a.from < b.from;
    });
    return std::move(plan_);
  }

 private:
  template <class Visit>
  void for_each(const node_pattern& pattern, Visit visit) const {
    for (std::uint32_t i = 0; i < counts_[static_cast<std::size_t>(pattern.kind)]; ++i) {
      if (const node_id n{pattern.kind, i}; pattern.covers(n)) {
        visit(n);
      }
    }
  }

  void crash_at_random(const crash_fault& f, node_id n, std::size_t entry) {
    const auto mean = sim_duration{static_cast<std::int64_t>(3600e9 / f.rate_per_h)};
    auto gaps = stream::keyed(seed_, purpose::fault_time, n.packed, entry);
    for (sim_time t{};;) {
      t += draw(exponential_duration{mean}, gaps);
      if (t >= ends_) {
        return;
      }
      plan_.outages.push_back({n, outage_kind::crash, t, t + f.restart_after});
      t += f.restart_after;
    }
  }

  void sort_outages() {
    std::stable_sort(
        plan_.outages.begin(), plan_.outages.end(), [](const outage& a, const outage& b) {
          return std::tuple(a.from, a.node) < std::tuple(b.from, b.node);
        });
  }

  void keep_apart() {
    std::map<node_id, std::vector<outage>> crashes;
    std::map<node_id, std::vector<outage>> pauses;
    for (const outage& o : plan_.outages) {
      join((o.kind == outage_kind::crash ? crashes : pauses)[o.node], o);
    }
    plan_.outages.clear();
    for (const auto& [node, of_node] : crashes) {
      plan_.outages.insert(plan_.outages.end(), of_node.begin(), of_node.end());
    }
    for (const auto& [node, of_node] : pauses) {
      for (const outage& pause : of_node) {
        add_between(pause, crashes[node]);
      }
    }
  }

  /// Appends `o`, or lengthens the last one where they overlap. Requires: sorted by start.
  static void join(std::vector<outage>& apart, const outage& o) {
    if (!apart.empty() && o.from <= apart.back().until) {
      apart.back().until = std::max(apart.back().until, o.until);
    } else {
      apart.push_back(o);
    }
  }

  void add_between(outage pause, const std::vector<outage>& crashes) {
    for (const outage& crash : crashes) {
      if (crash.until <= pause.from || crash.from >= pause.until) {
        continue;
      }
      if (crash.from > pause.from) {
        pause.until = crash.from;
        pause.into_crash = true;
        break;
      }
      pause.from = crash.until;
      if (pause.from >= pause.until) {
        return;
      }
    }
    plan_.outages.push_back(pause);
  }

  const std::array<std::uint32_t, node_kinds>& counts_;
  sim_time ends_;
  std::uint64_t seed_;
  fault_plan plan_;
};

}  // namespace

fault_plan plan_faults(const std::vector<fault>& faults,
                       const std::array<std::uint32_t, node_kinds>& counts,
                       sim_time ends,
                       std::uint64_t seed) {
  planner plan(counts, ends, seed);
  for (std::size_t i = 0; i < faults.size(); ++i) {
    std::visit([&](const auto& f) { plan.add(f, i); }, faults[i].what);
  }
  return plan.finish();
}

}  // namespace dibs::sim
