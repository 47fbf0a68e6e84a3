// The lease machine alone, over random drivers: acquire and confirm, and acquire, expire.

#include "base/random.hpp"
#include "bench/parts/counted.hpp"
#include "lease/lease_machine.hpp"

#include <benchmark/benchmark.h>

namespace {

using namespace dibs;
using namespace std::chrono_literals;

lease::machine fresh(std::uint32_t drivers) {
  lease::machine_options options;
  options.protocol = lease::rules_of(lease::protocol::fenced);
  return {options, drivers};
}

void acquire_confirm_trip(benchmark::State& state) {
  const auto drivers = static_cast<std::uint32_t>(state.range(0));
  lease::machine leases = fresh(drivers);
  auto random = stream::keyed(1, purpose::pick);
  local_time now{};
  for (auto _ : state) {
    const driver_id d{static_cast<std::uint32_t>(random.below(drivers))};
    const ride_id r{0};
    now += 1ms;
    const auto granted = leases.acquire(d, r, matcher_id{0}, now);
    const token_id token = std::get<lease::granted>(granted).token;
    benchmark::DoNotOptimize(leases.confirm(d, token, now));
    benchmark::DoNotOptimize(leases.trip_began(d, token));
    leases.trip_ended(d, token, r);
  }
  bench::count_per_second(state, "operations/s", 4 * state.iterations());
}

void acquire_expire(benchmark::State& state) {
  const auto drivers = static_cast<std::uint32_t>(state.range(0));
  lease::machine leases = fresh(drivers);
  auto random = stream::keyed(1, purpose::pick);
  local_time now{};
  for (auto _ : state) {
    const driver_id d{static_cast<std::uint32_t>(random.below(drivers))};
    const auto granted = leases.acquire(d, ride_id{0}, matcher_id{0}, now);
    now += 15s;
    benchmark::DoNotOptimize(leases.expire(d, std::get<lease::granted>(granted).token, now));
  }
  bench::count_per_second(state, "operations/s", 2 * state.iterations());
}

}  // namespace

BENCHMARK(acquire_confirm_trip)->Arg(1'000)->Arg(100'000)->UseRealTime();
BENCHMARK(acquire_expire)->Arg(1'000)->Arg(100'000)->UseRealTime();
