/// The figures of an account: one value for each metric, with its 95 % interval where there are
/// replications.
///
/// Over replications, a count or a sum of seconds is the mean of the replications; a share, ratio,
/// rate or mean is formed from all sums together (a ratio of sums, never a mean of ratios); a
/// quantile is that of all their values together, without an interval where too few lie beyond it.
/// Intervals end where the figure cannot be, see `clipped_margins`.
/// Refers to the account, which must live longer. Only complete replications count, unless none is:
/// then the figures are of what there is, without intervals.
#pragma once

#include "metrics/catalogue.hpp"
#include "metrics/metrics.hpp"
#include "results/run_results.hpp"
#include "stats/estimate.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::results {

/// Before the cause in the names of the metrics of hidden supply.
inline constexpr std::string_view cause_prefix = "supply.hidden_s.";

struct metric_estimate : stats::estimate {
  text::unit unit{};
};

class metric_estimates {
 public:
  explicit metric_estimates(const run_results& a);

  /// Any name of the catalogue; nothing if undefined or unknown.
  [[nodiscard]] std::optional<metric_estimate> find(std::string_view name) const;

  /// All that have a value, by name.
  [[nodiscard]] const std::map<std::string, metric_estimate, std::less<>>& all() const {
    return all_;
  }

  /// One additive quantity in terms of others, summed over the replications that count. Names are
  /// those of the catalogue or of `metrics::report::sums`. Nothing if the
  /// denominator is 0.
  [[nodiscard]] std::optional<metric_estimate> ratio(
      const std::vector<std::string>& numerators,
      const std::vector<std::string>& denominators) const;

  /// An additive quantity, over all replications that count; 0 where it has no value.
  [[nodiscard]] double total(const std::vector<std::string>& names) const;
  /// How many replications count.
  [[nodiscard]] std::size_t replications() const { return counted_.size(); }

 private:
  [[nodiscard]] std::optional<metric_estimate> estimate_metric(std::string_view name) const;
  [[nodiscard]] std::optional<metric_estimate> mean_over_runs(std::string_view name,
                                                              const metrics::entry& e) const;
  [[nodiscard]] std::optional<metric_estimate> from_all_sums(std::string_view name,
                                                             const metrics::entry& e) const;
  [[nodiscard]] std::optional<metric_estimate> from_all_values(std::string_view family,
                                                               double share,
                                                               text::unit u) const;

  std::vector<const metrics::report*> counted_;
  metrics::report pooled_;
  std::vector<metrics::report> without_;  ///< sums alone, each leaving one replication out
  std::map<std::string, metric_estimate, std::less<>> all_;
  bool complete_ = false;
};

}  // namespace dibs::results
