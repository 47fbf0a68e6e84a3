#include "study/bound.hpp"

#include "base/ensure.hpp"
#include "base/random.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace dibs::study {
namespace {

constexpr int draws = 20'000;

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
    std::sort(values_.begin(), values_.end());
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

sim_duration skew_of(const scenario::scenario& s, double of) {
  sim_duration worst{};
  for (const scenario::clock_error& c : s.clocks) {
    mixture offsets;
    offsets.add(c.offset, 1);
    const sim_duration offset =
        offsets.quantile(of, [](sim_duration x) { return std::max(x, -x); });
    mixture drifts;  // each what the clock gains in a second
    drifts.add(c.drift, 1);
    const double rate =
        in_seconds(drifts.quantile(of, [](sim_duration x) { return std::max(x, -x); }));
    const double drift =
        rate * (s.lease.ttl == forever ? 0 : static_cast<double>(s.lease.ttl.count()));
    worst = std::max(worst, offset + sim_duration{std::llround(drift)});
  }
  return worst;
}

}  // namespace

lease_bound bound_of(const scenario::scenario& s, double of) {
  ensure(of > 0 && of < 1, "a quantile lies between 0 and 1");
  lease_bound b;
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

}  // namespace dibs::study
