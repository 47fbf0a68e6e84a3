/// What one run of a candidate showed, for who makes it smaller.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "scenario/tree.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dibs::shrink {

/// A node was out of action.
struct outage {
  bool is_crash = false;  ///< else a pause
  std::string node;       ///< `matcher/2`, as a scenario names it
  sim_time from{};
};

struct sighting {
  bool harmful = false;            ///< it did the same harm
  std::uint64_t seed = 0;          ///< of the run
  std::uint64_t events = 0;        ///< what the run took; 0: none was made
  std::uint64_t rides = 0;         ///< that were asked for
  std::optional<sim_time> at{};    ///< when the harm came true, if it has an instant
  std::vector<sim_time> requests;  ///< of the rides, up to then, in order
  std::vector<outage> outages;     ///< up to then, in order of their beginning
};

/// Runs the scenario of a tree with a seed; a tree that makes no scenario, and a run of more than
/// `events_max` events, show no harm. Nothing if the shrinking is to stop.
using oracle = std::function<std::optional<sighting>(
    const scenario::node& root, std::uint64_t seed, std::uint64_t events_max)>;

}  // namespace dibs::shrink
