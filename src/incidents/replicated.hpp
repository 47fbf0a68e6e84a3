/// Runs of one scenario on the seeds of its own root: what incidents and checks hold against each
/// other.
#pragma once

#include "base/result.hpp"
#include "engine/run.hpp"
#include "incidents/assessment.hpp"
#include "results/run_record.hpp"
#include "scenario/scenario.hpp"

#include <cstdint>
#include <vector>

namespace dibs::incidents {

struct replicated {
  std::vector<results::run_record> runs;  ///< in the order of the seeds

  /// Must not outlive the runs.
  [[nodiscard]] std::vector<run_figures> figures() const;
  /// Runs in which the protocol broke what it promised.
  [[nodiscard]] std::uint32_t broken() const;
  /// Whether every run has the history of the other's.
  [[nodiscard]] bool is_same_as(const replicated& other) const;
};

/// Runs on further seeds until there are so many in all. Errors: demand that cannot be read;
/// `interrupted` if it was stopped.
[[nodiscard]] result<replicated> replicate(const scenario::scenario& s,
                                           engine::run_options how,
                                           std::uint32_t runs,
                                           std::uint32_t jobs,
                                           replicated already = {});

[[nodiscard]] assessment judge(const replicated& with_cause,
                               const replicated& without,
                               std::span<const std::string> harms);

}  // namespace dibs::incidents
