/// What a benchmark counts, by its name: `facts/s` says more than items_per_second.
#pragma once

#include "base/memory.hpp"

#include <benchmark/benchmark.h>

#include <string>

namespace dibs::bench {

/// As in dibs itself. Smaller blocks that one benchmark frees stay for the next; those from 4 MiB
/// on are asked for anew, as in a run.
// NOLINTNEXTLINE(cert-err58-cpp): who has no memory for that has none for a benchmark
inline const bool has_large_pages = (take_large_pages(), true);

/// `unit`: what was done `n` times while the benchmark ran, in the plural and a second: `facts/s`.
template <class Number>
void count_per_second(benchmark::State& state, const std::string& unit, Number n) {
  state.counters[unit] = benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsRate);
}

}  // namespace dibs::bench
