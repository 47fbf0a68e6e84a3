#include "metrics/titles.hpp"

#include "catch.hpp"
#include "metrics/catalogue.hpp"

#include <set>

using namespace dibs::metrics;

TEST_CASE("titles: every metric has one of its own, in plain words that fit over a column") {
  std::set<std::string> seen;
  for (const entry& e : catalogue()) {
    const std::string title = title_of(e.name);
    INFO(e.name << ": " << title);
    CHECK(title != e.name);
    CHECK(title.size() <= 52);
    CHECK(title.find('_') == std::string::npos);
    CHECK(seen.insert(title).second);
  }
}

TEST_CASE("titles: no word that only the names of metrics may have") {
  for (const entry& e : catalogue()) {
    const std::string title = title_of(e.name);
    INFO(e.name << ": " << title);
    for (const char* word : {"stale", "starve", "zombie", "overhang", "censored"}) {
      CHECK(title.find(word) == std::string::npos);
    }
  }
  CHECK(title_of("writes.stale_taken") == "writes taken after the lease was over");
  CHECK(file_title_of("writes.stale_taken") == "stale writes taken");
}

TEST_CASE("titles: one of a family says which statistic it is") {
  CHECK(title_of("ttm.p95") == "time to match, p95");
  CHECK(title_of("ttm.mean") == "time to match, mean");
  CHECK(title_of("ttm.<stat>") == "time to match");
}

TEST_CASE("titles: what is no metric is called as it is written") {
  CHECK(title_of("ttm.p95 + 1s") == "ttm.p95 + 1s");
  CHECK(title_of("").empty());
}
