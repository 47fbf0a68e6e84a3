/// What a benchmark counts, by its name: `facts/s` says more than `items_per_second`.
#pragma once

#include <benchmark/benchmark.h>

#include <string>

namespace dibs::bench {

/// `unit`: what was done `n` times while the benchmark ran, in the plural and a second: `facts/s`.
template <class Number>
void count_per_second(benchmark::State& state, const std::string& unit, Number n) {
  state.counters[unit] = benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsRate);
}

}  // namespace dibs::bench
