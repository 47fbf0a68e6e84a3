#include "report/study_tables.hpp"

#include "catch.hpp"
#include "report/decided_share.hpp"
#include "report/shown_figures.hpp"

#include <nlohmann/json.hpp>

using namespace dibs;

TEST_CASE(
    "region: its csv has the broken promise of a cell, and blanks where there is no scenario") {
  const auto cell = [](const char* x, const char* found) {
    return nlohmann::ordered_json{{"x", x},
                                  {"y", "0s"},
                                  {"verdict", found},
                                  {"found", found},
                                  {"room", {-1.5}},
                                  {"half", {nullptr}},
                                  {"bound", {{"ttl_s", 12.25}}},
                                  {"sure", true},
                                  {"long_enough", false},
                                  {"differs", false}};
  };
  nlohmann::ordered_json region{{"x", {{"path", "lease.ttl"}}},
                                {"y", {{"path", "lease.grace"}}},
                                {"required", {"double.commits <= 0"}},
                                {"units", {"count"}},
                                {"cells", {cell("5s", "breaks"), cell("9s", "invalid")}}};
  region["cells"][0]["broken"] = {{"seed", 1}, {"promise", "S4 (one trip), at t=7 s"}};
  region["cells"][1]["room"] = nlohmann::ordered_json::array();
  CHECK(report::csv_of_region(region) ==
        "lease.ttl_s,lease.grace_s,verdict,found,sure,bound_s,bound_holds,differs,broken,condition,"
        "unit,room,low_95,high_95\n"
        "5,0,breaks,breaks,true,12.25,false,false,\"S4 (one trip), at t=7 s\","
        "double.commits <= 0,count,-1.5,,\n"
        "9,0,invalid,invalid,,,,,,double.commits <= 0,count,,,\n");
}

TEST_CASE("region: where nothing but promises has to hold, a cell has a row as well") {
  nlohmann::ordered_json cell{{"x", "5s"},
                              {"y", "0s"},
                              {"verdict", "holds"},
                              {"found", "holds"},
                              {"room", nlohmann::ordered_json::array()},
                              {"half", nlohmann::ordered_json::array()},
                              {"bound", {{"ttl_s", nullptr}}},
                              {"sure", true},
                              {"long_enough", true},
                              {"differs", false}};
  const nlohmann::ordered_json region{{"x", {{"path", "lease.ttl"}}},
                                      {"y", {{"path", "lease.grace"}}},
                                      {"required", nlohmann::ordered_json::array()},
                                      {"units", nlohmann::ordered_json::array()},
                                      {"cells", {cell}}};
  CHECK(report::csv_of_region(region) ==
        "lease.ttl_s,lease.grace_s,verdict,found,sure,bound_s,bound_holds,differs,broken,condition,"
        "unit,room,low_95,high_95\n"
        "5,0,holds,holds,true,,true,false,,,,,,\n");
}

TEST_CASE("tuning: its csv has a row for the objective in its own unit, and one for each metric") {
  const nlohmann::ordered_json figure{
      {"value", 1.5}, {"half_width_95", 0.5}, {"low_95", 1.0}, {"high_95", 2.0}};
  const nlohmann::ordered_json tuning{
      {"unit", "driver-s"},
      {"rows",
       {{{"values", {{"lease.ttl", "250ms"}, {"lease.protocol", "fenced"}}},
         {"standing", "as good"},
         {"seeds", 20},
         {"objective", figure},
         {"metrics", {{"ttm.p95", figure}, {"double.commits", nullptr}}}}}}};
  CHECK(report::csv_of_tuning(tuning) ==
        "lease.ttl_s,lease.protocol,standing,metric,unit,value,low_95,high_95,runs\n"
        "0.25,fenced,as good,objective,driver-s,1.5,1,2,20\n"
        "0.25,fenced,as good,ttm.p95,s,1.5,1,2,20\n"
        "0.25,fenced,as good,double.commits,count,,,,20\n");
}

TEST_CASE("tuning: where nothing can be used, its csv has the names of columns alone") {
  nlohmann::ordered_json tuning{{"rows", nlohmann::ordered_json::array()}};
  CHECK(report::csv_of_tuning(tuning) == "standing,metric,unit,value,low_95,high_95,runs\n");
  tuning["ruled_out"] = {{{"values", {{"lease.ttl", "5s"}}}, {"why", "doubles"}}};
  CHECK(report::csv_of_tuning(tuning) ==
        "lease.ttl_s,standing,metric,unit,value,low_95,high_95,runs\n");
}

TEST_CASE(
    "survival: only what was decided counts, the rest is said, and other words do not count") {
  const auto told = [](const std::vector<const char*>& verdicts) {
    auto rows = nlohmann::ordered_json::array();
    for (const char* verdict : verdicts) {
      nlohmann::ordered_json row;
      row["cells"][0]["verdict"] = verdict;
      rows.push_back(row);
    }
    return report::breaks_in(rows).at(0);
  };
  CHECK(told({"broken"}) == "0 of 0 decided");
  CHECK(told({"survives", "undecided", "untouched"}) ==
        "0 of 1 decided, 1 undecided, 1 does not apply");
  CHECK(told({"survives", "undecided", "untouched", "untouched", "degrades", "breaks"}) ==
        "1 of 3 decided, 1 undecided, 2 do not apply");
}

TEST_CASE(
    "shown figures: a choice shows those that are named, in their order, and refuses others") {
  const nlohmann::ordered_json figure{{"value", 1.5}};
  nlohmann::ordered_json tuning{
      {"rows", {{{"metrics", {{"ttm.p95", figure}, {"double.commits", nullptr}}}}}}};
  REQUIRE(report::keep_shown(tuning, {}));
  CHECK_FALSE(report::is_chosen(tuning));
  CHECK(report::shown_of(tuning) == std::vector<std::string>{"ttm.p95", "double.commits"});
  REQUIRE(report::keep_shown(tuning, {"double.commits"}));
  CHECK(report::shown_of(tuning) == std::vector<std::string>{"double.commits"});
  const auto unknown = report::keep_shown(tuning, {"ttm.p50"});
  REQUIRE_FALSE(unknown);
  CHECK(unknown.error().code == exit_code::usage);
  CHECK(unknown.error().text.find("it has ttm.p95 and double.commits") != std::string::npos);
  tuning["shown"] = {{"no", "list"}};
  REQUIRE(report::keep_shown(tuning, {}));
  CHECK_FALSE(report::is_chosen(tuning));
}

TEST_CASE("shown figures: a survival table keeps what is worse of those alone, a map has none") {
  const auto worse = [](const char* metric) {
    return nlohmann::ordered_json{{"metric", metric}, {"with_cause", 1}};
  };
  nlohmann::ordered_json cell{{"worse", {worse("double.commits"), worse("ttm.p90"), 7}},
                              {"all", "hostile"}};
  nlohmann::ordered_json table = nlohmann::ordered_json::array();
  table.push_back({{"cells", nlohmann::ordered_json::array({cell})}});
  REQUIRE(report::keep_shown(table, {"ttm.p90"}));
  CHECK(table[0]["cells"][0]["worse"].size() == 1);
  CHECK(table[0]["cells"][0]["worse"][0]["metric"] == "ttm.p90");
  nlohmann::ordered_json map{{"kind", "region"}, {"cells", nlohmann::ordered_json::array()}};
  CHECK_FALSE(report::keep_shown(map, {"ttm.p90"}));
}
