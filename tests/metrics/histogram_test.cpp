#include "base/random.hpp"
#include "catch.hpp"
#include "metrics/spread.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using namespace dibs;
using dibs::metrics::histogram;

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

TEST_CASE("histogram: a quantile is off by less than one per cent", "[metrics]") {
  auto all = values(10000, 1);
  const histogram h = histogram_of(all);
  std::sort(all.begin(), all.end());
  for (const double q : {0.0001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::ceil(q * 10000));
    const double exact = in_seconds(all[rank - 1]);
    CAPTURE(q);
    CHECK(std::abs(h.quantile(q) - exact) <= 0.0040 * exact);
  }
  CHECK(h.quantile(0) == Approx(in_seconds(all.front())).epsilon(1e-12));
  CHECK(h.quantile(1) == Approx(in_seconds(all.back())).epsilon(1e-12));
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

TEST_CASE("spread: a histogram's buckets in few characters, and back") {
  histogram h;
  for (const sim_duration d : {sim_duration(0ns),
                               sim_duration(3ns),
                               sim_duration(1s),
                               sim_duration(1s),
                               sim_duration(70s)}) {
    h.add(d);
  }
  const metrics::spread s = metrics::spread_of(h);
  CHECK(s.count() == 5);
  CHECK(s.parts.size() == 4);
  CHECK(s.max == 70'000'000'000);
  const auto read = metrics::read_spread(metrics::text_of(s));
  REQUIRE(read);
  CHECK(*read == s);
  for (const char* text : {"", "1", "1 2 ", "1 2 3", "1 2 3*0", "1 2 3*4 0*1", "1 2 3*4x"}) {
    CHECK_FALSE(metrics::read_spread(text));
  }
}

TEST_CASE("spread: each value lies within the ends of its bucket") {
  for (const std::int64_t ns : {0L, 255L, 256L, 1'000'003L, 8'589'934'592L, 15'000'000'000L}) {
    histogram h;
    h.add(sim_duration(ns));
    const auto [from, to] = metrics::ends_of(metrics::spread_of(h).parts.front().bucket);
    CHECK(from <= static_cast<double>(ns));
    CHECK(static_cast<double>(ns) < to);
  }
}

}  // namespace
