#include "processes/placement.hpp"

#include "catch.hpp"

using namespace dibs;
using namespace dibs::processes;

namespace {

constexpr node_id matcher(std::uint32_t i) { return {node_kind::matcher, i}; }
constexpr node_id driver(std::uint32_t i) { return {node_kind::driver, i}; }
constexpr node_id rider(std::uint32_t i) { return {node_kind::rider, i}; }

}  // namespace

TEST_CASE("placement: without words everybody is dealt out in turn to those that joined") {
  const auto p = placement::read({}, 3);
  REQUIRE(p);
  CHECK(p->processes() == 4);
  CHECK(p->of(matcher(0)) == 1);
  CHECK(p->of(matcher(2)) == 3);
  CHECK(p->of(driver(3)) == 1);
  CHECK(p->of(rider(4)) == 2);
  for (const node_kind central :
       {node_kind::lease_manager, node_kind::ledger, node_kind::demand, node_kind::sweeper}) {
    CHECK(p->of({central, 0}) == the_host);
  }
}

TEST_CASE("placement: a word places a kind, and its words give the same again") {
  const auto p = placement::read({"matchers=2,host", "riders=3"}, 3);
  REQUIRE(p);
  CHECK(p->of(matcher(0)) == 2);
  CHECK(p->of(matcher(1)) == the_host);
  CHECK(p->of(matcher(2)) == 2);
  CHECK(p->of(rider(0)) == 3);
  CHECK(p->of(rider(1)) == 3);
  CHECK(p->of(driver(1)) == 2);
  const auto again = placement::read(p->words(), 3);
  REQUIRE(again);
  CHECK(again->of(matcher(1)) == the_host);
}

TEST_CASE("placement: what makes no sense is refused with what would") {
  for (const char* bad :
       {"matchers=4", "matchers=0", "matchers=", "matchers", "ledger=1", "drivers=1,,2", "=1"}) {
    const auto p = placement::read({bad}, 3);
    REQUIRE(!p);
    CHECK(p.error().code == exit_code::usage);
  }
  CHECK(placement::read({"matchers=4"}, 3).error().text.find("host and 1 to 3") !=
        std::string::npos);
}
