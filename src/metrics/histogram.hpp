/// A mergeable histogram of durations with a bounded relative error.
///
/// Log-linear buckets (as HdrHistogram, Tene 2012): values below 2^7 ns are exact, larger ones fall
/// into 2^7 buckets an octave, so a quantile is off by less than 1 %. Count and sum are exact.
/// Merging is associative and commutative: the same values give the same histogram in any order.
#pragma once

#include "base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dibs::metrics {

class histogram {
 public:
  /// Requires: value >= 0.
  void add(sim_duration value);
  void merge(const histogram& other);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// In seconds. Requires: count() > 0.
  [[nodiscard]] double mean() const;
  /// The value below which the share `q` of all values lies, by the middle of its bucket, in
  /// seconds. Requires: count() > 0, 0 <= q <= 1.
  [[nodiscard]] double quantile(double q) const;
  [[nodiscard]] sim_duration min() const { return min_; }
  [[nodiscard]] sim_duration max() const { return max_; }
  /// How many values fell into each bucket; the last one that has any ends the list or stands
  /// before empty ones.
  [[nodiscard]] std::span<const std::uint64_t> buckets() const { return buckets_; }

 private:
  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  __extension__ __int128 sum_ = 0;
  sim_duration min_{};
  sim_duration max_{};
};

/// The values that fall into a bucket: from `from` up to, but not with, `to`, in nanoseconds.
struct bucket_ends {
  double from = 0;
  double to = 0;
};

[[nodiscard]] bucket_ends ends_of(std::size_t bucket);

}  // namespace dibs::metrics
