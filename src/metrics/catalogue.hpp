/// The names of all metrics: one table that thresholds, objectives, reports and `--help` read.
///
/// A value is a sum of the report, or a ratio of two sums, so that reports of several replications
/// merge by adding; or a statistic of a histogram.
#pragma once

#include "metrics/harm_kind.hpp"
#include "text/unit.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dibs::metrics {

enum class direction : std::uint8_t { more_is_better, less_is_better, neither };

/// What it means that a metric has more.
struct meaning {
  metrics::direction direction{};
  std::optional<harm_kind> harm{};  ///< that it counts or measures; nothing for one of service
};

struct entry {
  std::string_view name;  ///< `supply.hidden_share`; `ttm.<stat>` stands for a family
  text::unit unit{};
  metrics::meaning meaning{};
  std::string_view definition;  ///< one sentence, with the formula
  std::string_view over{};      ///< the sum; the metric's own name if empty
  std::string_view per{};       ///< the sum that it is divided by, if any
  double scale = 1;             ///< what the ratio is multiplied with

  /// Whether the name ends in `.<stat>`: mean, min, max or a percentile such as p50 or p99.9.
  [[nodiscard]] constexpr bool is_family() const { return name.ends_with("<stat>"); }
  /// `ttm.` of `ttm.<stat>`. Requires: is_family().
  [[nodiscard]] constexpr std::string_view prefix() const {
    return name.substr(0, name.size() - 6);
  }
  /// `ttm.p95`. Requires: is_family().
  [[nodiscard]] std::string with(std::string_view stat) const {
    return std::string(prefix()).append(stat);
  }
};

[[nodiscard]] std::span<const entry> catalogue();

/// The entry for a full name (`ttm.p95` finds `ttm.<stat>`), or nothing.
[[nodiscard]] const entry* find(std::string_view name);

/// What its values are in; a ratio if there is no such metric.
[[nodiscard]] text::unit unit_of(std::string_view name);

/// Which harm it counts or measures; nothing for a metric of service, which no single harm makes
/// worse, or if there is no such metric.
[[nodiscard]] std::optional<harm_kind> harm_of(std::string_view name);

/// The percentile that a statistic names, as a share: 0.95 for `p95`; nothing if it names none.
[[nodiscard]] std::optional<double> percentile_of(std::string_view stat);

/// The percentile that a metric is, as a share: 0.95 for `ttm.p95`; nothing if it is none.
[[nodiscard]] std::optional<double> percentile_in(std::string_view metric);

/// How a percentile is computed and judged, in sentences.
[[nodiscard]] std::string_view percentile_definition();

/// The statistics that families are shown with: mean, p50, p90, p95 and p99.
[[nodiscard]] std::span<const std::string_view> shown_stats();

/// The known name that a misspelt or shortened one may stand for; empty if none is near.
[[nodiscard]] std::string nearest(std::string_view name);

}  // namespace dibs::metrics
