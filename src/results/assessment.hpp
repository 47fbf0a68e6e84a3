/// Holds a run to the protocol's promises, the scenario's thresholds, and what the scenario
/// expects.
#pragma once

#include "base/result.hpp"
#include "lease/protocol.hpp"
#include "results/metric_estimates.hpp"
#include "results/run_results.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dibs::results {

enum class bound_source : std::uint8_t { threshold, expectation };

/// A bound and how it was met. An undefined figure (0/0) meets no bound.
struct bound_check {
  bound_source kind{};
  scenario::bound bound;
  std::optional<metric_estimate> found;
  bool met = false;
};

/// Thresholds first, then what the scenario expects; each judged at the figure itself, not at the
/// ends of its interval.
[[nodiscard]] std::vector<bound_check> judge_bounds(const run_results& a,
                                                    const metric_estimates& f);

[[nodiscard]] bool meets(double value, const scenario::bound& b);

/// The figure with as many digits as it takes not to look like the bound that it misses.
[[nodiscard]] std::string shown_against(const bound_check& v);

struct promise_check {
  lease::invariant invariant{};
  bool kept = true;
};

/// What the protocol promised and the checkers judged in every replication, in order.
[[nodiscard]] std::vector<promise_check> promises_of(const run_results& a);

/// What could be neither shown nor refuted, and of how many drivers.
struct undecided {
  lease::invariant invariant{};
  std::uint64_t drivers = 0;
};

[[nodiscard]] std::vector<undecided> undecided_of(const run_results& a);

struct violation_record {
  std::size_t replication = 0;
  const checkers::violation* violation = nullptr;
};

/// The first violations of each replication, and how many there were in all.
[[nodiscard]] std::vector<violation_record> violations_of(const run_results& a);
[[nodiscard]] std::uint64_t violation_count(const run_results& a);

/// The exit code of a run that was not interrupted: a broken promise wins over a run that was
/// stuck, and that over a missed bound.
[[nodiscard]] exit_code exit_code_of(const run_results& a,
                                     const std::vector<bound_check>& verdicts);

}  // namespace dibs::results
