#include "world/driver_trips.hpp"

#include "catch.hpp"

using namespace dibs;
using namespace dibs::world;
using word = driver_trips::word;

namespace {

constexpr driver_trip first{token_id{1}, ride_id{1}};
constexpr driver_trip second{token_id{2}, ride_id{2}};
constexpr point origin{100, 0, 0};

driver_trips on_the_way() {
  driver_trips trips;
  trips.set_out(first, at(10s));
  return trips;
}

driver_trips with_rider() {
  driver_trips trips = on_the_way();
  trips.arrive(origin);
  REQUIRE(trips.boards(first.token));
  return trips;
}

}  // namespace

TEST_CASE(
    "driver trips: from the road to the pick-up, to the end, each step once and in its turn") {
  driver_trips trips;
  CHECK(trips.is_free());
  CHECK(trips.hear(first) == word::new_trip);
  trips.set_out(first, at(10s));
  CHECK_FALSE(trips.is_to_pickup(second.token));
  CHECK_FALSE(trips.boards(first.token));  // they have not met
  REQUIRE(trips.is_to_pickup(first.token));
  trips.arrive(origin);
  CHECK(trips.place() == origin);
  CHECK_FALSE(trips.is_to_pickup(first.token));
  CHECK_FALSE(trips.carries_for(first.token));
  CHECK(trips.boards(first.token));
  CHECK(trips.carries_for(first.token));
  CHECK(trips.end().ride == first.ride);
  CHECK(trips.is_free());
  CHECK(trips.hear(first) == word::known);
}

TEST_CASE("driver trips: she drives the trip that was written last, unless someone is on board") {
  driver_trips empty = on_the_way();
  CHECK(empty.hear(second) == word::new_trip);
  CHECK(empty.hear({token_id{3}, first.ride}) == word::newer_token);
  driver_trips full = with_rider();
  CHECK(full.hear(second) == word::next);
  CHECK(full.next().token == second.token);
  CHECK(full.hear(second) == word::known);
  CHECK(full.hear({token_id{3}, first.ride}) == word::next);
  CHECK(full.next().token == token_id{3});
}

TEST_CASE("driver trips: a trip is called off until its rider is on board") {
  driver_trips empty = on_the_way();
  CHECK_FALSE(empty.is_called_off(second.token));
  CHECK(empty.is_called_off(first.token));
  driver_trips full = with_rider();
  CHECK_FALSE(full.is_called_off(first.token));
  REQUIRE(full.hear(second) == word::next);
  CHECK_FALSE(full.is_called_off(second.token));  // it had not begun
  CHECK_FALSE(full.next().token.is_some());
  CHECK(full.hear(second) == word::known);
}

TEST_CASE("driver trips: that a trip is off may overtake the word of it") {
  driver_trips trips;
  CHECK_FALSE(trips.is_called_off(first.token));
  CHECK(trips.hear(first) == word::known);
  CHECK(trips.hear(second) == word::new_trip);
}

TEST_CASE("driver trips: the last eight that are over are known") {
  driver_trips trips;
  for (std::uint64_t n = 1; n <= 9; ++n) {
    trips.set_out({token_id{n}, ride_id{1}}, at(10s));
    (void)trips.end();
  }
  CHECK(trips.hear({token_id{2}, ride_id{1}}) == word::known);
  CHECK(trips.hear({token_id{1}, ride_id{1}}) == word::new_trip);
}

TEST_CASE("driver trips: how much of the way she has gone is between nothing and all of it") {
  const driver_trips trips = on_the_way();
  CHECK(trips.share_gone(at(10s), 20s) == 0.0);
  CHECK(trips.share_gone(at(15s), 20s) == 0.25);
  CHECK(trips.share_gone(at(40s), 20s) == 1.0);
  CHECK(trips.share_gone(at(10s), 0s) == 1.0);  // she was there
}
