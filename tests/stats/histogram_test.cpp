#include "base/random.hpp"
#include "catch.hpp"
#include "stats/sparse_histogram.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace {

using namespace dibs;
using dibs::stats::histogram;

/// Values over twelve orders of magnitude.
std::vector<sim_duration> values(std::size_t count, std::uint64_t seed) {
  stream random(seed);
  std::vector<sim_duration> all;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t bits = random.below(42);
    all.emplace_back(static_cast<std::int64_t>(random.bits() >> (63 - bits)));
  }
  return all;
}

histogram histogram_of(const std::vector<sim_duration>& all) {
  histogram h;
  for (const sim_duration d : all) {
    h.add(d);
  }
  return h;
}

/// As the histogram rounds it.
double seconds(sim_duration d) { return static_cast<double>(d.count()) / 1e9; }

constexpr std::array<int, 10> per_myriad{1, 100, 1000, 2500, 5000, 7500, 9000, 9500, 9900, 9990};

TEST_CASE("histogram: a quantile is the value of its rank", "[metrics]") {
  auto all = values(10000, 1);
  const histogram h = histogram_of(all);
  std::sort(all.begin(), all.end());
  for (const int rank : per_myriad) {
    CAPTURE(rank);
    CHECK(h.quantile(rank / 1e4) == seconds(all[static_cast<std::size_t>(rank - 1)]));
    CHECK(h.quantile((rank - 0.5) / 1e4) == seconds(all[static_cast<std::size_t>(rank - 1)]));
  }
  CHECK(h.quantile(0) == Approx(in_seconds(all.front())).epsilon(1e-12));
  CHECK(h.quantile(1) == Approx(in_seconds(all.back())).epsilon(1e-12));
}

TEST_CASE("histogram: ranks of whole numbers of values are whole", "[metrics]") {
  CHECK(stats::rank_of(0.55, 100) == 55);  // whose product is 55.00000000000001
  CHECK(stats::rank_of(0.07, 100) == 7);
  CHECK(stats::rank_of(0.551, 100) == 56);
  CHECK(stats::rank_of(0, 100) == 1);
  CHECK(stats::rank_of(1, 100) == 100);
  CHECK(stats::rank_of(0.5, 1) == 1);
}

TEST_CASE("histogram: of more values than it keeps, a quantile lies within the ends that it says",
          "[metrics]") {
  auto all = values(histogram::exact_max, 4);
  histogram h = histogram_of(all);
  CHECK(h.is_exact());
  all.push_back(70s);
  h.add(all.back());
  CHECK_FALSE(h.is_exact());
  CHECK(h.values().empty());
  std::sort(all.begin(), all.end());
  for (const int share : per_myriad) {
    CAPTURE(share);
    const double exact = seconds(all[stats::rank_of(share / 1e4, all.size()) - 1]);
    const auto [from, to] = h.around(share / 1e4);
    CHECK(from <= exact);
    CHECK(exact <= to);
    CHECK(to - from <= 0.008 * exact);
    CHECK(from <= h.quantile(share / 1e4));
    CHECK(h.quantile(share / 1e4) <= to);
  }
  // Two that are exact may be too many together.
  histogram half = histogram_of(values(histogram::exact_max / 2 + 1, 5));
  half.merge(half);
  CHECK_FALSE(half.is_exact());
}

TEST_CASE("histogram: small values, count, mean, least and most are exact", "[metrics]") {
  histogram h;
  for (std::int64_t i = 1; i <= 200; ++i) {
    h.add(sim_duration{i});
  }
  CHECK(h.quantile(0.5) == Approx(100e-9).epsilon(1e-12));
  CHECK(h.quantile(0.505) == Approx(101e-9).epsilon(1e-12));
  CHECK(h.quantile(0.99) == Approx(198e-9).epsilon(1e-12));
  CHECK(h.mean() == Approx(100.5e-9).epsilon(1e-12));
  CHECK(h.count() == 200);
  CHECK(h.min() == 1ns);
  CHECK(h.max() == 200ns);
}

TEST_CASE("histogram: the longest duration has a bucket, and sums do not overflow", "[metrics]") {
  histogram h;
  h.add(forever);
  h.add(forever);
  h.add(forever);
  CHECK(h.mean() == Approx(in_seconds(forever)).epsilon(1e-12));
  CHECK(h.quantile(0.5) == Approx(in_seconds(forever)).epsilon(1e-12));
}

TEST_CASE("histogram: merged halves equal the whole, in any order", "[metrics]") {
  const auto all = values(3000, 2);
  const histogram whole = histogram_of(all);
  histogram parts[3];
  for (std::size_t i = 0; i < all.size(); ++i) {
    parts[i % 3].add(all[i]);
  }
  histogram forth;
  histogram back;
  for (int i = 0; i < 3; ++i) {
    forth.merge(parts[i]);
    back.merge(parts[2 - i]);
  }
  back.merge(histogram{});
  for (const histogram& merged : {forth, back}) {
    CHECK(merged.count() == whole.count());
    CHECK(merged.mean() == whole.mean());
    CHECK(merged.min() == whole.min());
    CHECK(merged.max() == whole.max());
    for (int i = 0; i <= 1000; ++i) {
      REQUIRE(merged.quantile(i / 1000.0) == whole.quantile(i / 1000.0));
    }
  }
}

TEST_CASE("histogram: quantiles rise with the share", "[metrics]") {
  const histogram h = histogram_of(values(500, 3));
  double last = 0;
  for (int i = 0; i <= 1000; ++i) {
    const double now = h.quantile(i / 1000.0);
    REQUIRE(now >= last);
    last = now;
  }
}

TEST_CASE("sparse histogram: a histogram's values in few characters, and back") {
  histogram h;
  for (const sim_duration d : {sim_duration(0ns),
                               sim_duration(3ns),
                               sim_duration(1s),
                               sim_duration(1s),
                               sim_duration(70s)}) {
    h.add(d);
  }
  const stats::sparse_histogram s = stats::sparse_of(h);
  CHECK(s.count() == 5);
  CHECK(s.parts.size() == 4);
  CHECK(s.max == 70'000'000'000);
  const auto read = stats::parse_sparse_histogram(stats::text_of(s));
  REQUIRE(read);
  CHECK(*read == s);
  CHECK(stats::text_of(s) == "=AD9vy15dAgw8wrogC");
  for (const char* text :
       {"=*", "= B", "=B ", "=g", "=gA", "=B=", "=____________HB", "=____________P"}) {
    CHECK_FALSE(stats::parse_sparse_histogram(text));
  }
  // And its buckets, where they are too many.
  const stats::sparse_histogram buckets = stats::sparse_of(h, 4);
  CHECK(buckets.values.empty());
  const auto again = stats::parse_sparse_histogram(stats::text_of(buckets));
  REQUIRE(again);
  CHECK(*again == buckets);
  for (const char* text : {"", "1", "1 2 ", "1 2 3", "1 2 3*0", "1 2 3*4 0*1", "1 2 3*4x"}) {
    CHECK_FALSE(stats::parse_sparse_histogram(text));
  }
}

TEST_CASE("sparse histogram: each value lies within the ends of its bucket") {
  for (const std::int64_t ns : {0L, 255L, 256L, 1'000'003L, 8'589'934'592L, 15'000'000'000L}) {
    histogram h;
    h.add(sim_duration(ns));
    const auto [from, to] = stats::ends_of(stats::sparse_of(h).parts.front().bucket);
    CHECK(from <= static_cast<double>(ns));
    CHECK(static_cast<double>(ns) < to);
  }
}

}  // namespace
