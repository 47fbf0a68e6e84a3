// The ledger machine alone: a token is granted, written and its trip closed, for random drivers. A
// ledger keeps every write of its run, so it is a new one again and again. An item is a write.

#include "base/random.hpp"
#include "bench/parts/counted.hpp"
#include "lease/ledger_machine.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>

namespace {

using namespace dibs;

constexpr std::uint32_t writes = 100'000;

void ledger_write(benchmark::State& state) {
  const auto drivers = static_cast<std::uint32_t>(state.range(0));
  for (auto _ : state) {
    lease::ledger trips(lease::ledger_rule::fence, drivers);
    auto random = stream::keyed(1, purpose::pick);
    for (std::uint32_t i = 0; i < writes; ++i) {
      const driver_id d{static_cast<std::uint32_t>(random.below(drivers))};
      const token_id token{i + 1};
      trips.raise_fence(d, token);
      benchmark::DoNotOptimize(trips.write(token, d, ride_id{i}));
      benchmark::DoNotOptimize(trips.close(token));
    }
  }
  bench::count_per_second(state, "writes/s", writes * state.iterations());
}

BENCHMARK(ledger_write)->Arg(1'000)->Arg(100'000)->UseRealTime();

}  // namespace
