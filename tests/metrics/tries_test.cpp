#include "metrics/tries.hpp"

#include "base/compressing_table.hpp"
#include "catch.hpp"

#include <cstdint>

using namespace dibs;
using namespace dibs::metrics;

namespace {

constexpr std::uint32_t drivers = 1'000;

sim_time at(std::uint32_t i) { return sim_time{i * 1s}; }

/// Each third became a trip.
bool was_committed(std::uint32_t i) { return i % 3 == 0; }
/// Each second of these was over at last.
bool came_to_an_end(std::uint32_t i) { return i % 6 == 0; }

void add_some(try_table& to, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    REQUIRE(to.add(token_id{i + 1}, driver_id{i % drivers}, ride_id{i}) == i);
    if (was_committed(i)) {
      to.begin_trip(i, at(i));
    }
    to.settle();
  }
}

void end_trips(try_table& of, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (came_to_an_end(i) || !was_committed(i)) {
      REQUIRE(of.end_trip(i, at(i) + 10min) == was_committed(i));
      REQUIRE_FALSE(of.end_trip(i, at(i) + 20min));
    }
    of.settle();
  }
}

void require_told(const try_table& all, std::uint32_t count) {
  std::uint32_t seen = 0;
  all.each([&](try_index i, const try_record& t) {
    REQUIRE(i == seen++);
    REQUIRE(t.token.value == i + 1);
    REQUIRE(t.committed == (was_committed(i) ? at(i) : never));
    REQUIRE(t.trip_over == (came_to_an_end(i) ? at(i) + 10min : never));
    REQUIRE(all.trip_began(i) == t.committed);
  });
  REQUIRE(seen == count);
}

}  // namespace

TEST_CASE("tries: a trip that ends when its try lies packed is told of") {
  constexpr auto count =
      static_cast<std::uint32_t>(2 * (usual_pace.begins_at + usual_pace.idle_min));
  try_table tries(drivers);
  add_some(tries, count);
  end_trips(tries, count);
  tries.finish();
  require_told(tries, count);
}

TEST_CASE("tries: where all lie open, each tells of its trip once all is over") {
  constexpr auto count = static_cast<std::uint32_t>(usual_pace.begins_at / 2);
  try_table tries(drivers);
  add_some(tries, count);
  end_trips(tries, count);
  tries.finish();
  require_told(tries, count);
  for (std::uint32_t i = 0; i < count; ++i) {
    REQUIRE(tries.all()[i].trip_over == (came_to_an_end(i) ? at(i) + 10min : never));
  }
}
