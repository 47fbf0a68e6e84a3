#include "stats/histogram.hpp"

#include "base/ensure.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numeric>

namespace dibs::stats {
namespace {

constexpr unsigned octave_bits = 7;
constexpr std::uint64_t octave_size = std::uint64_t{1} << octave_bits;

/// By how many bits the values of an octave are shortened.
constexpr unsigned shift_of(std::uint64_t value) {
  const auto width = static_cast<unsigned>(std::bit_width(value));
  return width <= octave_bits + 1 ? 0 : width - octave_bits - 1;
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

std::uint64_t rank_of(double q, std::uint64_t count) {
  ensure(count > 0, "a quantile of no values is undefined");
  ensure(q >= 0 && q <= 1, "a quantile is asked for a share");
  // 0.55 of 100 values are 55, and not 55.00000000000001.
  const double wanted = q * static_cast<double>(count);
  const double whole = std::round(wanted);
  const double rank = std::abs(wanted - whole) <= 1e-12 * wanted ? whole : std::ceil(wanted);
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(rank), 1, count);
}

std::size_t bucket_of(std::int64_t value) {
  const auto size = static_cast<std::uint64_t>(value);
  const unsigned shift = shift_of(size);
  return shift * octave_size + (size >> shift);
}

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
  const std::size_t bucket = bucket_of(value.count());
  if (bucket >= buckets_.size()) {
    buckets_.resize(bucket + 1);
  }
  ++buckets_[bucket];
  if (count_ < exact_max) {
    values_.push_back(value.count());
  } else if (count_ == exact_max) {
    forget_values();
  }
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
  if (is_exact() && other.is_exact() && count_ + other.count_ <= exact_max) {
    values_.insert(values_.end(), other.values_.begin(), other.values_.end());
  } else {
    forget_values();
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

void histogram::forget_values() {
  values_.clear();
  values_.shrink_to_fit();
}

std::size_t histogram::bucket_with(std::uint64_t rank) const {
  std::uint64_t seen = 0;
  std::size_t bucket = 0;
  while ((seen += buckets_[bucket]) < rank) {
    ++bucket;
  }
  return bucket;
}

double histogram::quantile(double q) const {
  const auto [from, to] = around(q);
  if (from == to) {
    return from;
  }
  const double middle = middle_of(bucket_with(rank_of(q, count_))) / 1e9;
  return std::clamp(middle, from, to);
}

bucket_ends histogram::around(double q) const {
  const std::uint64_t rank = rank_of(q, count_);
  const auto exactly = [](std::int64_t ns) {
    return bucket_ends{static_cast<double>(ns) / 1e9, static_cast<double>(ns) / 1e9};
  };
  if (rank == 1 || rank == count_) {
    return exactly((rank == 1 ? min_ : max_).count());
  }
  const std::size_t bucket = bucket_with(rank);
  if (!is_exact()) {
    const auto [from, to] = ends_of(bucket);
    return {std::max(from, static_cast<double>(min_.count())) / 1e9,
            std::min(to - 1, static_cast<double>(max_.count())) / 1e9};
  }
  std::vector<std::int64_t> inside;
  std::copy_if(values_.begin(), values_.end(), std::back_inserter(inside), [&](std::int64_t v) {
    return bucket_of(v) == bucket;
  });
  const auto before = std::accumulate(
      buckets_.begin(), buckets_.begin() + static_cast<std::ptrdiff_t>(bucket), std::uint64_t{0});
  const auto at = inside.begin() + static_cast<std::ptrdiff_t>(rank - before - 1);
  std::nth_element(inside.begin(), at, inside.end());
  return exactly(*at);
}

}  // namespace dibs::stats
