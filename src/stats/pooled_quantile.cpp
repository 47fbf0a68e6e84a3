#include "stats/pooled_quantile.hpp"

#include "base/ensure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace dibs::stats {
namespace {

constexpr double ns_per_s = 1e9;
/// A bucket that holds so many times more than its neighbours holds one value again and again, such
/// as a lease that lasts as long as it may, and nothing that could be interpolated.
constexpr double atom_factor = 4;
constexpr double atom_count_min = 20;

/// All values of all runs, as a line that rises through the buckets.
class pool {
 public:
  explicit pool(std::span<const sparse_histogram* const> runs) {
    for (const sparse_histogram* run : runs) {
      if (run != nullptr && !run->parts.empty()) {
        add(*run);
      }
    }
    is_exact_ = !values_.empty() && std::all_of(values_.begin(), values_.end(), [](const auto* v) {
      return !v->empty();
    });
    below_.push_back(0);
    for (const double count : counts_) {
      below_.push_back(below_.back() + count);
    }
  }

  [[nodiscard]] double count() const { return below_.back(); }

  /// The quantile of the share `q`, in nanoseconds.
  [[nodiscard]] double at(double q) const {
    if (is_exact_) {
      return static_cast<double>(exactly(q));
    }
    const double wanted = std::clamp(q, 0.0, 1.0) * count();
    const std::size_t b = bucket_at(wanted);
    const auto [from, to] = ends(b);
    if (is_atom(b)) {
      return to >= max_ ? max_ : std::max((from + to) / 2, min_);
    }
    return from + (to - from) * std::clamp((wanted - below_[b]) / counts_[b], 0.0, 1.0);
  }

  /// Between what the quantile lies.
  [[nodiscard]] bucket_ends around(double q) const {
    if (is_exact_) {
      return {at(q), at(q)};
    }
    const auto rank = rank_of(std::clamp(q, 0.0, 1.0), static_cast<std::uint64_t>(count()));
    const auto [from, to] = ends(bucket_at(static_cast<double>(rank)));
    return {std::min(from, at(q)), std::max(to, at(q))};
  }

  /// How many of a run's values lie below the share `q` of all, with a part of those beside it.
  [[nodiscard]] double below(const sparse_histogram& run, double q) const {
    const double wanted = q * count();
    if (is_exact_) {
      const std::int64_t at = exactly(q);
      double less = 0;
      double alike = 0;
      for (const std::vector<std::int64_t>* v : values_) {
        less += below(*v, at);
        alike += below(*v, at + 1) - below(*v, at);
      }
      const double part = std::clamp((wanted - less) / alike, 0.0, 1.0);
      const double own = below(run.values, at);
      return own + (below(run.values, at + 1) - own) * part;
    }
    const std::size_t b = bucket_at(wanted);
    double n = 0;
    for (const sparse_histogram::part& p : run.parts) {
      if (p.bucket < b) {
        n += static_cast<double>(p.count);
      } else if (p.bucket == b) {
        n += static_cast<double>(p.count) * (wanted - below_[b]) / counts_[b];
      }
    }
    return n;
  }

 private:
  void add(const sparse_histogram& run) {
    const bool first = counts_.empty();
    min_ = first ? static_cast<double>(run.min) : std::min(min_, static_cast<double>(run.min));
    max_ = std::max(max_, static_cast<double>(run.max));
    values_.push_back(&run.values);
    counts_.resize(std::max<std::size_t>(counts_.size(), run.parts.back().bucket + 1));
    for (const sparse_histogram::part& p : run.parts) {
      counts_[p.bucket] += static_cast<double>(p.count);
    }
  }

  static double below(const std::vector<std::int64_t>& values, std::int64_t at) {
    return static_cast<double>(std::lower_bound(values.begin(), values.end(), at) - values.begin());
  }

