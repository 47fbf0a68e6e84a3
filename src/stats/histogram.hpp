/// A mergeable histogram of durations whose quantiles are exact for as many values as it keeps.
///
/// Log-linear buckets (as HdrHistogram, Tene 2012): values below 2^7 ns are exact, larger ones fall
/// into 2^7 buckets an octave, less than 1 % wide. Beside them the values themselves are kept, up
/// to `exact_max` of them; of more a quantile is known by the ends of its bucket. Count and sum are
/// exact. Merging is associative and commutative: the same values give the same figures in any
/// order.
///
/// A quantile is the smallest value that at least the share `q` of all values does not exceed: the
/// inverse of the empirical distribution.
#pragma once

#include "base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dibs::stats {

/// The place, from 1, of that quantile among `count` values in order. Requires: count > 0.
[[nodiscard]] std::uint64_t rank_of(double q, std::uint64_t count);

/// The values that fall into a bucket: from `from` up to, but not with, `to`, in nanoseconds.
struct bucket_ends {
  double from = 0;
  double to = 0;
};

[[nodiscard]] bucket_ends ends_of(std::size_t bucket);
/// Which bucket a value falls into. Requires: value >= 0.
[[nodiscard]] std::size_t bucket_of(std::int64_t value);

class histogram {
 public:
  static constexpr std::uint64_t exact_max = std::uint64_t{1} << 20;

  /// Requires: value >= 0.
  void add(sim_duration value);
  void merge(const histogram& other);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// In seconds. Requires: count() > 0.
  [[nodiscard]] double mean() const;
  /// In seconds; where values are not kept the middle of its bucket. Requires: count() > 0,
  /// 0 <= q <= 1.
  [[nodiscard]] double quantile(double q) const;
  /// Between what it lies, in seconds: the quantile itself twice where values are kept.
  [[nodiscard]] bucket_ends around(double q) const;
  [[nodiscard]] bool is_exact() const { return values_.size() == count_; }
  /// All of them, in no order, or none.
  [[nodiscard]] std::span<const std::int64_t> values() const { return values_; }
  [[nodiscard]] sim_duration min() const { return min_; }
  [[nodiscard]] sim_duration max() const { return max_; }
  /// How many values fell into each bucket; the last one that has any ends the list or stands
  /// before empty ones.
  [[nodiscard]] std::span<const std::uint64_t> buckets() const { return buckets_; }

 private:
  void forget_values();
  [[nodiscard]] std::size_t bucket_with(std::uint64_t rank) const;

  std::vector<std::uint64_t> buckets_;
  std::vector<std::int64_t> values_;  ///< in nanoseconds, unless they are too many
  std::uint64_t count_ = 0;
  __extension__ __int128 sum_ = 0;
  sim_duration min_{};
  sim_duration max_{};
};

}  // namespace dibs::stats
