#include "sim/clocks.hpp"

#include "base/random.hpp"
#include "catch.hpp"

#include <cmath>

using namespace dibs;
using namespace dibs::sim;

TEST_CASE("clocks: a perfect clock reads true time") {
  const node_clock clock;
  CHECK(clock.local(at(7s)) == at_local(7s));
  CHECK(clock.wall(at(7s)) == at_local(7s));
  CHECK(clock.first_at(at_local(7s)) == at(7s));
}

TEST_CASE("clocks: an offset moves the wall clock from its start on, and no duration") {
  node_clock clock;
  clock.offset = 1500ms;
  clock.from = at(10min);
  CHECK(clock.wall(at(10min) - 1ns) == at_local(10min - 1ns));
  CHECK(clock.wall(at(10min)) == at_local(10min + 1500ms));
  CHECK(clock.local(at(11min)) == at_local(11min));
  CHECK(clock.first_at(at_local(11min)) == at(11min));
}

TEST_CASE("clocks: what a drift adds up to is exact, as 128 bits have it") {
  __extension__ using wide = __int128;
  auto random = stream::keyed(3, purpose::pick);
  for (int i = 0; i < 100'000; ++i) {
    node_clock clock;
    clock.drift_ppb = static_cast<std::int64_t>(random.below(1'000'000'001)) - 500'000'000;
    const auto ns = static_cast<std::int64_t>(random.bits() >> (2 + random.below(60)));
    const auto gained = static_cast<std::int64_t>(wide{ns} * clock.drift_ppb / 1'000'000'000);
    REQUIRE(clock.local(at(sim_duration{ns})) == at_local(sim_duration{ns + gained}));
  }
}

TEST_CASE("clocks: drift bends both clocks from its start on") {
  node_clock clock;
  clock.drift_ppb = 200'000;  // 200 ppm
  clock.from = at(10s);
  CHECK(clock.local(at(10s)) == at_local(10s));
  CHECK(clock.local(at(1010s)) == at_local(1010s + 200ms));
  CHECK(clock.wall(at(1010s)) == at_local(1010s + 200ms));
}

TEST_CASE("clocks: a timer fires at the first instant at which the clock has reached it") {
  const std::int64_t drift = GENERATE(-500'000'000, -200'000, -1, 1, 37, 200'000, 900'000'000);
  node_clock clock;
  clock.drift_ppb = drift;
  clock.from = at(3s);
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

namespace {

/// The only matcher's clock, as `error` has it.
node_clock clock_of(const clock_error& error, std::uint64_t seed = 1) {
  std::array<std::uint32_t, node_kinds> counts{};
  counts[static_cast<std::size_t>(node_kind::matcher)] = 1;
  return clocks({error}, counts, seed).of({node_kind::matcher, 0});
}

clock_error of_matchers(timebase timers) {
  clock_error error;
  error.node = {node_kind::matcher, {}};
  error.timers = timers;
  return error;
}

}  // namespace

TEST_CASE("clocks: a step moves the wall clock from its instant on, and never the monotonic one") {
  auto error = of_matchers(timebase::monotonic);
  error.steps = {{60s, constant_duration{-30s}}, {20s, constant_duration{5s}}};
  const node_clock clock = clock_of(error);
  CHECK(clock.wall(at(20s) - 1ns) == at_local(20s - 1ns));
  CHECK(clock.wall(at(20s)) == at_local(25s));
  CHECK(clock.wall(at(60s)) == at_local(35s));
  CHECK(clock.reading(at(60s)) == at_local(60s));
  CHECK(clock.due(at_local(70s), at(55s)) == at(70s));
}

TEST_CASE("clocks: on the wall clock a step forward fires a timer at once, a step back keeps it") {
  auto error = of_matchers(timebase::wall);
  error.steps = {{20s, constant_duration{30s}}, {100s, constant_duration{-50s}}};
  const node_clock clock = clock_of(error);
  CHECK(clock.due(at_local(15s), at(10s)) == at(15s));
  CHECK(clock.due(at_local(40s), at(10s)) == at(20s));  // the clock jumps over it
  CHECK(clock.due(at_local(55s), at(10s)) == at(25s));
  CHECK(clock.due(at_local(135s), at(90s)) == at(155s));  // 5 s were missing, then 50 more
  CHECK(clock.due(at_local(60s), at(90s)) == at(90s));    // it is past already
}

TEST_CASE("clocks: a strobe sets the wall clock to and fro until it stops") {
  auto error = of_matchers(timebase::wall);
  error.strobe = clock_strobe{.every = 2s, .by = constant_duration{-3s}, .from = 10s, .until = 15s};
  const node_clock clock = clock_of(error);
  CHECK(clock.wall(at(9s)) == at_local(9s));
  CHECK(clock.wall(at(11s)) == at_local(8s));
  CHECK(clock.wall(at(13s)) == at_local(13s));
  CHECK(clock.wall(at(14s)) == at_local(11s));
  CHECK(clock.wall(at(15s)) == at_local(15s));
  CHECK(clock.due(at_local(11s), at(9s)) == at(12s));
}

TEST_CASE("clocks: a timer on a wall clock is due at the first instant that reads so much") {
  auto error = of_matchers(timebase::wall);
  error.drift = constant_duration{ppm(GENERATE(-200'000.0, 0.0, 300'000.0))};
  error.steps = {{7s, constant_duration{-4s}}, {11s, constant_duration{9s}}};
  error.strobe = clock_strobe{.every = 300ms, .by = constant_duration{2s}, .from = 3s, .until = {}};
  const node_clock clock = clock_of(error);
  auto random = stream::keyed(1, purpose::pick);
  for (int i = 0; i < 300; ++i) {
    const sim_time now = at(sim_duration{static_cast<std::int64_t>(random.below(20'000'000'000))});
    const local_time when =
        clock.wall(now) + sim_duration{static_cast<std::int64_t>(random.below(10'000'000'000))};
    const sim_time due = clock.due(when, now);
    CHECK(clock.wall(due) >= when);
    for (sim_time t = now; t < due; t += 1ms) {
      REQUIRE(clock.wall(t) < when);
    }
  }
}

TEST_CASE("clocks: offsets, drifts and steps are drawn for each node from their distributions") {
  clock_error error;
  error.node = {node_kind::driver, {}};
  error.drift = normal_duration{ppm(0), ppm(100)};
  error.steps = {{10s, uniform_duration{-5s, 5s}}};
  std::array<std::uint32_t, node_kinds> counts{};
  counts[0] = 4000;
  const clocks all({error}, counts, 7);
  double squares = 0;
  double steps = 0;
  for (std::uint32_t i = 0; i < counts[0]; ++i) {
    const node_clock& clock = all.of({node_kind::driver, i});
    const double drift = static_cast<double>(clock.drift_ppb) / 1000;
    squares += drift * drift;
    steps += in_seconds(clock.steps[0].by) * in_seconds(clock.steps[0].by);
  }
  CHECK(std::abs(std::sqrt(squares / counts[0]) - 100) < 4);
  CHECK(std::abs(steps / counts[0] - 25.0 / 3) < 0.5);
}

TEST_CASE("clocks: an offset that is drawn for each lease is the same for each look at one") {
  clock_error error = of_matchers(timebase::monotonic);
  error.offset = normal_duration{0s, 2s};
  error.redraw = redraw::lease;
  std::array<std::uint32_t, node_kinds> counts{};
  counts[static_cast<std::size_t>(node_kind::matcher)] = 1;
  const clocks all({error}, counts, 7);
  const node_id matcher{node_kind::matcher, 0};
  const auto offset = [&](std::uint64_t ride, std::uint32_t driver) {
    return all.wall_for(matcher, at(9s), ride, driver_id{driver}) - at_local(9s);
  };
  CHECK(offset(1, 1) == offset(1, 1));
  CHECK(offset(1, 1) != offset(2, 1));
  CHECK(offset(1, 1) != offset(1, 2));
  double squares = 0;
  for (std::uint64_t ride = 0; ride < 4000; ++ride) {
    squares += in_seconds(offset(ride, 3)) * in_seconds(offset(ride, 3));
  }
  CHECK(std::abs(std::sqrt(squares / 4000) - 2) < 0.1);
}

TEST_CASE("clocks: one that is healed keeps its time, runs right, and its wall clock is true") {
  const sim_time healed = at(100s);
  node_clock clock;
  clock.drift_ppb = GENERATE(-200'000'000, 0, 300'000'000);
  clock.offset = 3s;
  clock.from = at(10s);
  clock.steps = {{at(50s), -7s}, {at(100s), 11s}, {at(150s), 5s}};
  clock.flicker = {.every = 4s, .by = 900ms, .from = at(30s), .until = sim_time::max()};
  const node_clock before = clock;
  clock.heal(healed);
  for (sim_time t{}; t < healed; t += 333ms) {
    CHECK(clock.local(t) == before.local(t));
    CHECK(clock.wall(t) == before.wall(t));
  }
  const sim_duration kept = before.local(healed).time_since_epoch() - healed.time_since_epoch();
  for (sim_time t = healed; t < at(200s); t += 333ms) {
    CHECK(clock.wall(t) == local_time{t.time_since_epoch()});
    CHECK(clock.local(t) == local_time{t.time_since_epoch() + kept});
    CHECK(clock.first_at(clock.local(t)) == t);
  }
  clock.timers = timebase::wall;
  CHECK(clock.due(at_local(140s), at(90s)) == at(140s));
}

// To walk from flip to flip would take minutes for each of these timers.
TEST_CASE("clocks: a timer on a clock that is set to and fro a billion times is found at once") {
  node_clock clock;
  clock.timers = timebase::wall;
  clock.flicker = {
      .every = 1ms, .by = GENERATE(-24h * 200, 24h * 200), .from = at(1s), .until = at(24h * 364)};
  clock.steps = {{at(24h * 363), 24h * 300}, {at(24h * 365), -24h}};
  auto random = stream::keyed(5, purpose::pick);
  for (int i = 0; i < 200; ++i) {
    const sim_time now = at(sim_duration{static_cast<std::int64_t>(random.below(31'000'000)) * 1s});
    const local_time when = clock.wall(now) + sim_duration{1} +
                            static_cast<std::int64_t>(random.below(20'000'000)) * 1s;
    const sim_time due = clock.due(when, now);
    CHECK(due >= now);
    CHECK(clock.wall(due) >= when);
    if (due > now) {
      CHECK(clock.wall(due - 1ns) < when);
    }
  }
}
