#include "results/paired_difference.hpp"

#include "base/random.hpp"
#include "catch.hpp"
#include "results/pointers.hpp"
#include "results/run_record.hpp"
#include "stats/confidence_interval.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace dibs;
using namespace dibs::results;
using dibs::results::test::pointers;

namespace {

metric_sample count(double x) { return {"double.offers", x, {}, {}}; }
metric_sample share(double over, double per) {
  return {"supply.hidden_share", per > 0 ? std::optional(over / per) : std::nullopt, over, per};
}

paired_difference compare(std::string_view name,
                          const std::vector<metric_sample>& a,
                          const std::vector<metric_sample>& b) {
  const auto d = difference_of(name, pointers(a), pointers(b));
  REQUIRE(d);
  return *d;
}

}  // namespace

TEST_CASE("estimate: a count is the mean, with Student's interval") {
  const std::vector<metric_sample> runs{count(101), count(102), count(106)};
  const auto e = estimate_of("double.offers", pointers(runs));
  REQUIRE(e);
  CHECK(e->value == 103);
  CHECK(e->high() - 103 == Approx(4.3027 * std::sqrt(7.0 / 3)).epsilon(1e-4));
  CHECK(e->samples == 3);
}

TEST_CASE("estimate: a share is the ratio of the sums, not the mean of the ratios") {
  const std::vector<metric_sample> runs{share(1, 10), share(3, 90)};
  const auto e = estimate_of("supply.hidden_share", pointers(runs));
  REQUIRE(e);
  CHECK(e->value == Approx(0.04));
  CHECK(e->margin.has_value());
}

TEST_CASE("estimate: intervals end at 0, and beyond it where none was seen") {
  const auto rare = estimate_of("double.offers", pointers({count(0), count(0), count(1)}));
  REQUIRE(rare);
  const auto ends = stats::clipped_margins(1.0 / 3, 4.302652730 / 3, {.chances = 3});
  REQUIRE(ends);
  CHECK(rare->low() == Approx(0).margin(1e-6));
  CHECK(rare->high() == Approx(1.0 / 3 + ends->above));
  const auto none = estimate_of("double.offers", pointers(std::vector<metric_sample>(4, count(0))));
  CHECK(none->low() == 0);
  CHECK(none->high() == Approx(-std::log(0.025) / 4));
  // Of a share, what was counted are the chances, not the runs.
  const metric_sample missed{"accepts.missed_rate", 0.0, 0.0, 25.0};
  const auto share =
      estimate_of("accepts.missed_rate", pointers(std::vector<metric_sample>(4, missed)));
  CHECK(share->high() == Approx(-std::log(0.025) / 100));
  const metric_sample per_million{"double.commits_per_million", 0.0, 0.0, 25.0};
  const auto scaled = estimate_of("double.commits_per_million",
                                  pointers(std::vector<metric_sample>(4, per_million)));
  CHECK(scaled->high() == Approx(-std::log(0.025) / 100 * 1e6));
}

TEST_CASE("estimate: of seconds that none saw, and of what few agree on, no interval is known") {
  const auto none =
      estimate_of("supply.hidden_share", pointers(std::vector<metric_sample>(4, share(0, 10))));
  CHECK(none->value == 0);
  CHECK_FALSE(none->margin);
  CHECK_FALSE(estimate_of("double.offers", pointers({count(3), count(3)}))->margin);
  CHECK(estimate_of("double.offers", pointers(std::vector<metric_sample>(5, count(3))))
            ->half_width() == 0);
}

TEST_CASE("estimate: one run has no interval, and no value is no figure") {
  CHECK_FALSE(estimate_of("double.offers", pointers({count(1)}))->margin);
  CHECK_FALSE(estimate_of("supply.hidden_share", pointers({share(0, 0)})));
  const std::vector<const metric_sample*> none{nullptr, nullptr};
  CHECK_FALSE(estimate_of("double.offers", none));
}

namespace {

metric_sample percentile(const std::vector<sim_duration>& delays) {
  stats::histogram h;
  for (const sim_duration d : delays) {
    h.add(d);
  }
  return {"ttm.p50",
          h.quantile(0.5),
          {},
          {},
          std::make_shared<const stats::sparse_histogram>(sparse_of(h))};
}

}  // namespace

TEST_CASE("estimate: a percentile is that of all values, not the mean of the runs'") {
  const std::vector<metric_sample> runs{percentile({1s}),
                                        percentile({2s, 2s, 2s, 2s, 2s, 2s, 2s, 2s})};
  CHECK(estimate_of("ttm.p50", pointers(runs))->value == Approx(2).epsilon(0.01));
}

TEST_CASE("estimate: a run without values counts as one that adds none") {
  const metric_sample some = percentile({1s, 2s, 3s, 4s, 5s, 6s, 7s, 8s});
  const auto e = estimate_of("ttm.p50", std::vector<const metric_sample*>{&some, nullptr, &some});
  REQUIRE(e);
  CHECK(e->value == Approx(4).epsilon(0.01));
  CHECK(e->samples == 2);
}

