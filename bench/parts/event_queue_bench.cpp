// The event queue: one take and one put at a steady size, as in a run ("hold model"). A million
// events are 64 MB, in no cache: these depend on what else uses the machine's memory, 147 to 155 ns
// in seven processes where little did, 151 to 176 in six where more did.

#include "base/random.hpp"
#include "bench/parts/counted.hpp"
#include "runtime/event.hpp"
#include "runtime/event_queue.hpp"

#include <benchmark/benchmark.h>

namespace {

using dibs::runtime::event;
using dibs::runtime::event_queue;

void hold(benchmark::State& state) {
  auto random = dibs::stream::keyed(1, dibs::purpose::latency);
  const auto gap = [&random] {
    return dibs::sim_duration{static_cast<std::int64_t>(random.below(1'000'000'000))};
  };
  event_queue<event> queue;
  std::uint64_t order = 0;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    event e;
    e.due = dibs::at(gap());
    e.order = order++;
    queue.push(e);
  }
  const auto turn = [&] {
    event e = queue.pop();
    queue.look_ahead([](const event& next) { benchmark::DoNotOptimize(&next); });
    e.due += gap();
    e.order = order++;
    queue.push(e);
  };
  // Until the calendar fits: to make it is no part of a turn.
  for (std::int64_t i = 0; i < 2 * state.range(0); ++i) {
    turn();
  }
  for (auto _ : state) {
    turn();
  }
  dibs::bench::count_per_second(state, "events/s", state.iterations());
}

}  // namespace

BENCHMARK(hold)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->UseRealTime();
