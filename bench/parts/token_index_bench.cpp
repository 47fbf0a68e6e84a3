// The numbers of tokens alone: each is set once and asked for twice, a thousand tokens later.
// Counted by a lease manager, or made up by so many matchers in turn. An item is a token.

#include "base/token_index.hpp"
#include "bench/parts/counted.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>

namespace {

using namespace dibs;

constexpr std::uint32_t tokens = 200'000;
constexpr std::uint32_t later = 1'000;

template <class TokenAt>
void set_and_find(benchmark::State& state, const TokenAt& token_at) {
  for (auto _ : state) {
    token_index numbers;
    for (std::uint32_t i = 0; i < tokens + later; ++i) {
      if (i < tokens) {
        numbers.set(token_at(i), i);
      }
      if (i >= later) {
        benchmark::DoNotOptimize(numbers.find(token_at(i - later)));
        benchmark::DoNotOptimize(numbers.find(token_at(i - later)));
      }
    }
  }
  bench::count_per_second(state, "tokens/s", tokens * state.iterations());
}

void tokens_counted(benchmark::State& state) {
  set_and_find(state, [](std::uint32_t i) { return token_id{i + 1}; });
}

void tokens_made_up(benchmark::State& state) {
  const auto matchers = static_cast<std::uint32_t>(state.range(0));
  set_and_find(state, [matchers](std::uint32_t i) {
    return token_id::unleased(matcher_id{i % matchers}, i / matchers + 1);
  });
}

BENCHMARK(tokens_counted)->UseRealTime();
BENCHMARK(tokens_made_up)->Arg(1)->Arg(8)->Arg(64)->UseRealTime();

}  // namespace