TEST_CASE("estimate: what is the same value again and again has no width") {
  const std::vector<sim_duration> held(30, 15s);
  std::vector<sim_duration> others = held;
  others.push_back(3s);
  const std::vector<metric_sample> runs{percentile(held), percentile(others), percentile(held)};
  const auto e = estimate_of("ttm.p50", pointers(runs));
  CHECK(e->value == 15);
  CHECK(e->half_width() == 0.0);
}

TEST_CASE("difference: pairs take out what the runs of a seed have in common") {
  // The seeds differ by far more than the sides do.
  const std::vector<metric_sample> a{count(100), count(200), count(300), count(400)};
  const std::vector<metric_sample> b{count(103), count(202), count(304), count(403)};
  const paired_difference d = compare("double.offers", a, b);
  CHECK(d.change.value == 3);
  CHECK(d.change.samples == 4);
  CHECK(d.change.half_width() < 1.5);
  CHECK(d.what == difference_status::changed);
}

TEST_CASE("difference: an interval that covers 0 is no difference seen") {
  const paired_difference d =
      compare("double.offers", {count(1), count(2), count(3)}, {count(2), count(1), count(4)});
  CHECK(d.what == difference_status::unseen);
  CHECK(d.change.half_width() > std::abs(d.change.value));
}

TEST_CASE("difference: equal pairs are the same, equal differences are certain") {
  CHECK(compare("double.offers", {count(1), count(2)}, {count(1), count(2)}).what ==
        difference_status::same);
  const paired_difference d = compare("double.offers",
                                      {count(1), count(2), count(3), count(4), count(5)},
                                      {count(2), count(3), count(4), count(5), count(6)});
  CHECK(d.what == difference_status::changed);
  CHECK(std::isinf(d.t_ratio()));
}

TEST_CASE("difference: two pairs that differ by the same are no certainty") {
  const paired_difference d = compare("double.offers", {count(1), count(2)}, {count(2), count(3)});
  CHECK(d.what == difference_status::alike);
  CHECK(d.change.value == 1);
  CHECK(d.t_ratio() == 0);
}

TEST_CASE("difference: of ratios it is that of the pooled ratios") {
  const std::vector<metric_sample> a{share(1, 10), share(4, 20), share(3, 30)};
  const std::vector<metric_sample> b{share(2, 10), share(6, 20), share(7, 30)};
  const paired_difference d = compare("supply.hidden_share", a, b);
  CHECK(d.change.value == Approx(15.0 / 60 - 8.0 / 60));
  CHECK(d.change.half_width() > 0);
  CHECK(d.t_ratio() ==
        Approx(d.change.value / (d.change.half_width() / stats::student_t_quantile(2))));
}

TEST_CASE("difference: less than two pairs say nothing") {
  CHECK_FALSE(difference_of("double.offers", pointers({count(1)}), pointers({count(2)})));
}

TEST_CASE("difference: what is clearest comes first, then what is largest") {
  const paired_difference clear = compare(
      "double.offers", {count(10), count(20), count(30)}, {count(11), count(21.1), count(30.9)});
  const paired_difference vague = compare(
      "double.offers", {count(10), count(20), count(30)}, {count(10), count(60), count(20)});
  CHECK(is_before(clear, vague));
  CHECK_FALSE(is_before(vague, clear));
}

namespace {

/// Of so many runs that are all alike, with what is kept of more values than are kept.
std::vector<metric_sample> alike(const std::string& metric,
                                 double share,
                                 const stats::histogram& h) {
  const auto kept = std::make_shared<const stats::sparse_histogram>(stats::sparse_of(h, 0));
  return std::vector<metric_sample>(5, metric_sample{metric, h.quantile(share), {}, {}, kept});
}

stats::histogram some_delays(stream& random) {
  stats::histogram h;
  for (int i = 0; i < 500; ++i) {
    h.add(sim_duration{static_cast<std::int64_t>(1 + random.below(60'000'000'000))});
  }
  return h;
}

}  // namespace

TEST_CASE("difference: of percentiles known by buckets, the interval covers the true one") {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    stream random(seed);
    const stats::histogram a = some_delays(random);
    const stats::histogram b = some_delays(random);
    for (const double share : {0.5, 0.9, 0.95}) {
      CAPTURE(seed, share);
      const std::string metric = fmt::format("ttm.p{:.0f}", 100 * share);
      const paired_difference d = compare(metric, alike(metric, share, a), alike(metric, share, b));
      const double truth = b.quantile(share) - a.quantile(share);
      CHECK(d.change.unsure.half_width() > 0);
      CHECK(d.change.low() <= truth);
      CHECK(truth <= d.change.high());
      CHECK(d.change.half_width() < 0.02 * (d.a + d.b));
    }
  }
}
