/// What there is to learn from a breach: what decided it, and which feature of a protocol would
/// have prevented it.
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
  /// When the last act or fault that made it was there, as the events tell; nothing if they do not.
  /// From when on it was unavoidable, branches of the run say (`turning.hpp`).
  std::optional<sim_time> decided;
  std::string because;  ///< a sentence
  std::vector<remedy> remedies;
};

[[nodiscard]] lesson lesson_of(const chronicle& c, const breach& b);

}  // namespace dibs::show
