// What the readers of a history cost, each alone, on the history of an hour of the offer race.
// `facts_an_event` is how many there are to an event of the engine.

#include "bench/offer_race.hpp"
#include "checkers/checkers.hpp"
#include "counted.hpp"
#include "engine/run.hpp"
#include "engine/watchdog.hpp"
#include "events/history_hash.hpp"
#include "metrics/metrics.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace {

using dibs::events::event;
using dibs::events::observer;

class keeper final : public observer {
 public:
  void observe(std::span<const event> batch) override {
    facts.insert(facts.end(), batch.begin(), batch.end());
  }
  std::vector<event> facts;
};

struct recorded {
  dibs::scenario::scenario what;
  std::vector<event> facts;
  std::uint64_t events = 0;
};

const recorded& history_of(std::uint32_t drivers) {
  static std::map<std::uint32_t, recorded> all;
  auto& one = all[drivers];
  if (one.facts.empty()) {
    one.what = dibs::bench::offer_race(drivers, 1);
    keeper all_facts;
    dibs::engine::run_options how;
    how.observe = false;
    how.observers = {&all_facts};
    one.events = dibs::engine::run(one.what, how)->events;
    one.facts = std::move(all_facts.facts);
  }
  return one;
}

template <class Make>
void read(benchmark::State& state, Make make) {
  constexpr std::size_t batch = 256;
  const recorded& from = history_of(static_cast<std::uint32_t>(state.range(0)));
  for (auto _ : state) {
    auto reader = make(from.what);
    const std::span<const event> all(from.facts);
    for (std::size_t i = 0; i < all.size(); i += batch) {
      reader->observe(all.subspan(i, std::min(batch, all.size() - i)));
    }
    benchmark::DoNotOptimize(reader.get());
  }
  const auto passes = static_cast<std::int64_t>(state.iterations());
  dibs::bench::count_per_second(
      state, "facts/s", passes * static_cast<std::int64_t>(from.facts.size()));
  state.counters["facts_an_event"] =
      static_cast<double>(from.facts.size()) / static_cast<double>(from.events);
}

void history_hash(benchmark::State& state) {
  read(state, [](const auto&) { return std::make_unique<dibs::events::history_hash>(); });
}

void metrics(benchmark::State& state) {
  read(state, [](const auto& s) {
    return std::make_unique<dibs::metrics::collector>(dibs::engine::metrics_options_of(s));
  });
}

void checkers(benchmark::State& state) {
  read(state, [](const auto& s) {
    return std::make_unique<dibs::checkers::court>(dibs::engine::checkers_options_of(s, 1));
  });
}

void watchdog(benchmark::State& state) {
  read(state, [](const auto& s) {
    return std::make_unique<dibs::engine::watchdog>(dibs::engine::patience_of(s));
  });
}

void sizes(benchmark::internal::Benchmark* b) {
  b->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK(history_hash)->Apply(sizes);
BENCHMARK(metrics)->Apply(sizes);
BENCHMARK(checkers)->Apply(sizes);
BENCHMARK(watchdog)->Apply(sizes);

}  // namespace
