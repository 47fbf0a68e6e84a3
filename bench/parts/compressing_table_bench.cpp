// A table of records that are written once and twice more within the next thousand, and read
// through at the end: one that packs what is idle, and one that never packs. An item is a record.

#include "base/compressing_table.hpp"
#include "bench/parts/counted.hpp"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>

namespace {

using namespace dibs;

constexpr std::uint32_t records = 500'000;
constexpr std::uint32_t done_after = 1'000;

constexpr packing_pace never{.block_bytes = pace_of_large_runs.block_bytes,
                             .begins_at = SIZE_MAX,
                             .idle_min = pace_of_large_runs.idle_min};

/// As wide as what checkers know of a token: numbers that grow, times, and much that stays empty.
struct wide_record {
  std::uint64_t token = 0;
  std::int64_t granted = 0;
  std::int64_t ended = 0;
  std::uint32_t driver = 0;
  std::uint32_t ride = 0;
  std::uint64_t counts[4] = {};  ///< of which three stay 0
};

template <packing_pace Pace>
void write_and_read(benchmark::State& state) {
  for (auto _ : state) {
    packing_table<wide_record, Pace> table;
    for (std::uint32_t i = 0; i < records; ++i) {
      const std::int64_t now = std::int64_t{i} * 12'345'678;
      table.push_back({i + 1U, now, 0, i * 2'654'435'761U % 100'000, i / 2, {}});
      if (i >= done_after) {
        table[i - done_after].ended = now;
        ++table[i - done_after / 2].counts[0];
      }
      table.settle();
    }
    std::int64_t held = 0;
    table.each([&held](std::size_t, const wide_record& r) { held += r.ended - r.granted; });
    benchmark::DoNotOptimize(held);
  }
  bench::count_per_second(state, "records/s", records * state.iterations());
}

void records_packed(benchmark::State& state) { write_and_read<pace_of_large_runs>(state); }
void records_open(benchmark::State& state) { write_and_read<never>(state); }

BENCHMARK(records_packed)->UseRealTime();
BENCHMARK(records_open)->UseRealTime();

}  // namespace
