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

  void add(const fault& f, std::size_t entry) {
    if (trigger_of(f) != nullptr) {
      plan_.triggered.push_back(f);
    } else if (const auto* pause = std::get_if<pause_fault>(&f.what)) {
      const timing when{pause->at, pause->rate_per_h, pause->length.value_or(constant_duration{})};
      add_outages(pause->node, outage_kind::pause, when, entry);
    } else if (const auto* crash = std::get_if<crash_fault>(&f.what)) {
      const timing when{crash->at, crash->rate_per_h, constant_duration{crash->restart_after}};
      add_outages(crash->node, outage_kind::crash, when, entry);
    } else if (const auto* p = std::get_if<partition_fault>(&f.what)) {
      plan_.cuts.push_back(
          {{p->between, at(p->at), at(p->at) + p->length, p->both_ways, entry}, p->loss});
    } else if (const auto* s = std::get_if<slow_fault>(&f.what)) {
      plan_.slowdowns.push_back(
          {{s->between, at(s->at), at(s->at) + s->length, s->both_ways, entry},
           s->factor,
           s->plus});
    }
  }

  fault_plan finish() {
    std::erase_if(plan_.outages, [&](const outage& o) { return o.from >= ends_; });
    sort_outages();
    keep_apart();
    sort_outages();
    std::ranges::stable_sort(plan_.cuts,
                             [](const cut& a, const cut& b) { return a.from < b.from; });
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

  struct timing {
    std::optional<sim_duration> once;
    double rate_per_h = 0;
    distribution length;
  };

  /// How long the `nth` of them lasts at this node.
  [[nodiscard]] sim_duration length_of(const timing& when,
                                       node_id n,
                                       std::size_t entry,
                                       std::uint64_t nth = 0) const {
    auto draws = stream::keyed(seed_, purpose::pause_length, n.packed, entry, nth);
    return draw(when.length, draws);
  }

  void add_outages(const node_pattern& who,
                   outage_kind kind,
                   const timing& when,
                   std::size_t entry) {
    if (who.kind == node_kind::rider && when.once) {
      const sim_duration length = length_of(when, node_id{who.kind, 0}, entry);
      plan_.group_outages.push_back({who, kind, at(*when.once), at(*when.once) + length});
      return;
    }
    for_each(who, [&](node_id n) {
      if (when.once) {
        const sim_duration length = length_of(when, n, entry);
        plan_.outages.push_back({n, kind, at(*when.once), at(*when.once) + length});
      }
      if (when.rate_per_h > 0) {
        add_at_random(n, kind, when, entry);
      }
    });
  }

  void add_at_random(node_id n, outage_kind kind, const timing& when, std::size_t entry) {
    const double mean_ns =
        std::min(3600e9 / when.rate_per_h, static_cast<double>(draw_max.count()));
    const sim_duration mean{static_cast<std::int64_t>(mean_ns)};
    auto gaps = stream::keyed(seed_, purpose::fault_time, n.packed, entry);
    sim_time t{};
    for (std::uint64_t nth = 0;; ++nth) {
      t += draw(exponential_duration{mean}, gaps);
      if (t >= ends_) {
        return;
      }
      const sim_duration length = length_of(when, n, entry, nth);
      plan_.outages.push_back({n, kind, t, t + length});
      t += length;
    }
  }

  void sort_outages() {
    std::ranges::stable_sort(plan_.outages, [](const outage& a, const outage& b) {
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

void end_trigger(trigger& when, sim_duration t) {
  when.until = when.until ? std::min(*when.until, t) : t;
}

void end_trigger(std::optional<trigger>& when, sim_duration t) {
  if (when) {
    end_trigger(*when, t);
  }
}

}  // namespace

const trigger* trigger_of(const fault& f) {
  return std::visit(
      [](const auto& what) -> const trigger* {
        if constexpr (requires { what.when.has_value(); }) {
          return what.when ? &*what.when : nullptr;
        } else if constexpr (requires { what.when; }) {
          return &what.when;
        } else {
          return nullptr;
        }
      },
      f.what);
}

fault_plan plan_faults(const std::vector<fault>& faults,
                       const std::array<std::uint32_t, node_kinds>& counts,
                       sim_time ends,
                       std::uint64_t seed) {
  planner plan(counts, ends, seed);
  for (std::size_t i = 0; i < faults.size(); ++i) {
    plan.add(faults[i], i);
  }
  return plan.finish();
}

void heal(fault_plan& plan, sim_time t) {
  const auto end_all = [t](auto& all) {
    std::erase_if(all, [t](const auto& each) { return each.from >= t; });
    for (auto& each : all) {
      each.until = std::min(each.until, t);
    }
  };
  end_all(plan.outages);
  end_all(plan.group_outages);
  end_all(plan.cuts);
  end_all(plan.slowdowns);
  for (outage& o : plan.outages) {
    o.into_crash = o.into_crash && o.until < t;
  }
  for (fault& f : plan.triggered) {
    std::visit(
        [t](auto& what) {
          if constexpr (requires { what.when; }) {
            end_trigger(what.when, t.time_since_epoch());
          }
        },
        f.what);
  }
}

}  // namespace dibs::sim
