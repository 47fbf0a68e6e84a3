#include "torment/unfinished_trips.hpp"

#include "catch.hpp"

namespace dibs::torment {
namespace {

constexpr driver_id driver{4};
constexpr ride_id ride{9};
constexpr matcher_id me{2};

events::event fact(sim_duration t, const events::fact& what) {
  return {at(t), at_local(t), what, {}};
}

events::event asks_to_write(sim_duration t, std::uint64_t token) {
  return fact(
      t, events::call_made{node_of(me), events::call::write, driver, ride, token_id{token}, 1});
}

unfinished_trip of(std::uint64_t token, bool was_taken, bool is_over) {
  return {me, driver, ride, token_id{token}, was_taken, is_over};
}

TEST_CASE("unfinished trips: a killed process leaves the last trip of each matcher behind") {
  const auto asked = asks_to_write(1ms, 7);
  const auto taken = fact(2ms, events::trip_committed{token_id{7}, driver, ride, me});
  const auto over = fact(3ms, events::trip_ended{token_id{7}, driver, ride, {}});
  CHECK(unfinished_of({}).empty());
  CHECK(unfinished_of({asked}) == std::vector{of(7, false, false)});
  CHECK(unfinished_of({asked, taken}) == std::vector{of(7, true, false)});
  CHECK(unfinished_of({asked, taken, over}) == std::vector{of(7, true, true)});
  CHECK(unfinished_of({asked, taken, over, asks_to_write(4ms, 8)}) ==
        std::vector{of(8, false, false)});
}

TEST_CASE("unfinished trips: a write that was refused leaves nothing behind") {
  const auto refused = fact(
      2ms, events::write_refused{token_id{7}, driver, ride, events::write_refusal::stale_token});
  CHECK(unfinished_of({asks_to_write(1ms, 7), refused}).empty());
}

TEST_CASE("unfinished trips: a process that begins again numbers its rides from where it was") {
  constexpr std::uint32_t lanes = 12;
  const auto asked = [](std::uint32_t n) {
    return fact(1ms, events::ride_requested{ride_id{n}, {}});
  };
  CHECK(rides_begun({}, lanes) == 0);
  CHECK(rides_begun({asked(11)}, lanes) == 1);
  CHECK(rides_begun({asked(25), asked(12)}, lanes) == 3);
}

}  // namespace
}  // namespace dibs::torment
