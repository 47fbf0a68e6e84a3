#include "incidents/assessment.hpp"

#include "catch.hpp"

#include <algorithm>
#include <cmath>

using namespace dibs;
using incidents::incident_outcome;

namespace {

/// One report for each value of one sum.
std::vector<metrics::report> runs(const std::string& name, const std::vector<double>& values) {
  std::vector<metrics::report> all;
  for (const double v : values) {
    metrics::report r;
    r.sums[name] = v;
    all.push_back(std::move(r));
  }
  return all;
}

incident_outcome verdict_of(const std::string& metric,
                            const std::vector<double>& with_cause,
                            const std::vector<double>& without,
                            const std::vector<std::string>& harms = {}) {
  return incidents::judge(runs(metric, with_cause), runs(metric, without), harms).outcome;
}

}  // namespace

TEST_CASE("judge: a harm that was never there without the cause breaks, however rare") {
  CHECK(verdict_of("double.commits", {0, 0, 1, 0}, {0, 0, 0, 0}) == incident_outcome::breaks);
  CHECK(verdict_of("double.commits", {0, 0, 0, 0}, {0, 0, 0, 0}) == incident_outcome::survives);
}

TEST_CASE("judge: a harm that is there anyway breaks only if it grows, pair by pair") {
  CHECK(verdict_of("double.commits", {20, 25, 31}, {10, 14, 20}) == incident_outcome::breaks);
  CHECK(verdict_of("double.commits", {10, 14, 20}, {20, 25, 31}) == incident_outcome::survives);
  CHECK(verdict_of("double.commits", {10, 13, 20}, {12, 10, 20}) == incident_outcome::survives);
}

TEST_CASE("judge: what looks a tenth worse, and may be chance, is undecided") {
  CHECK(verdict_of("double.commits", {10, 30, 12}, {12, 11, 20}) == incident_outcome::undecided);
}

TEST_CASE("judge: every metric is told with the interval of its difference") {
  const std::vector<std::string> harms{"offers.sent"};
  const auto found =
      incidents::judge(runs("double.commits", {3, 5, 4}), runs("double.commits", {1, 2, 3}), harms);
  REQUIRE(found.all.size() == 9);
  const incidents::paired_change& d = found.all.front();
  CHECK(d.metric == "double.commits");
  CHECK(d.status == incidents::change_status::unclear);
  // 2, 3, 1: a mean of 2, a standard deviation of 1, and t of 4.3027 at two degrees of freedom
  CHECK(d.change.low() == Approx(2 - 4.302653 / std::sqrt(3)));
  CHECK(d.change.high() == Approx(2 + 4.302653 / std::sqrt(3)));
  CHECK(found.all[4].metric == "offers.sent");
  CHECK(found.all[4].status == incidents::change_status::no_worse);
}

TEST_CASE("judge: a metric that the incident does not name decides nothing") {
  CHECK(verdict_of("leases.early_release", {5, 6, 7}, {0, 0, 0}) == incident_outcome::survives);
  CHECK(verdict_of("leases.early_release", {5, 6, 7}, {0, 0, 0}, {"leases.early_release"}) ==
        incident_outcome::breaks);
}

TEST_CASE("judge: service that is worse by a tenth degrades, by less survives") {
  const auto matched = [](const std::vector<double>& of_100) {
    std::vector<metrics::report> all;
    for (const double m : of_100) {
      metrics::report r;
      r.sums["rides.matched"] = m;
      r.sums["rides.requested"] = 100;
      all.push_back(std::move(r));
    }
    return all;
  };
  CHECK(incidents::judge(matched({70, 71, 69}), matched({90, 91, 90}), {}).outcome ==
        incident_outcome::degrades);
  CHECK(incidents::judge(matched({86, 87, 86}), matched({90, 91, 90}), {}).outcome ==
        incident_outcome::survives);
  CHECK(incidents::judge(matched({90, 91, 90}), matched({70, 71, 69}), {}).outcome ==
        incident_outcome::survives);
}

TEST_CASE("judge: what decided is told with its means") {
  const auto found =
      incidents::judge(runs("double.rides", {2, 4}), runs("double.rides", {0, 0}), {});
  REQUIRE(found.worse.size() == 1);
  CHECK(found.worse[0].metric == "double.rides");
  CHECK(found.worse[0].with_cause == 3);
  CHECK(found.worse[0].without == 0);
}

TEST_CASE("judge: a metric that is a harm of the incident is told once, as that harm") {
  const std::vector<std::string> harms{"supply.hidden_share", "double.commits"};
  const auto found =
      incidents::judge(runs("double.commits", {1}), runs("double.commits", {0}), harms);
  const auto times = [&found](std::string_view metric) {
    return std::count_if(
        found.all.begin(), found.all.end(), [metric](const auto& d) { return d.metric == metric; });
  };
  CHECK(found.all.size() == 8);
  CHECK(times("supply.hidden_share") == 1);
  CHECK(times("double.commits") == 1);
}
