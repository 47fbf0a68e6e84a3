// Goal: what is searched over is made from fields, conditions and the scenario, or refused.
// Method: spaces over a small scenario; nothing runs.

#include "sweep/search_space.hpp"

#include "sweep/small.hpp"
#include "work/study.hpp"

using namespace dibs;
using namespace dibs::sweep;
using namespace dibs::sweep::test;

TEST_CASE("spaces: the offer window follows the TTL where the scenario has one") {
  const results::scratch scratch;
  space_request r;
  r.file = small_file(scratch);
  r.search = {"lease.ttl=3s..60s"};
  r.overrides = {{"lease.offer_window", "12s"}};
  auto s = search_space::make(r);
  REQUIRE(s);
  REQUIRE(s->implied().size() == 1);
  const auto window = [&](const std::string& ttl) {
    const auto p = s->point_of({ttl});
    REQUIRE(p);
    return s->plan().points[*p - 1].what.fields[1].value;
  };
  CHECK(window("15s") == "12s");
  CHECK(window("3s") == "600ms");
  CHECK(window("60s") == "57s");
  r.derive = {{"lease.offer_window", "lease.ttl / 2"}};
  s = search_space::make(r);
  REQUIRE(s);
  CHECK(s->implied().empty());
}

TEST_CASE("spaces: what cannot be searched over is refused before anything runs") {
  const results::scratch scratch;
  space_request r;
  r.file = small_file(scratch);
  for (const std::vector<std::string>& search :
       {std::vector<std::string>{},
        {"lease.tll=3s..60s"},
        {"lease.ttl=60s..3s"},
        {"lease.ttl=3s..60s:log:1000000"},
        {"seed=1..9"},
        {"lease.ttl=3s..60s", "lease.ttl=3s..60s"},
        {"lease.ttl=3s..60s", "lease.grace=0s..1s", "matchers.count=1,2", "drivers.count=9,10"}}) {
    r.search = search;
    CHECK_FALSE(search_space::make(r));
  }
  r.search = {"lease.ttl=3s..60s"};
  r.overrides = {{"lease.ttl", "12s"}};
  CHECK_FALSE(search_space::make(r));
}

TEST_CASE("spaces: a point between those of the grid is the scenario that a grid would have") {
  const results::scratch scratch;
  const auto file = small_file(scratch);
  space_request r;
  r.file = file;
  r.search = {"lease.ttl=3s..60s"};
  auto s = search_space::make(r);
  REQUIRE(s);
  const auto p = s->point_of({"7.123s"});
  REQUIRE(p);
  const auto fields = s->plan().points[*p - 1].what.fields;
  const auto read = scenario::read_file(file, fields);
  REQUIRE(read.ok());
  const auto same = work::point_of(read.value, s->plan().seed, fields);
  REQUIRE(same);
  CHECK(s->plan().points[*p - 1].hash == same->hash);
}
