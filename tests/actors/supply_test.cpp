#include "actors/supply.hpp"

#include "catch.hpp"

using namespace dibs;
using namespace dibs::actors;

namespace {

constexpr matcher_id first{0};
constexpr matcher_id second{1};

const sim::node_pattern the_first{node_kind::matcher, 0};
const sim::node_pattern the_ledger{node_kind::ledger, {}};

std::vector<sim::cut> cut_of(bool both_ways, bool towards_matcher) {
  const sim::node_group m(the_first);
  const sim::node_group to(the_ledger);
  return {{{{towards_matcher ? to : m, towards_matcher ? m : to}, at(10s), at(20s), both_ways}, 1}};
}

/// Two drivers, of whom the second comes at 5 s and the first at `late`.
void bring(supply& s, sim_time late) {
  s.heed(at(5s), events::driver_came_online{driver_id{1}, {}, 0});
  s.heed(late, events::driver_came_online{driver_id{0}, {}, 0});
}

}  // namespace

TEST_CASE("supply: a matcher that is cut off sees nothing new until it is back") {
  supply s({2, {}, {}}, 2s, true, 2, cut_of(true, false));
  bring(s, at(11s));
  CHECK(s.seen_at(at(15s), first).contains(driver_id{1}));
  CHECK_FALSE(s.seen_at(at(15s), first).contains(driver_id{0}));
  CHECK(s.seen_at(at(15s), second).contains(driver_id{0}));
  CHECK_FALSE(s.seen_at(at(20s) - 1ns, first).contains(driver_id{0}));
  CHECK(s.seen_at(at(20s), first).contains(driver_id{0}));
}

TEST_CASE("supply: what was under way when a cut began still arrives") {
  supply s({2, {}, {}}, 2s, true, 2, cut_of(true, false));
  bring(s, at(9s));
  CHECK_FALSE(s.seen_at(at(10s), first).contains(driver_id{0}));
  CHECK(s.seen_at(at(11s), first).contains(driver_id{0}));
}

TEST_CASE("supply: only a cut towards the matcher keeps it from seeing") {
  supply deaf({2, {}, {}}, 0s, true, 2, cut_of(false, true));
  supply dumb({2, {}, {}}, 0s, true, 2, cut_of(false, false));
  bring(deaf, at(11s));
  bring(dumb, at(11s));
  CHECK_FALSE(deaf.seen_at(at(15s), first).contains(driver_id{0}));
  CHECK(dumb.seen_at(at(15s), first).contains(driver_id{0}));
}
