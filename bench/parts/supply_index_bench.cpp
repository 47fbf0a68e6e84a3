// The supply index: what a query and an update cost.
//
//   nearest_8     the 8 nearest of n drivers within 3 km      queries a second
//   nearest_of    the k nearest of the few of n drivers who are there  queries a second
//   nearest_none  the same where nobody is within reach       queries a second
//   move          one driver leaves and comes back elsewhere  moves a second
//   view_advance  a view learns one fact                      facts a second
//
// Drivers crowd as they do in a city: three in four within a quarter of the width and height.

#include "base/random.hpp"
#include "bench/parts/counted.hpp"
#include "match/supply_index.hpp"
#include "match/supply_view.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

namespace {

using namespace dibs;
using namespace dibs::match;

constexpr double width_m = 25'000;
constexpr double height_m = 33'000;

point random_place(stream& random) {
  const bool is_in_town = random.happens(0.75);
  const double x = random.unit();
  const double y = random.unit();
  return is_in_town ? point{width_m * (0.375 + 0.25 * x), height_m * (0.375 + 0.25 * y), 0}
                    : point{width_m * x, height_m * y, 0};
}

supply_index_options options_for(std::uint32_t drivers) {
  return {drivers, {0, 0, 0}, {width_m, height_m, 0}};
}

/// So many of the drivers are there.
supply_index filled(std::uint32_t drivers, std::uint32_t there) {
  supply_index index(options_for(drivers));
  stream random(1);
  for (std::uint32_t i = 0; i < there; ++i) {
    index.insert(driver_id{i}, random_place(random));
  }
  return index;
}

std::uint32_t drivers_of(const benchmark::State& state) {
  return static_cast<std::uint32_t>(state.range(0));
}

void look_for(benchmark::State& state, const supply_index& index, std::size_t count) {
  std::vector<neighbour> found;
  stream random(2);
  for (auto _ : state) {
    index.nearest(random_place(random), count, 3000, found);
    benchmark::DoNotOptimize(found.data());
  }
  dibs::bench::count_per_second(state, "queries/s", state.iterations());
}

void nearest_8(benchmark::State& state) {
  look_for(state, filled(drivers_of(state), drivers_of(state)), 8);
}

void nearest_of(benchmark::State& state) {
  look_for(state,
           filled(drivers_of(state), static_cast<std::uint32_t>(state.range(1))),
           static_cast<std::size_t>(state.range(2)));
}

void nearest_none(benchmark::State& state) {
  supply_index index(options_for(drivers_of(state)));
  for (std::uint32_t i = 0; i < 1'000; ++i) {
    index.insert(driver_id{i}, {0, 0, 0});
  }
  std::vector<neighbour> found;
  stream random(3);
  for (auto _ : state) {
    const double x = 0.5 + 0.4 * random.unit();
    index.nearest({width_m * x, height_m * x, 0}, 8, 3000, found);
    benchmark::DoNotOptimize(found.data());
  }
  dibs::bench::count_per_second(state, "queries/s", state.iterations());
}

void move(benchmark::State& state) {
  const std::uint32_t drivers = drivers_of(state);
  supply_index index = filled(drivers, drivers);
  stream random(4);
  for (auto _ : state) {
    const driver_id driver{static_cast<std::uint32_t>(random.below(drivers))};
    index.erase(driver);
    index.insert(driver, random_place(random));
  }
  dibs::bench::count_per_second(state, "moves/s", state.iterations());
}

void view_advance(benchmark::State& state) {
  const std::uint32_t drivers = drivers_of(state);
  supply_log log;
  supply_view view(log, 500ms, options_for(drivers));
  stream random(5);
  sim_time now{};
  for (auto _ : state) {
    now += 1ms;
    const driver_id driver{static_cast<std::uint32_t>(random.below(drivers))};
    log.append({now, driver, random.happens(0.7), random_place(random)});
    view.advance(now);
  }
  dibs::bench::count_per_second(state, "facts/s", state.iterations());
}

BENCHMARK(nearest_8)->Arg(2'400)->Arg(100'000)->Arg(1'000'000)->UseRealTime();
BENCHMARK(nearest_of)
    ->ArgsProduct({{150, 2'400, 100'000}, {8, 32, 64, 128}, {2, 8}})
    ->UseRealTime();
BENCHMARK(nearest_none)->Arg(2'400)->Arg(100'000)->UseRealTime();
BENCHMARK(move)->Arg(2'400)->Arg(100'000)->UseRealTime();
BENCHMARK(view_advance)->Arg(2'400)->Arg(100'000)->UseRealTime();

}  // namespace
