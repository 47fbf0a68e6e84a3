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

/// Runs both once more, and tells a harm of the first that the second does not have, of a kind of
/// which it has far fewer. `metric`: of whose kind the harm should be, if the run has such a one.
[[nodiscard]] result<story> story_of(const scenario::scenario& with,
                                     const scenario::scenario& without,
                                     std::uint64_t seed,
                                     const std::string& metric,
                                     const std::atomic<bool>* stop);

}  // namespace dibs::check
