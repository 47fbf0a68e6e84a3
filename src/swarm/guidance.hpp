/// Decides what is drawn next from what the runs before have seen.
///
/// The first 64 runs are drawn blindly, and then one in four. The others are children of a run
/// before: each hazard as the parent had it, but for some that are drawn anew or left out. The
/// rarer the signs that a run has seen, and the more of them, the more children it gets (M. Böhme,
/// V. Pham, A. Roychoudhury, "Coverage-based Greybox Fuzzing as Markov Chain", CCS 2016, give rare
/// paths more energy likewise). Which promises could be judged are signs as well: with few faults
/// more of them are.
///
/// Runs are decided in batches, so that the number of jobs changes nothing.
#pragma once

#include "swarm/fault_mixture.hpp"

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace dibs::swarm {

/// Whatever is decided before the runs of one batch are seen.
inline constexpr std::uint32_t batch_runs = 16;

/// Drawn blindly, whatever was seen: what shows in one run of thirty is found no later so, and the
/// children have more parents to come from.
inline constexpr std::uint32_t blind_at_first = 64;

/// In ascending order; what each means is for `state_coverage` to say.
using signs_seen = std::vector<std::uint16_t>;

class guidance {
 public:
  guidance(std::uint64_t seed, double chance) : seed_(seed), chance_(chance) {}

  /// What the run with this number is to be.
  [[nodiscard]] mixture_origin next(std::uint32_t number,
                                    const std::vector<std::string_view>& always) const;

  /// What a run was, and what it has seen. Requires: in the order of the numbers.
  void learn(const mixture_origin& what, signs_seen signs);

  /// Counts what was learnt since. Until then `next` knows nothing of it.
  void end_batch();

 private:
  struct parent {
    mixture_origin what;
    signs_seen signs;
    double weight = 0;
  };

  [[nodiscard]] double weight_of(const parent& p) const;
  [[nodiscard]] const parent& chosen(stream& random) const;

  std::uint64_t seed_;
  double chance_;
  std::vector<parent> parents_;
  double weights_ = 0;                              ///< of all parents
  std::map<std::uint16_t, std::uint32_t> seen_by_;  ///< so many runs, by sign
};

}  // namespace dibs::swarm
