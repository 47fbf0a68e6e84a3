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
    std::map<node_id, sim_time> busy_until;
    std::erase_if(plan_.outages, [&](outage& o) {
      sim_time& busy = busy_until[o.node];
      if (o.from < busy) {
        o.from = busy;
        if (o.from >= o.until) {
          return true;
        }
      }
      busy = o.until;
      return false;
    });
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
