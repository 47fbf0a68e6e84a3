// Goal: the page is told the same figures as every report, and what repeats them.
// Method: runs of a small scenario, against its metrics.json.

#include "explore/page_data.hpp"

#include "engine/run.hpp"
#include "explore/small_start.hpp"
#include "has.hpp"
#include "results/metrics_json.hpp"
#include "text/json_text.hpp"

#include <nlohmann/json.hpp>

using namespace dibs;
using namespace dibs::explore;
using namespace dibs::explore::test;
using dibs::test::has;

namespace {

results::run_results ran(const small_start& s, const changes& c, std::uint32_t runs) {
  results::run_results a;
  a.scenario = s.scenario.with(c).value;
  a.file = "my town.yaml";
  a.overrides = c;
  a.seed = a.scenario.seed;
  a.runs_asked = runs;
  auto all = engine::run_many(a.scenario, {.seed = a.seed}, runs, 1);
  REQUIRE(all);
  a.runs = std::move(*all);
  return a;
}

}  // namespace

TEST_CASE("page data: figures, ends of intervals and texts are those of the runs") {
  const small_start s;
  const auto a = ran(s, {{"lease.ttl", "9s"}}, 5);
  const std::vector<slider> sliders{s.moving("lease.ttl"), s.moving("lease.margin=0s..5s")};
  const auto told = text::text_as_json(point_text(a, sliders));
  const results::metric_estimates estimates(a);
  CHECK(told.at("runs") == 5);
  CHECK(told.at("figures").size() > 15);
  for (const auto& [name, figure] : told.at("figures").items()) {
    INFO(name);
    const auto e = estimates.find(name);
    REQUIRE(e);
    CHECK(figure.at("v").get<double>() == e->value);
    CHECK(figure.at("low").get<double>() == Approx(e->low()));
    CHECK(figure.at("high").get<double>() == Approx(e->high()));
  }
  CHECK(has(told.at("figures").at("ttm.p95").at("t").get<std::string>(), " s"));
  CHECK(told.at("levels").at(0).at("seen") == "double.offers");
  CHECK_FALSE(told.at("causes").empty());
  CHECK(told.at("promises").at("protocol") == "fenced");
  CHECK(told.at("promises").at("broken").empty());
  CHECK(told.at("idle").at(0).is_null());
  CHECK(has(told.at("idle").at(1).get<std::string>(), "lease.judge"));
  CHECK(has(told.at("verdict").get<std::string>(), "of riders were matched"));
}

TEST_CASE("page data: the command names what was changed, and as many runs as count") {
  const small_start s;
  const auto a = ran(s, {{"lease.ttl", "9s"}, {"drivers.count", "30"}}, 2);
  CHECK(command_of(a) ==
        "dibs run 'my town.yaml' --seed 42 --set lease.ttl=9s --set drivers.count=30 --runs 2");
}

TEST_CASE("page data: the file reads back to the same scenario") {
  const small_start s;
  const auto a = ran(s, {{"lease.ttl", "9s"}}, 1);
  const std::string file = file_of(a);
  CHECK(file.starts_with("# Made by `dibs explore`: lease.ttl=9s.\nversion: 1\n"));
  const auto again = scenario::read_text(file, "again.yaml", "");
  REQUIRE(again.ok());
  CHECK(scenario::dump(again.value) == scenario::dump(a.scenario));
}

TEST_CASE("page data: each slider comes with its stops as numbers, and its sentence") {
  const small_start s;
  const auto all =
      sliders_json({s.moving("lease.ttl=9s,20s"), s.moving("lease.protocol=lease")}, s.scenario);
  CHECK(all.at(0).at("path") == "lease.ttl");
  CHECK(all.at(0).at("stops") == nlohmann::ordered_json({"9s", "15s", "20s"}));
  CHECK(all.at(0).at("numbers") == nlohmann::ordered_json({9.0, 15.0, 20.0}));
  CHECK(all.at(0).at("own") == 1);
  CHECK(has(all.at(0).at("is").get<std::string>(), "a lease is valid for so long"));
  CHECK(all.at(1).at("numbers").at(0).is_null());
}

TEST_CASE("page data: an objection names its slider, where it is of one") {
  CHECK(objection_text({2, "no"}) == R"({"objection":"no","slider":2})");
  CHECK(objection_text({std::nullopt, "no"}) == R"({"objection":"no","slider":null})");
}
