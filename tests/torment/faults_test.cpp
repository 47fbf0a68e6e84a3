#include "torment/faults.hpp"

#include "catch.hpp"

namespace dibs::torment {
namespace {

const fault_pattern pauses{.faults = {{0ms, fault_action::stop, fault_target::matcher},
                                      {600ms, fault_action::go_on, fault_target::matcher}},
                           .first = 1s,
                           .every = 2s,
                           .among = 3};

TEST_CASE("faults: a pattern is repeated until the run is nearly over") {
  const auto all = schedule_of(pauses, 8s, 1);
  REQUIRE(all.size() == 6);
  for (std::size_t k = 0; k < 3; ++k) {
    const real_fault& stops = all[2 * k];
    const real_fault& goes_on = all[2 * k + 1];
    CHECK(stops.what == fault_action::stop);
    CHECK(goes_on.what == fault_action::go_on);
    CHECK(goes_on.at - stops.at == 600ms);
    CHECK(stops.at >= 1s + static_cast<int>(k) * 2s);
    CHECK(stops.at < 1s + static_cast<int>(k) * 2s + 500ms);
    CHECK(goes_on.at + rest <= 8s);
  }
}

TEST_CASE("faults: processes take turns, and both faults strike the same one") {
  const auto all = schedule_of(pauses, 20s, 1);
  REQUIRE(all.size() >= 8);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i].which == i / 2 % 3);
  }
}

TEST_CASE("faults: another seed gives other times, and the same one the same") {
  CHECK(schedule_of(pauses, 8s, 1) == schedule_of(pauses, 8s, 1));
  CHECK(schedule_of(pauses, 8s, 1) != schedule_of(pauses, 8s, 2));
}

TEST_CASE("faults: a pattern that may come once comes once") {
  fault_pattern once = pauses;
  once.times_max = 1;
  CHECK(schedule_of(once, 20s, 1).size() == 2);
  CHECK(schedule_of({}, 20s, 1).empty());
}

TEST_CASE("faults: what is written of one names what it strikes") {
  CHECK(text_of({0ms, fault_action::kill, fault_target::redis, 2}) == "kills Redis 3");
  CHECK(text_of({0ms, fault_action::delay_link, fault_target::link, 0, 200ms}) ==
        "delays link 1 by 200 ms");
  CHECK(text_of({0ms, fault_action::cut_link, fault_target::link, 1}) == "cuts link 2");
}

}  // namespace
}  // namespace dibs::torment
