/// How the durations of one run are spread over the buckets of a histogram: what is kept of a run
/// so that quantiles of several runs together can be told.
///
/// A quantile of a run says nothing of the others' quantile: the mean of the 95th percentiles of
/// short runs is not the 95th percentile. Spreads add up. Only buckets with values are kept, and
/// the values themselves where they are few enough for what keeps them.
#pragma once

#include "stats/histogram.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::stats {

struct sparse_histogram {
  struct part {
    std::uint32_t bucket = 0;
    std::uint64_t count = 0;

    friend bool operator==(const part&, const part&) = default;
  };

  /// Of one run of a study: half a MB, and less text.
  static constexpr std::uint64_t values_max = 65'536;

  std::vector<part> parts;  ///< by bucket, each with a value
  std::int64_t min = 0;     ///< exact, in nanoseconds
  std::int64_t max = 0;
  std::vector<std::int64_t> values{};  ///< all, in order; or none, where there were too many

  [[nodiscard]] std::uint64_t count() const;

  friend bool operator==(const sparse_histogram&, const sparse_histogram&) = default;
};

/// With all values if they are known, and no more than so many.
[[nodiscard]] sparse_histogram sparse_of(const histogram& h,
                                         std::uint64_t values_max = sparse_histogram::values_max);

/// As few characters as are needed: `=` and the gap of each value to the one before it, in digits
/// of base 32, of values; else `min max bucket*count gap*count ...`.
[[nodiscard]] std::string text_of(const sparse_histogram& s);

/// What `text_of` wrote; nothing for any other text.
[[nodiscard]] std::optional<sparse_histogram> parse_sparse_histogram(std::string_view text);

}  // namespace dibs::stats
