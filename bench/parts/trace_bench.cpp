// Reading the trace of demand that evening-peak replays, with its places on the map. An item is a
// row, whether it is kept or not.

#include "bench/parts/counted.hpp"
#include "world/trace.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace dibs;

void read_trace(benchmark::State& state) {
  const world::geography map(
      {.bounds = {40.60, -74.05, 40.90, -73.75}, .detour = 1.35, .speed_m_per_s = 5});
  const world::trace_columns columns{.time = "pickup_s",
                                     .lat = "pu_lat",
                                     .lon = "pu_lon",
                                     .to_lat = "do_lat",
                                     .to_lon = "do_lon",
                                     .trip = "duration_s"};
  std::uint64_t rows = 0;
  for (auto _ : state) {
    const auto read = world::read_trace(
        DIBS_SOURCE_DIR "/scenarios/data/nyc_yellow_2018h1_weekday.csv", columns, map);
    if (!read) {
      state.SkipWithError(read.error().text.c_str());
      break;
    }
    rows += read->rows.size() + read->rows_dropped;
  }
  bench::count_per_second(state, "rows/s", rows);
}

BENCHMARK(read_trace)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
