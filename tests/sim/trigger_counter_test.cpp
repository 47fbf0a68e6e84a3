#include "sim/trigger_counter.hpp"

#include "catch.hpp"
#include "sim/some_nodes.hpp"

#include <cmath>
#include <vector>

using namespace dibs;
using namespace dibs::sim;
using namespace dibs::sim::test;

namespace {

trigger at_grants() {
  trigger t;
  t.step = life_step::after_grant;
  return t;
}

/// Which of the first `n` occasions, one a second and each about a ride of its own, are taken.
std::vector<int> taken_of(const trigger& t, int n) {
  watch w(t, 0, 1);
  std::vector<int> taken;
  for (int i = 1; i <= n; ++i) {
    if (w.takes(at(i * 1s), ride_id{static_cast<std::uint32_t>(i)})) {
      taken.push_back(i);
    }
  }
  return taken;
}

}  // namespace

TEST_CASE("triggers: the n-th occasion is taken once, each k-th again and again") {
  trigger third = at_grants();
  third.nth = 3;
  CHECK(taken_of(third, 10) == std::vector{3});
  trigger every = at_grants();
  every.every = 4;
  CHECK(taken_of(every, 13) == std::vector{4, 8, 12});
  CHECK(taken_of(at_grants(), 3) == std::vector{1, 2, 3});
}

TEST_CASE("triggers: what happens before `since` or from `until` on does not count") {
  trigger second = at_grants();
  second.nth = 2;
  second.since = 5s;
  CHECK(taken_of(second, 10) == std::vector{6});
  trigger until = at_grants();
  until.until = 3s;
  CHECK(taken_of(until, 10) == std::vector{1, 2});
}

TEST_CASE("triggers: a share is drawn for each ride on its own") {
  trigger some = at_grants();
  some.share = 0.1;
  const auto taken = taken_of(some, 20'000);
  CHECK(std::abs(static_cast<double>(taken.size()) - 2000) < 4 * std::sqrt(1800.0));
  // The rides before it change nothing about a ride.
  watch late(some, 0, 1);
  std::vector<int> of_late;
  for (int i = 10'001; i <= 20'000; ++i) {
    if (late.takes(at(1s), ride_id{static_cast<std::uint32_t>(i)})) {
      of_late.push_back(i);
    }
  }
  const auto same = std::lower_bound(taken.begin(), taken.end(), 10'001);
  CHECK(of_late == std::vector<int>(same, taken.end()));
}

TEST_CASE("triggers: a message is seen by its kind and by both of its ends") {
  trigger t;
  t.message = message_word("confirm");
  t.from = node_pattern{node_kind::matcher, 0};
  const watch w(t, 0, 1);
  const std::uint8_t confirm = *message_word("confirm");
  const std::uint8_t offer = *message_word("offer");
  CHECK(w.sees({confirm, matcher_1, manager}));
  CHECK_FALSE(w.sees({offer, matcher_1, manager}));
  CHECK_FALSE(w.sees({confirm, {node_kind::matcher, 1}, manager}));
  CHECK_FALSE(w.sees(life_step::after_grant));
  t.message = any_message;
  CHECK(watch(t, 0, 1).sees({offer, matcher_1, manager}));
  CHECK_FALSE(message_word("no_such_message"));
}
