// The yardstick that other figures are measured by: the offer race in one loop, on one heap and
// with no actors. With 1,000 drivers all of it lies in the cache; with 100,000 it waits for memory.
// An item is an event.

#include "bench/parts/counted.hpp"
#include "bench/race/bare_loop.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>

namespace {

constexpr double driver_hours = 10'000;  // in one iteration: some tenths of a second

void bare_loop(benchmark::State& state) {
  const auto drivers = static_cast<std::uint32_t>(state.range(0));
  const double hours = std::min(1.0, driver_hours / drivers);
  std::uint64_t events = 0;
  for (auto _ : state) {
    dibs::bench::bare_loop_on_heap loop(drivers, hours, 1);
    events += loop.run();
  }
  dibs::bench::count_per_second(state, "events/s", events);
}

BENCHMARK(bare_loop)->Arg(1'000)->Arg(100'000)->UseRealTime();

}  // namespace
