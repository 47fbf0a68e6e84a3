/// Two sets of runs on the same seeds: what differs, by how much, and how sure that is.
#pragma once

#include "base/result.hpp"
#include "results/paired_difference.hpp"
#include "results/run_record.hpp"
#include "scenario/field_paths.hpp"
#include "sweep/ineffective_fields.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dibs::sweep {

struct comparison {
  std::string a;  ///< what people call the two
  std::string b;
  std::vector<std::uint64_t> seeds;                     ///< of the pairs
  std::vector<results::paired_difference> differences;  ///< what changed most first
  std::vector<std::string> too_few{};  ///< percentiles with too few values beyond for an interval
  std::vector<scenario::field_difference> fields{};  ///< in which the scenarios are known to differ
  bool is_same = false;                              ///< every pair has one history
  std::vector<without_effect> idle{};  ///< of `fields` and faults: those that changed nothing

  /// The median of `paired_difference::variance_ratio` over what differs; nothing if nothing
  /// varies.
  [[nodiscard]] std::optional<double> reduction() const;
};

/// Pairs runs of equal seeds. Errors (exit 2): fewer than two seeds in common.
[[nodiscard]] result<comparison> compare(std::string a,
                                         std::span<const results::run_record> runs_of_a,
                                         std::string b,
                                         std::span<const results::run_record> runs_of_b);

/// Says of `fields` which changed nothing: all where every pair has one history, else those of
/// which the table of fields says so on either side. Either scenario may be unknown.
void note_without_effect(comparison& c, const scenario::scenario* a, const scenario::scenario* b);

}  // namespace dibs::sweep
