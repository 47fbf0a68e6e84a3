#include "sim/clocks.hpp"

#include "catch.hpp"

using namespace dibs;
using namespace dibs::sim;

TEST_CASE("clocks: a perfect clock reads true time") {
  const node_clock clock;
  CHECK(clock.local(at(7s)) == at_local(7s));
  CHECK(clock.wall(at(7s)) == at_local(7s));
  CHECK(clock.first_at(at_local(7s)) == at(7s));
}

TEST_CASE("clocks: an offset moves the wall clock from its start on, and no duration") {
  const node_clock clock{.offset = 1500ms, .drift_ppb = 0, .from = at(10min)};
  CHECK(clock.wall(at(10min) - 1ns) == at_local(10min - 1ns));
  CHECK(clock.wall(at(10min)) == at_local(10min + 1500ms));
  CHECK(clock.local(at(11min)) == at_local(11min));
  CHECK(clock.first_at(at_local(11min)) == at(11min));
}

TEST_CASE("clocks: drift bends both clocks from its start on") {
  const node_clock clock{.offset = {}, .drift_ppb = 200'000, .from = at(10s)};  // 200 ppm
  CHECK(clock.local(at(10s)) == at_local(10s));
  CHECK(clock.local(at(1010s)) == at_local(1010s + 200ms));
  CHECK(clock.wall(at(1010s)) == at_local(1010s + 200ms));
}

TEST_CASE("clocks: a timer fires at the first instant at which the clock has reached it") {
  const std::int64_t drift = GENERATE(-500'000'000, -200'000, -1, 1, 37, 200'000, 900'000'000);
  const node_clock clock{.offset = {}, .drift_ppb = drift, .from = at(3s)};
  auto random = stream::keyed(1, purpose::pick);
  for (int i = 0; i < 2000; ++i) {
    const local_time when{sim_duration{static_cast<std::int64_t>(random.below(3'600'000'000'000))}};
    const sim_time t = clock.first_at(when);
    CHECK(clock.local(t) >= when);
    CHECK(clock.local(t - 1ns) < when);
  }
}

TEST_CASE("clocks: every node of a kind draws its own offset, the same in each run") {
  clock_error error;
  error.node = {node_kind::driver, {}};
  error.offset = normal_duration{0s, 300ms};
  std::array<std::uint32_t, node_kinds> counts{};
  counts[0] = 50;
  const clocks one({error}, counts, 7);
  const clocks two({error}, counts, 7);
  const clocks other({error}, counts, 8);
  int same = 0;
  for (std::uint32_t i = 0; i < 50; ++i) {
    const node_id n{node_kind::driver, i};
    CHECK(one.of(n).offset == two.of(n).offset);
    same += one.of(n).offset == other.of(n).offset ? 1 : 0;
    same += i > 0 && one.of(n).offset == one.of({node_kind::driver, i - 1}).offset ? 1 : 0;
  }
  CHECK(same == 0);
  CHECK(one.of({node_kind::matcher, 0}).offset == 0s);
}
