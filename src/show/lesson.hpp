/// What there is to learn from a breach: from when on nothing could have kept it from happening,
/// and which feature of a protocol would have.
#pragma once

#include "scenario/read.hpp"
#include "show/breach.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dibs::show {

/// A change of the scenario that should prevent the harm, and the figure in which that shows.
struct remedy {
  std::string feature;  ///< what it does, in a sentence
  std::vector<scenario::override_value> set;
  std::string metric;  ///< of the catalogue; less of it is better
};

struct lesson {
  /// The first instant at which it was unavoidable, whatever anybody chose to do from then on
  /// (messages that are lost by luck apart); nothing if it cannot be told from the events.
  std::optional<sim_time> unavoidable;
  std::string because;  ///< a sentence
  std::vector<remedy> remedies;
};

[[nodiscard]] lesson lesson_of(const chronicle& c, const breach& b);

}  // namespace dibs::show
