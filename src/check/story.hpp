/// The worst that happened in a run, in two sentences.
#pragma once

#include "base/result.hpp"
#include "explain/explanation.hpp"
#include "scenario/scenario.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

namespace dibs::check {

struct story {
  std::string what;  ///< `driver 12 is on two trips`; empty if the run has no harm that is told
  std::string why;
  std::optional<explain::explanation> told{};  ///< the whole of it
};

/// Runs it once more. `metric`: of whose kind the harm should be; any if the run has none.
[[nodiscard]] result<story> story_of(const scenario::scenario& s,
                                     std::uint64_t seed,
                                     const std::string& metric,
                                     const std::atomic<bool>* stop);

}  // namespace dibs::check
