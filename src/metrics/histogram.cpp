#include "metrics/histogram.hpp"

#include "base/ensure.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

namespace dibs::metrics {
namespace {

constexpr unsigned octave_bits = 7;
constexpr std::uint64_t octave_size = std::uint64_t{1} << octave_bits;

/// By how many bits the values of an octave are shortened.
constexpr unsigned shift_of(std::uint64_t value) {
  const auto width = static_cast<unsigned>(std::bit_width(value));
  return width <= octave_bits + 1 ? 0 : width - octave_bits - 1;
}

constexpr std::size_t bucket_of(std::uint64_t value) {
  const unsigned shift = shift_of(value);
  return shift * octave_size + (value >> shift);
}

/// The middle of a bucket, in nanoseconds.
double middle_of(std::size_t bucket) {
  if (bucket < 2 * octave_size) {
    return static_cast<double>(bucket);
  }
  const std::size_t shift = bucket / octave_size - 1;
  const std::size_t first = bucket - shift * octave_size;
  return std::ldexp(static_cast<double>(first) + 0.5, static_cast<int>(shift)) - 0.5;
}

}  // namespace

bucket_ends ends_of(std::size_t bucket) {
  if (bucket < 2 * octave_size) {
    return {static_cast<double>(bucket), static_cast<double>(bucket) + 1};
  }
  const std::size_t shift = bucket / octave_size - 1;
  const std::size_t first = bucket - shift * octave_size;
  const auto at = [&](std::size_t n) {
    return std::ldexp(static_cast<double>(n), static_cast<int>(shift));
  };
  return {at(first), at(first + 1)};
}

void histogram::add(sim_duration value) {
  ensure(value >= sim_duration::zero(), "a histogram holds no negative duration");
  const std::size_t bucket = bucket_of(static_cast<std::uint64_t>(value.count()));
  if (bucket >= buckets_.size()) {
    buckets_.resize(bucket + 1);
  }
  ++buckets_[bucket];
  min_ = count_ == 0 ? value : std::min(min_, value);
  max_ = std::max(max_, value);
  sum_ += value.count();
  ++count_;
}

void histogram::merge(const histogram& other) {
  if (other.count_ == 0) {
    return;
  }
  if (buckets_.size() < other.buckets_.size()) {
    buckets_.resize(other.buckets_.size());
  }
  for (std::size_t i = 0; i < other.buckets_.size(); ++i) {
    buckets_[i] += other.buckets_[i];
  }
  min_ = count_ == 0 ? other.min_ : std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  sum_ += other.sum_;
  count_ += other.count_;
}

double histogram::mean() const {
  ensure(count_ > 0, "the mean of no values is undefined");
  return static_cast<double>(sum_) / static_cast<double>(count_) / 1e9;
}

double histogram::quantile(double q) const {
  ensure(count_ > 0, "a quantile of no values is undefined");
  ensure(q >= 0 && q <= 1, "a quantile is asked for a share");
  const double wanted = std::max(1.0, std::ceil(q * static_cast<double>(count_)));
  // The ends are known exactly.
  if (wanted <= 1) {
    return static_cast<double>(min_.count()) / 1e9;
  }
  if (wanted >= static_cast<double>(count_)) {
    return static_cast<double>(max_.count()) / 1e9;
  }
  std::uint64_t seen = 0;
  std::size_t bucket = 0;
  while (bucket < buckets_.size()) {
    seen += buckets_[bucket];
    if (static_cast<double>(seen) >= wanted) {
      break;
    }
    ++bucket;
  }
  const auto least = static_cast<double>(min_.count());
  const auto most = static_cast<double>(max_.count());
  return std::clamp(middle_of(bucket), least, most) / 1e9;
}

}  // namespace dibs::metrics
