/// What the parts of the verdict have in common.
#pragma once

#include "study/lab.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dibs::study {

/// The seeds that a verdict is made on: none of them had a part in the choice.
inline constexpr block fresh_seeds = block::fresh;
/// How often a bound on a difference may be wrong, at each look.
inline constexpr double tail = 0.01;

/// Seed by seed, as far as both go.
inline std::vector<double> minus(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> d;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    d.push_back(a[i] - b[i]);
  }
  return d;
}

}  // namespace dibs::study
