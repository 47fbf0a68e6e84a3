// What chance costs: naming a stream by what its draw is for, and drawing from a distribution.
// dibs has a logarithm of its own, which gives the same bits on every machine; the C library's is
// measured beside it. An item is a draw, or a logarithm.

#include "base/distribution.hpp"
#include "base/random.hpp"
#include "base/real.hpp"
#include "bench/parts/counted.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace {

using namespace dibs;
using namespace std::chrono_literals;

void count(benchmark::State& state) {
  bench::count_per_second(state, "draws/s", state.iterations());
}

void keyed_stream(benchmark::State& state) {
  const stream::family family(1, purpose::latency);
  std::uint64_t ride = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(family.of(7, ++ride, 1).bits());
  }
  count(state);
}

/// Each draw from a stream of its own, as a run does it.
void draw_from(benchmark::State& state, const distribution& d) {
  const stream::family family(1, purpose::latency);
  std::uint64_t ride = 0;
  for (auto _ : state) {
    stream random = family.of(7, ++ride, 1);
    benchmark::DoNotOptimize(draw(d, random));
  }
  count(state);
}

void draw_exponential(benchmark::State& state) { draw_from(state, exponential_duration{50ms}); }
void draw_normal(benchmark::State& state) { draw_from(state, normal_duration{50ms, 10ms}); }
void draw_lognormal(benchmark::State& state) { draw_from(state, lognormal_duration{6s, 0.8}); }
void draw_quantiles(benchmark::State& state) {
  draw_from(state, quantiles_duration{{{0, 0ms}, {0.5, 40ms}, {0.9, 100ms}, {0.99, 1s}, {1, 2s}}});
}

template <class Log>
void logarithms(benchmark::State& state, Log log) {
  auto random = stream::keyed(1, purpose::pick);
  std::vector<double> of(1024);
  for (double& x : of) {
    x = random.unit();
  }
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(log(of[i++ % of.size()]));
  }
  count(state);
}

void log_of_dibs(benchmark::State& state) {
  logarithms(state, [](double x) { return real::log(x); });
}
void log_of_c(benchmark::State& state) {
  logarithms(state, [](double x) { return std::log(x); });
}

BENCHMARK(keyed_stream)->UseRealTime();
BENCHMARK(draw_exponential)->UseRealTime();
BENCHMARK(draw_normal)->UseRealTime();
BENCHMARK(draw_lognormal)->UseRealTime();
BENCHMARK(draw_quantiles)->UseRealTime();
BENCHMARK(log_of_dibs)->UseRealTime();
BENCHMARK(log_of_c)->UseRealTime();

}  // namespace
