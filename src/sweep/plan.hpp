/// What a sweep is going to run: its points, each checked as a scenario, and its seeds.
///
/// All points run on the same seeds, the k-th replication of each on the k-th seed: what differs
/// between two points is then what was varied, and not the day's luck.
#pragma once

#include "base/result.hpp"
#include "results/manifest.hpp"
#include "scenario/read.hpp"
#include "sweep/grid.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dibs::sweep {

inline constexpr std::uint32_t seeds_standard = 20;
/// A sweep of more runs wants to be asked for twice.
inline constexpr std::uint64_t runs_unasked_max = 10'000;

/// Replications go on until the half width of a metric's 95 % interval is this share of it.
struct wanted_precision {
  double share = 0.01;
  std::string metric;
};

/// Before so many replications nothing is taken to be precise: an interval of few is narrow by luck
/// too often, and who stops at the first narrow one believes it.
inline constexpr std::uint32_t precise_seeds_min = 20;
/// No point gets more replications than this for the sake of precision.
inline constexpr std::uint32_t precise_seeds_max = 10'000;

/// Errors (exit 2): there is no such metric, or none that could ever be precise.
[[nodiscard]] result<void> check_precise(const std::string& metric);

/// One of several parts of a sweep that are run apart and merged: every `of`-th run.
struct shard {
  std::uint32_t part = 1;  ///< from 1
  std::uint32_t of = 1;

  /// `3/8`.
  [[nodiscard]] std::string text() const;
  /// Of the runs of a plan in their order, from 0.
  [[nodiscard]] bool has(std::uint64_t run) const { return run % of == part - 1; }
};

/// Errors (exit 2): not of the form `3/8`, or no such part.
[[nodiscard]] result<shard> read_shard(const std::string& text);

struct sweep_request {
  std::filesystem::path file;  ///< the scenario
  std::vector<scenario::override_value> overrides;
  grid_spec design;
  std::uint32_t seeds = seeds_standard;  ///< of each point; at first, where a precision is wanted
  std::optional<wanted_precision> precision;
  std::optional<sweep::shard> shard;  ///< of the runs only these
  std::optional<std::uint64_t> seed;  ///< the root; without it, the scenario's
  bool yes = false;                   ///< more than `runs_unasked_max` runs
  bool leave_invalid = false;         ///< points that are no valid scenario are left out
  /// Set it to stop while points are checked, which takes minutes for a million of them.
  const std::atomic<bool>* stop = nullptr;
};

struct planned_point {
  point what;
  std::string hash;  ///< of the effective scenario and the data that it reads
};

struct plan {
  std::filesystem::path file;
  std::string text;  ///< of the file, as it was read
  std::vector<scenario::override_value> overrides;
  scenario::scenario base;                ///< without what varies
  std::vector<scenario::rows_read> rows;  ///< of the base's traces, and of points'
  std::uint64_t seed = 0;
  std::uint32_t seeds = 0;
  std::optional<wanted_precision> precision;
  std::optional<sweep::shard> shard;
  std::uint32_t seeds_max = precise_seeds_max;  ///< of a point, for the sake of precision
  std::vector<std::string> columns;
  std::vector<planned_point> points;

  [[nodiscard]] std::uint64_t runs() const { return std::uint64_t{seeds} * points.size(); }
};

/// Why there is no plan: diagnostics about a scenario, or `why` alone.
struct planning_error {
  error why;  ///< empty text: the diagnostics say all
  std::vector<scenario::diagnostic> diagnostics;
};

/// Reads the scenario and checks every point. Errors: an invalid scenario or point (exit 3); a grid
/// that makes no sense or is larger than was asked for (exit 2).
[[nodiscard]] tl::expected<plan, planning_error> make_plan(const sweep_request& r);

/// The scenario of one point, with the plan's root seed. Traces whose rows the plan has are not
/// read again.
[[nodiscard]] scenario::reading scenario_of(const plan& p, const point& at);

/// All that is set at one point, as changes of what the file says.
[[nodiscard]] std::vector<scenario::override_value> overrides_at(const plan& p, const point& at);

/// The command that repeats one run alone.
[[nodiscard]] std::string replay_line(const plan& p,
                                      const std::string& program,
                                      const point& at,
                                      std::uint64_t seed);

}  // namespace dibs::sweep
