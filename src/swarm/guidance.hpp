/// Decides what is drawn next from which states the runs before have seen.
///
/// Every second run is drawn blindly. The others are children of a run before: each hazard as the
/// parent had it, but for some that are drawn anew, or left out. Parents are drawn by how rare the
/// states are that they have seen (M. Böhme, V. Pham, A. Roychoudhury, "Coverage-based Greybox
/// Fuzzing as Markov Chain", CCS 2016, give rare paths more energy likewise). Runs are decided in
/// batches, so that the number of jobs changes nothing.
#pragma once

#include "swarm/fault_mixture.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace dibs::swarm {

/// Whatever is decided before the runs of one batch are seen.
inline constexpr std::uint32_t batch_runs = 16;

class guidance {
 public:
  guidance(std::uint64_t seed, double chance) : seed_(seed), chance_(chance) {}

  /// What the run with this number is to be.
  [[nodiscard]] mixture_origin next(std::uint32_t number,
                                    const std::vector<std::string_view>& always) const;

  /// Has the run seen. Requires: in the order of the numbers.
  void learn(const mixture_origin& what, const std::set<std::uint32_t>& states);

 private:
  struct parent {
    mixture_origin what;
    std::set<std::uint32_t> states;
  };

  [[nodiscard]] double weight_of(const parent& p) const;

  std::uint64_t seed_;
  double chance_;
  std::vector<parent> parents_;
  std::map<std::uint32_t, std::uint32_t> runs_by_state_;  ///< that saw it
};

}  // namespace dibs::swarm
