#include "report/study_tables.hpp"

#include "catch.hpp"
#include "report/decided_share.hpp"

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
                                {"cells", {cell("5s", "breaks"), cell("9s", "invalid")}}};
  region["cells"][0]["broken"] = {{"seed", 1}, {"promise", "S4 (one trip), at t=7 s"}};
  region["cells"][1]["room"] = nlohmann::ordered_json::array();
  CHECK(report::csv_of_region(region) ==
        "lease.ttl,lease.grace,verdict,found,sure,bound_s,bound_holds,differs,"
        "room of double.commits <= 0,half width of room of double.commits <= 0,broken\n"
        "5s,0s,breaks,breaks,yes,12.25,no,no,-1.5,,\"S4 (one trip), at t=7 s\"\n"
        "9s,0s,invalid,invalid,,,,,,,\n");
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
