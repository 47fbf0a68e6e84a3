#include "report/study_tables.hpp"

#include "catch.hpp"

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
  CHECK(show::csv_of_region(region) ==
        "lease.ttl,lease.grace,verdict,found,sure,bound_s,bound_holds,differs,"
        "room of double.commits <= 0,half width of room of double.commits <= 0,broken\n"
        "5s,0s,breaks,breaks,yes,12.25,no,no,-1.5,,\"S4 (one trip), at t=7 s\"\n"
        "9s,0s,invalid,invalid,,,,,,,\n");
}
