#include "results/series_csv.hpp"

#include "catch.hpp"
#include "samples.hpp"
#include "text/number.hpp"

using namespace dibs;

TEST_CASE("series: seconds are exact") {
  CHECK(text::exact_seconds(900s) == "900");
  CHECK(text::exact_seconds(250ms) == "0.25");
  CHECK(text::exact_seconds(1ns) == "0.000000001");
  CHECK(text::exact_seconds(-1500ms) == "-1.5");
}

TEST_CASE("series: a row for each step of each replication") {
  auto a = results::sample_account();
  a.runs.push_back(results::sample_run(2));
  CHECK(results::series_csv(a) ==
        "replication,t_s,online,available,leased,on_trip,waiting,requested,committed,double_offers,"
        "double_commits\n"
        "1,900,2400,2000,0,0,0,12,0,0,0\n"
        "2,900,2400,2000,0,0,0,12,0,0,0\n");
}
