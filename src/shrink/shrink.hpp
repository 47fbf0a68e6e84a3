/// Makes a scenario small that does some harm: what it says, how long it runs, and for how many
/// rides.
///
/// Reads no clock, does no I/O and runs nothing: whether a candidate still does the harm is for the
/// oracle to say. The same oracle leads to the same scenario.
#pragma once

#include "shrink/trials.hpp"

#include <cstdint>
#include <optional>

namespace dibs::shrink {

struct options {
  std::uint64_t seed = 1;  ///< of the run that does the harm
  std::uint64_t runs_max = 60'000;
  std::uint64_t fresh_seeds = 20;  ///< with which the smallest is run once more
  trials::listener on_smaller{};
};

struct shrunk {
  scenario::node root;  ///< with the seed, where it is not the usual one
  sighting seen;        ///< of its run
  std::uint64_t runs = 0;
  std::uint64_t fresh_seeds = 0;    ///< with which the smallest was run once more
  std::uint64_t fresh_harmful = 0;  ///< of these, that did the harm too
  bool was_stopped = false;         ///< by the oracle: it may not be the smallest
  bool ran_out = false;             ///< of runs: neither
};

/// Nothing if the scenario as it is does no harm with its seed.
[[nodiscard]] std::optional<shrunk> smallest(const scenario::node& whole,
                                             const oracle& shows,
                                             const options& how);

}  // namespace dibs::shrink
