/// What follows from the fields of a study without having been asked for. Pure.
#pragma once

#include "scenario/scenario.hpp"
#include "sweep/grid.hpp"

#include <string>
#include <vector>

namespace dibs::sweep {

/// What the driver is shown is part of a lease: where its length varies, the scenario's distance of
/// the two is kept, or their ratio where the lease is too short for that. Empty where `fixed`, the
/// other fields that vary or are derived, has the offer window, or there is nothing to keep.
[[nodiscard]] std::vector<derivation> implied_by(const std::vector<std::string>& varied,
                                                 const std::vector<std::string>& fixed,
                                                 const scenario::scenario& base);

/// What is said of it: which value follows which, and how to keep it as it is.
[[nodiscard]] std::string sentence_of(const derivation& implied, const scenario::scenario& base);

}  // namespace dibs::sweep