  /// Among the values of its bucket, which are few.
  [[nodiscard]] std::int64_t exactly(double q) const {
    const auto rank =
        static_cast<double>(rank_of(std::clamp(q, 0.0, 1.0), static_cast<std::uint64_t>(count())));
    const std::size_t b = bucket_at(rank);
    std::vector<std::int64_t> inside;
    for (const std::vector<std::int64_t>* v : values_) {
      const auto first =
          std::partition_point(v->begin(), v->end(), [&](auto x) { return bucket_of(x) < b; });
      const auto last =
          std::partition_point(first, v->end(), [&](auto x) { return bucket_of(x) <= b; });
      inside.insert(inside.end(), first, last);
    }
    const auto at = inside.begin() + static_cast<std::ptrdiff_t>(rank - below_[b]) - 1;
    std::nth_element(inside.begin(), at, inside.end());
    return *at;
  }

  /// The first bucket up to whose end so many values lie; one that has some.
  [[nodiscard]] std::size_t bucket_at(double wanted) const {
    const auto end = std::lower_bound(below_.begin() + 1, below_.end(), wanted);
    auto b = static_cast<std::size_t>(std::min(end, below_.end() - 1) - below_.begin()) - 1;
    while (counts_[b] == 0) {
      ++b;
    }
    return b;
  }

  [[nodiscard]] bucket_ends ends(std::size_t b) const {
    const auto [from, to] = ends_of(b);
    return {std::clamp(from, min_, max_), std::clamp(to, min_, max_)};
  }

  [[nodiscard]] bool is_atom(std::size_t b) const {
    const double beside =
        (b > 0 ? counts_[b - 1] : 0) + (b + 1 < counts_.size() ? counts_[b + 1] : 0);
    return counts_[b] >= atom_count_min && counts_[b] > atom_factor * beside;
  }

  std::vector<const std::vector<std::int64_t>*> values_;  ///< of the runs that have some
  bool is_exact_ = false;
  std::vector<double> counts_;
  std::vector<double> below_;  ///< how many lie below each bucket
  double min_ = 0;
  double max_ = 0;
};

/// Whether so many values, were each drawn alone, would have some on both sides of an interval of
/// the share `q` that is `t` standard errors wide each way. It asks nothing of the values, since
/// intervals that are kept only where the runs happened to differ little cover too seldom.
bool reaches_both_ways(double count, double q, double t) {
  const double half = t * std::sqrt(q * (1 - q) / count);
  return q - half > 0 && q + half < 1;
}

}  // namespace

std::optional<pooled_quantile> quantile_of(std::span<const sparse_histogram* const> runs,
                                           double q) {
  ensure(q > 0 && q < 1, "a quantile is asked for a share between 0 and 1");
  const pool all(runs);
  if (!(all.count() > 0)) {
    return std::nullopt;
  }
  const double value = all.at(q) / ns_per_s;
  const auto [first, last] = all.around(q);
  pooled_quantile found{{value}, std::vector<double>(runs.size())};
  found.of.unsure = {value - first / ns_per_s, last / ns_per_s - value, true};
  const double n = static_cast<double>(runs.size());
  // What each run has too few of below the quantile, as a share of all values, times the runs.
  std::vector<double> lacks(runs.size(), 0);
  double squares = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i] != nullptr) {
      const double due = q * static_cast<double>(runs[i]->count());
      lacks[i] = n * (due - all.below(*runs[i], q)) / all.count();
      squares += lacks[i] * lacks[i];
    }
  }
  double slope = 0;
  found.bounded =
      runs.size() > 1 && reaches_both_ways(all.count(), q, student_t_quantile(runs.size() - 1));
  if (found.bounded || found.of.unsure.half_width() > 0) {
    found.of.margin = found.of.unsure;
  }
  if (runs.size() > 1 && squares > 0) {
    const double half = student_t_quantile(runs.size() - 1) * std::sqrt(squares / (n - 1) / n);
    const double low = std::max(q - half, 0.0);
    const double high = std::min(q + half, 1.0);
    slope = (all.at(high) - all.at(low)) / ns_per_s / (high - low);
    if (found.bounded) {
      found.of.margin = {
          value - all.around(low).from / ns_per_s, all.around(high).to / ns_per_s - value, true};
    }
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    found.pseudo[i] = value + slope * lacks[i];
  }
  return found;
}

}  // namespace dibs::stats
