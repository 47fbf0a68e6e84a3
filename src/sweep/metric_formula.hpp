/// An expression over metrics, and its value over replications.
///
/// Each metric of a formula is a ratio of sums over all replications (a count is its sum over their
/// number) or, for a percentile, that of all their values, and the formula is reckoned with these.
/// Its jackknife pseudo-values, one for each replication, carry its uncertainty: their mean is an
/// estimate of the formula with less bias, a difference of two formulas on the same seeds has the
/// differences of their pseudo-values, and Student's t over them is an interval (Tukey 1958; Efron,
/// "The Jackknife, the Bootstrap and Other Resampling Plans", 1982). Pure.
#pragma once

#include "base/result.hpp"
#include "metrics/catalogue.hpp"
#include "stats/confidence_interval.hpp"
#include "stats/sparse_histogram.hpp"
#include "text/dimensioned.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dibs::sweep {

/// One metric in one run: over / per; both 0 if the run does not have it. A percentile has all
/// values that it is of.
struct metric_sums {
  double over = 0;
  double per = 0;
  std::shared_ptr<const stats::sparse_histogram> values{};

  friend bool operator==(const metric_sums&, const metric_sums&) = default;
};

/// The metrics of one run, in an order that is agreed on.
using sample = std::vector<metric_sums>;

/// Metrics by number, so that samples need no names.
class metric_index {
 public:
  /// Its number; a new one if the metric was not known yet.
  std::size_t number_of(const std::string& metric);
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

class metric_formula {
 public:
  /// `(30s * accepts.missed + supply.hidden_s) / rides.requested`. Errors (exit 2): syntax, no such
  /// metric, clashing units, no metric at all.
  [[nodiscard]] static result<metric_formula> sum(const std::string& text, metric_index& index);

  /// Of a condition such as `ttm.p95 <= 45s` the room that it leaves: 0 or more where it is met.
  /// The same errors, `==` and `!=`, and what no value of its metric can meet, or can but meet.
  [[nodiscard]] static result<metric_formula> margin(const std::string& text, metric_index& index);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] text::dimension what() const { return what_; }
  /// The unit that its values are shown in; times are in seconds then.
  [[nodiscard]] text::unit unit() const { return unit_; }
  /// Whether it is a metric of which more is better.
  [[nodiscard]] bool wants_more() const { return wants_more_; }

  /// Of a condition: whether this much room meets it. None at all misses `<` and `>`.
  [[nodiscard]] bool is_met(double room) const { return strict_ ? room > 0 : room >= 0; }

  /// Of a condition on one count or share: whether nothing but none of it meets it, or nothing but
  /// all. A single run can refute that, and no number of runs can show it.
  [[nodiscard]] bool asks_for_none() const;

  /// In `unit()`; nothing where it comes to none, as 0/0 does.
  [[nodiscard]] std::optional<double> of(std::span<const sample> runs) const;

  /// How far the value may be wrong, either way, since percentiles may: 0 where their values are
  /// kept.
  [[nodiscard]] double unsure(std::span<const sample> runs) const;

  /// The least and the most that it comes to if what no run showed happens as often as so many runs
  /// may miss, but for this probability: a count or a share that is 0 in all of them is at most
  /// -ln(tail) over what it was counted among (Poisson), and so is what a share lacks of 1. The
  /// value itself, twice, where nothing is of that kind; nothing where it has none.
  struct reach {
    double low = 0;
    double high = 0;
  };
  [[nodiscard]] std::optional<reach> with_unseen(std::span<const sample> runs, double tail) const;

  /// Where the value over these runs cannot be. Requires: it is a metric alone.
  [[nodiscard]] stats::possible_range limits(std::span<const sample> runs) const;

  /// As many as there are runs; none if it has no value over all runs, or over all but one.
  [[nodiscard]] std::vector<double> pseudo_values(std::span<const sample> runs) const;

 private:
  /// A metric that the text names.
  struct part {
    std::string name;
    const metrics::entry* about;
    std::size_t number = 0;  ///< in samples
  };

  [[nodiscard]] static result<metric_formula> read(const std::string& text,
                                                   bool condition,
                                                   metric_index& index);
  [[nodiscard]] std::optional<double> at(std::span<const double> values) const;
  void find_unit();
  [[nodiscard]] std::string why_decided() const;
  /// Null if there are several.
  [[nodiscard]] const part* only() const { return parts_.size() == 1 ? &parts_.front() : nullptr; }

  std::string text_;
  bool condition_ = false;
  bool strict_ = false;  ///< a condition with < or >
  text::dimension what_ = text::dimension::number;
  text::unit unit_ = text::unit::ratio;
  bool wants_more_ = false;
  std::vector<part> parts_;  ///< as they come in the text, each once
};

}  // namespace dibs::sweep
