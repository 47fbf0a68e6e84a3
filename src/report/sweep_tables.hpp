/// What a sweep found, as tables: `points.csv` and `summary.csv` for programs, a summary for
/// people.
///
/// Made from the journal alone and in a fixed order, so the same runs give the same bytes.
#pragma once

#include "base/result.hpp"
#include "report/figure_choice.hpp"
#include "results/atomic_file.hpp"
#include "scenario/scenario.hpp"
#include "sweep/ineffective_fields.hpp"
#include "sweep/journal.hpp"
#include "sweep/measured_point.hpp"
#include "sweep/stuck_runs.hpp"
#include "text/terminal.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dibs::report {

/// `formats::points_table`: a row for each run, with the fields of its point, its seed and every
/// metric. Shares are fractions, times in seconds; a metric without a value is an empty cell.
[[nodiscard]] result<void> write_points(const sweep::journal& j, results::pending_file& to);

/// A threshold of the scenario, and at how many points its metric misses it.
struct missed_bound {
  std::string text;
  std::uint64_t points = 0;
  std::uint64_t unsure = 0;  ///< of these: one end of the 95 % interval meets it
};

/// What `write_summary` found on its way.
struct sweep_outcome {
  std::string verdict;  ///< a few sentences; empty where there is nothing to compare
  std::string table;    ///< for people
  std::uint64_t runs = 0;
  std::uint64_t broken = 0;  ///< runs in which a promise was broken
  std::uint32_t broken_point = 0;
  std::uint64_t broken_seed = 0;
  std::string violation;                  ///< the first of them
  std::vector<sweep::stuck_point> stuck;  ///< points of which some runs got nowhere
  std::vector<missed_bound> missed;       ///< all of the scenario's thresholds
  std::vector<sweep::tried_point> tried;  ///< all points, each with one hash over all its histories
};

/// `formats::summary_table`: a row for each point and metric: its figure over the runs, the ends of
/// the 95 % interval (empty without one), and how many runs have it. `choice`: the columns of the
/// table for people, as `headlines_or`, and whether a table of every figure follows. Thresholds are
/// judged at each point by its figure, not by the ends of its interval.
[[nodiscard]] result<sweep_outcome> write_summary(const sweep::journal& j,
                                                  const std::vector<scenario::bound>& thresholds,
                                                  results::pending_file& to,
                                                  const text::terminal_style& l,
                                                  const figure_choice& choice = {});

/// The summary for programs: an object for each point, with its fields and figures; and which
/// fields changed nothing, and which runs were stuck, if any.
[[nodiscard]] result<std::string> json_of(const sweep::journal& j,
                                          std::span<const sweep::stuck_point> stuck,
                                          std::span<const sweep::without_effect> idle);

/// For papers, the figures of `headlines_or`. Requires: a point; all have the same fields.
[[nodiscard]] std::string markdown_of(const std::vector<sweep::measured_point>& points,
                                      const std::string& name,
                                      const std::string& question,
                                      const std::vector<std::string>& metrics = {});

/// As `summary.csv` has them. Requires: as above.
[[nodiscard]] std::string csv_of(const std::vector<sweep::measured_point>& points);

}  // namespace dibs::report
