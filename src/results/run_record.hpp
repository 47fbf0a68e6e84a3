/// The record that a sweep or a search keeps of one run: its number and seed, and every metric.
#pragma once

#include "engine/run.hpp"
#include "stats/sparse_histogram.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::results {

/// One metric of one run. A metric that is a ratio (a share, a rate, a mean) has both its sums, so
/// that runs can be pooled by adding; `value` is then over / per, or nothing where per is 0. A
/// percentile has all values that it is of, so that runs can be pooled too.
struct metric_sample {
  std::string metric;
  std::optional<double> value;
  std::optional<double> over;
  std::optional<double> per;
  std::shared_ptr<const stats::sparse_histogram> values{};

  friend bool operator==(const metric_sample& a, const metric_sample& b);
};

struct run_record {
  std::uint32_t point = 1;        ///< from 1
  std::uint32_t replication = 1;  ///< from 1
  std::uint64_t seed = 0;
  std::string scenario_hash;
  std::string history;
  std::uint64_t facts = 0;
  std::uint64_t events = 0;
  std::uint64_t violations = 0;  ///< of what the protocol promised
  std::string violation;         ///< the first of them, as a sentence; empty if none
  /// In the order of `metric_names`; then `stuck_measure`, and what begins with
  /// `idle_fault_measure`.
  std::vector<metric_sample> measures;

  /// One of `measures`; null if the run has none of this name.
  [[nodiscard]] const metric_sample* find(std::string_view metric) const;

  friend bool operator==(const run_record&, const run_record&) = default;
};

/// The metrics that are kept of each run: the whole catalogue, families at the shown statistics.
[[nodiscard]] const std::vector<std::string>& metric_names();

/// What the percentiles of a run are of, by family (`ttm`, `pickup`); shared by all of a family.
using run_values =
    std::map<std::string, std::shared_ptr<const stats::sparse_histogram>, std::less<>>;
[[nodiscard]] run_values values_of(const run_record& r);
[[nodiscard]] run_values values_of(const metrics::report& r);

/// One metric of a run. Requires: the catalogue has it.
[[nodiscard]] metric_sample measure_of(const std::string& metric,
                                       const metrics::report& r,
                                       const run_values& values);

/// `ttm` of `ttm.p95`; empty if the metric is no percentile.
[[nodiscard]] std::string family_of(std::string_view metric);

/// The first promise that a run broke, as a sentence; empty if it kept them all.
[[nodiscard]] std::string violation_of(const engine::run_result& r);

/// Of a run that got nowhere and was ended: among its measures, and no metric.
inline constexpr std::string_view stuck_measure = "stuck";
[[nodiscard]] bool is_stuck(const run_record& r);
/// Before the id of a fault that struck in no place of the run: among its measures, and no metric.
inline constexpr std::string_view idle_fault_measure = "idle fault ";

/// The faults that struck in none of the runs, by their ids; none where there are no runs.
[[nodiscard]] std::vector<std::string> idle_faults_of(std::span<const run_record> runs);

/// Point, replication and hash of the scenario are left to the caller.
[[nodiscard]] run_record record_of(const engine::run_result& r);

/// Over all that the run came to, so that a changed row is noticed.
[[nodiscard]] std::string hash_of(const run_record& r);

/// A number in its shortest form that reads back equal.
[[nodiscard]] std::string round_trip_number(double x);

}  // namespace dibs::results
