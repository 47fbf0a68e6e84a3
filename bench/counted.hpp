/// What a benchmark counts, by its name: `facts/s` says more than `items_per_second`; and what
/// keeps it from depending on those before it.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <string>
#include <vector>

namespace dibs::bench {

/// `unit`: what was done `n` times while the benchmark ran, in the plural and a second: `facts/s`.
template <class Number>
void count_per_second(benchmark::State& state, const std::string& unit, Number n) {
  state.counters[unit] = benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsRate);
}

/// For what takes much memory and gives it back, again and again: pages that the system brings anew
/// are left out, which it does or does not by what ran before. glibc keeps as much of what is freed
/// as twice the largest block that it has given back to the system.
inline void keep_what_is_freed() {
  benchmark::DoNotOptimize(std::vector<char>(std::size_t{24} << 20U).data());
}

}  // namespace dibs::bench
