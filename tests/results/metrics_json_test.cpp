#include "results/metrics_json.hpp"

#include "catch.hpp"
#include "samples.hpp"

#include <nlohmann/json.hpp>

using namespace dibs;

namespace {

std::string json_of(const results::run_results& a) {
  const results::metric_estimates f(a);
  return results::metrics_json(a, f, results::judge_bounds(a, f));
}

}  // namespace

TEST_CASE("json: holds what was measured, judged and found") {
  const auto a = results::sample_account();
  const auto j = nlohmann::json::parse(json_of(a));
  CHECK(j["schema"] == 1);
  CHECK(j["scenario"] == "evening-peak");
  CHECK(j["status"] == "complete");
  CHECK(j["seed"] == 20181109);
  CHECK(j["history"] == "9f3a21c4d5e6f708");
  CHECK(j["reached_s"] == 8400.0);
  CHECK(j["metrics"]["double.offers"] == 31);
  CHECK(j["metrics"]["double.offers"].is_number_integer());
  CHECK(j["metrics"]["supply.hidden_share"] == 209'000.0 / 17'280'000);
  CHECK(j["hidden_s_by_cause"]["ignored"] == 100'000.0);
  CHECK_FALSE(j.contains("intervals_95"));
  CHECK(j["promises"]["judged"].size() == 21);
  CHECK(j["promises"]["violation_count"] == 0);
  REQUIRE(j["thresholds"].size() == 2);
  CHECK(j["thresholds"][0]["met"] == true);
  CHECK(j["thresholds"][1]["met"] == false);
  CHECK(j["thresholds"][1]["bound"] == "<= 1%");
  CHECK(j["notables"][0]["ride"] == 4711);
}

TEST_CASE("json: the parts of hidden supply add up to the whole") {
  const auto j = nlohmann::json::parse(json_of(results::sample_account()));
  double sum = 0;
  for (const auto& part : j["hidden_s_by_cause"]) {
    sum += part.get<double>();
  }
  CHECK(sum == j["metrics"]["supply.hidden_s"].get<double>());
}

TEST_CASE("json: wall times and places of files leave no trace") {
  auto a = results::sample_account();
  const std::string before = json_of(a);
  a.wall_s = 99;
  a.runs[0].wall_s = 98;
  a.file = "/elsewhere/peak.yaml";
  a.program = "/opt/dibs";
  CHECK(json_of(a) == before);
  a.runs[0].metrics.sums["double.offers"] += 1;
  CHECK(json_of(a) != before);
}

TEST_CASE("json: an interrupted run says so and judges no threshold") {
  auto a = results::sample_account();
  a.runs[0].interrupted = true;
  a.runs[0].reached = at(1h);
  const auto j = nlohmann::json::parse(json_of(a));
  CHECK(j["status"] == "interrupted");
  CHECK(j["reached_s"] == 3600.0);
  CHECK(j["thresholds"][0]["met"].is_null());
}

TEST_CASE("json: replications carry their own figures and intervals") {
  auto a = results::sample_account();
  a.runs = {results::sample_run(1), results::sample_run(0xffffffffffffffffU, 2)};
  a.runs_asked = 2;
  const auto j = nlohmann::json::parse(json_of(a));
  CHECK(j["intervals_95"]["double.offers"]["half_width"].get<double>() > 0);
  CHECK(j["replications"][1]["seed"] == 0xffffffffffffffffU);
  CHECK(j["replications"][1]["metrics"]["double.offers"] == 62);
  CHECK_FALSE(j.contains("history"));
}

TEST_CASE("json: strings that are not UTF-8 do not throw") {
  auto a = results::sample_account();
  a.scenario.question = "\xff\xfe\x1b";
  CHECK_NOTHROW(nlohmann::json::parse(json_of(a)));
}

TEST_CASE("json: differences name the values that changed") {
  auto a = results::sample_account();
  const std::string before = json_of(a);
  CHECK(results::differences(before, before).empty());
  a.runs[0].metrics.sums["double.accepts"] = 5;
  const auto lines = results::differences(before, json_of(a));
  REQUIRE_FALSE(lines.empty());
  CHECK(lines[0] == "metrics double.accepts: 4 before, 5 now");
  CHECK(results::differences("{}", "{} ").size() == 1);
}

TEST_CASE("json: whole seconds are written without a remainder") {
  auto a = results::sample_account();
  a.scenario.clock.warmup = 120s;
  a.scenario.clock.duration = 7980s;
  a.runs[0].reached = at(8100s + 1ms);
  const std::string text = json_of(a);
  CHECK(text.find("\"measured_from_s\": 120,") != std::string::npos);
  CHECK(text.find("\"measured_until_s\": 8100,") != std::string::npos);
  CHECK(text.find("\"reached_s\": 8100.001,") != std::string::npos);
}
