#include "sweep/ttl_formula.hpp"

#include "base/ensure.hpp"
#include "base/random.hpp"
#include "sim/clocks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace dibs::sweep {
namespace {

constexpr int draws = bound_draws;

/// Draws of one distribution, each with a weight.
class mixture {
 public:
  void add(const distribution& d, double weight) {
    if (!(weight > 0)) {
      return;
    }
    stream random = stream::keyed(1, purpose::replication, ++added_);
    for (int i = 0; i < draws; ++i) {
      values_.emplace_back(draw(d, random), weight);
    }
    total_ += weight * draws;
  }

  template <class Size>
  [[nodiscard]] sim_duration quantile(double of, Size size) {
    for (auto& [value, weight] : values_) {
      value = size(value);
    }
    std::ranges::sort(values_);
    double below = 0;
    for (const auto& [value, weight] : values_) {
      below += weight;
      if (below >= of * total_) {
        return value;
      }
    }
    return values_.empty() ? sim_duration::zero() : values_.back().first;
  }

 private:
  std::vector<std::pair<sim_duration, double>> values_;
  std::uint64_t added_ = 0;
  double total_ = 0;
};

sim_duration quantile_of(const distribution& d, double of) {
  if (const auto* c = std::get_if<constant_duration>(&d)) {
    return c->value;
  }
  mixture m;
  m.add(d, 1);
  return m.quantile(of, [](sim_duration x) { return std::max(x, sim_duration::zero()); });
}

sim_duration decision_of(const scenario::scenario& s, double of) {
  mixture answers;
  for (const scenario::driver_class& c : s.drivers.classes) {
    answers.add(c.response, c.share * c.accept);
  }
  return answers.quantile(of, [](sim_duration x) { return x; });
}

/// The worst link of a way, if there are several.
sim_duration way(const scenario::scenario& s, node_kind from, node_kind to, double of) {
  sim_duration worst{};
  for (const scenario::link_options& l : s.network) {
    const bool there = l.from.kind == from && l.to.kind == to;
    const bool back = l.both_ways && l.from.kind == to && l.to.kind == from;
    if (there || back) {
      worst = std::max(worst, quantile_of(l.latency, of));
    }
  }
  return worst;
}

/// The nodes that judge a lease by their clocks: one of each kind, two matchers, who may want the
/// same driver, and those that an entry names.
std::vector<node_id> judges_of(const scenario::scenario& s,
                               std::array<std::uint32_t, node_kinds>& counts) {
  constexpr std::array kinds{node_kind::driver,
                             node_kind::matcher,
                             node_kind::lease_manager,
                             node_kind::ledger,
                             node_kind::sweeper};
  const bool sweeps = s.lease.cleanup.kind == scenario::cleanup::periodic;
  std::vector<node_id> all;
  for (const node_kind kind : kinds) {
    if (kind == node_kind::sweeper && !sweeps) {
      continue;
    }
    std::set<std::uint32_t> numbers{0};
    if (kind == node_kind::matcher && s.matchers.count > 1) {
      numbers.insert(1);
    }
    for (const scenario::clock_error& c : s.clocks) {
      if (c.node.kind == kind && c.node.index) {
        numbers.insert(*c.node.index);
      }
    }
    for (const std::uint32_t n : numbers) {
      all.push_back({kind, n});
    }
    counts[static_cast<std::size_t>(kind)] = *numbers.rbegin() + 1;
  }
  return all;
}

/// The end of its last two halves of a period: one with the jump, one without.
std::array<sim_time, 2> last_flips(const sim::clock_strobe& c, sim_time ends) {
  const sim_time until = std::min(c.until ? at(*c.until) : ends, ends) - sim_duration{1};
  const auto halves = std::max<std::int64_t>((until - at(c.from)) / c.every, 0);
  return {until, std::min(until, at(c.from + halves * c.every) - sim_duration{1})};
}

sim_duration set_off(const sim::node_clock& c, sim_time t) { return c.wall(t) - c.local(t); }

/// When any wall clock is set; of a strobe all flips are alike, but for what drifts until the last.
std::vector<sim_time> settings_of(const scenario::scenario& s) {
  std::vector<sim_time> all{sim_time{}};
  for (const scenario::clock_error& c : s.clocks) {
    all.push_back(at(c.from));
    for (const sim::clock_step& step : c.steps) {
      all.push_back(at(step.at));
    }
    if (c.strobe) {
      all.push_back(at(c.strobe->from));
      all.push_back(at(c.strobe->from + c.strobe->every));
      for (const sim_time t : last_flips(*c.strobe, s.ends())) {
        all.push_back(t);
      }
    }
  }
  all.push_back(s.ends());
  return all;
}

/// By how much two clocks differ when they differ most. Deadlines that travel as durations are
/// judged apart from what clocks have gained before; what they drift apart in one TTL counts
/// always. Between two settings a difference grows or shrinks evenly, so it is largest right after
/// one or right before the next.
sim_duration apart(const sim::node_clock& a,
                   const sim::node_clock& b,
                   const std::vector<sim_time>& settings,
                   const scenario::lease_options& lease) {
  const bool absolute = lease.is_absolute();
  sim_duration most{};
  for (const sim_time setting : settings) {
    for (const sim_time t : {std::max(setting - sim_duration{1}, sim_time{}), setting}) {
      const sim_duration between = absolute ? a.wall(t) - b.wall(t) : set_off(a, t) - set_off(b, t);
      most = std::max({most, between, -between});
    }
  }
  const sim_duration ttl = lease.ttl;
  constexpr double ppb = 1e-9;
  const double drift = ppb * static_cast<double>(std::abs(a.drift_ppb - b.drift_ppb));
  return most + sim_duration{
                    std::llround(drift * (ttl == forever ? 0 : static_cast<double>(ttl.count())))};
}

/// Of the two clocks that are likeliest to be far apart. Two drivers' clocks judge no lease
/// together.
sim_duration skew_of(const scenario::scenario& s, double of) {
  if (s.clocks.empty()) {
    return {};
  }
  std::array<std::uint32_t, node_kinds> counts{};
  const std::vector<node_id> judges = judges_of(s, counts);
  const std::vector<sim_time> settings = settings_of(s);
  std::map<std::pair<std::size_t, std::size_t>, std::vector<sim_duration>> differences;
  for (int k = 0; k < draws; ++k) {
    const sim::clocks clocks(s.clocks, counts, static_cast<std::uint64_t>(k) + 1);
    for (std::size_t i = 0; i < judges.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (judges[i].kind() != judges[j].kind() || judges[i].kind() == node_kind::matcher) {
          differences[{i, j}].push_back(
              apart(clocks.of(judges[i]), clocks.of(judges[j]), settings, s.lease));
        }
      }
    }
  }
  sim_duration worst{};
  for (auto& [who, all] : differences) {
    const auto nth = static_cast<std::ptrdiff_t>(of * static_cast<double>(all.size() - 1));
    std::nth_element(all.begin(), all.begin() + nth, all.end());
    worst = std::max(worst, all[static_cast<std::size_t>(nth)]);
  }
  return worst;
}

}  // namespace

ttl_bound bound_of(const scenario::scenario& s, double of) {
  ensure(of > 0 && of < 1, "a quantile lies between 0 and 1");
  ttl_bound b;
  b.decision = decision_of(s, of);
  b.latency = way(s, node_kind::matcher, node_kind::driver, of) +
              way(s, node_kind::driver, node_kind::matcher, of);
  b.skew = skew_of(s, of);
  b.cleanup = s.lease.cleanup.kind == scenario::cleanup::periodic ? s.lease.cleanup.every
                                                                  : sim_duration::zero();
  if (b.decision == forever) {
    b.latency = b.skew = b.cleanup = sim_duration::zero();
  }
  return b;
}

}  // namespace dibs::sweep
