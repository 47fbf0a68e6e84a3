#include "match/least_total.hpp"

#include "base/ensure.hpp"

#include <lemon/maps.h>
#include <lemon/network_simplex.h>
#include <lemon/smart_graph.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>

namespace dibs::match {
namespace {

using graph = lemon::SmartDigraph;
using whole = std::int64_t;

whole cost_of(sim_duration takes) {
  return std::chrono::duration_cast<std::chrono::microseconds>(takes).count();
}

/// From a source over each ride and one of its drivers to a sink, or over the ride's own edge for
/// those that nobody is left for, which costs more than all pick-ups together.
class pickup_network {
 public:
  explicit pickup_network(const std::vector<std::vector<possible_pickup>>& rides) {
    whole longest = 0;
    for (const auto& ride : rides) {
      for (const possible_pickup& p : ride) {
        longest = std::max(longest, cost_of(p.takes));
      }
    }
    const whole unserved = static_cast<whole>(rides.size() + 1) * (longest + 1);
    for (const auto& ride : rides) {
      const graph::Node here = edges_.addNode();
      connect(source_, here, 0);
      connect(here, sink_, unserved);
      pickups_.emplace_back();
      for (const possible_pickup& p : ride) {
        pickups_.back().push_back(connect(here, node_of(p.driver), cost_of(p.takes)));
      }
    }
  }

  /// Which of its possible pick-ups each ride gets.
  [[nodiscard]] std::vector<std::optional<std::size_t>> solve() const {
    lemon::NetworkSimplex<graph, whole, whole> simplex(edges_);
    const auto rides = static_cast<whole>(pickups_.size());
    const lemon::ConstMap<graph::Arc, whole> one(1);
    const auto found = simplex.costMap(cost_).upperMap(one).stSupply(source_, sink_, rides).run();
    ensure(found == lemon::NetworkSimplex<graph, whole, whole>::OPTIMAL,
           "every ride of a batch gets a driver or none");
    std::vector<std::optional<std::size_t>> all(pickups_.size());
    for (std::size_t r = 0; r < pickups_.size(); ++r) {
      const auto used = std::find_if(pickups_[r].begin(), pickups_[r].end(), [&](graph::Arc a) {
        return simplex.flow(a) > 0;
      });
      if (used != pickups_[r].end()) {
        all[r] = static_cast<std::size_t>(used - pickups_[r].begin());
      }
    }
    return all;
  }

 private:
  graph::Arc connect(graph::Node from, graph::Node to, whole cost) {
    const graph::Arc a = edges_.addArc(from, to);
    cost_[a] = cost;
    return a;
  }

  graph::Node node_of(driver_id d) {
    const auto known = drivers_.find(d);
    if (known != drivers_.end()) {
      return known->second;
    }
    const graph::Node here = edges_.addNode();
    drivers_.emplace(d, here);
    connect(here, sink_, 0);
    return here;
  }

  graph edges_;
  graph::Node source_ = edges_.addNode();
  graph::Node sink_ = edges_.addNode();
  graph::ArcMap<whole> cost_{edges_};
  std::map<driver_id, graph::Node> drivers_;
  std::vector<std::vector<graph::Arc>> pickups_;  ///< of each ride
};

}  // namespace

std::vector<std::optional<driver_id>> assign_at_least_total(
    const std::vector<std::vector<possible_pickup>>& rides) {
  std::vector<std::optional<driver_id>> all(rides.size());
  if (rides.empty()) {
    return all;
  }
  const auto chosen = pickup_network(rides).solve();
  for (std::size_t r = 0; r < rides.size(); ++r) {
    if (chosen[r]) {
      all[r] = rides[r][*chosen[r]].driver;
    }
  }
  return all;
}

}  // namespace dibs::match
