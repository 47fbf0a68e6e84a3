// What the readers of a history cost, each alone and all with what they do at the end, on the
// history of an hour of the offer race; and what it costs to hand it over to a reading thread,
// whose reader does nothing: on a processor that is idle, or it waits for one. An item is a fact.
// `facts_an_event` is how many there are to an event of the engine.

#include "bench/parts/counted.hpp"
#include "bench/race/offer_race.hpp"
#include "checkers/run_checker.hpp"
#include "engine/observer_thread.hpp"
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

void show_all(std::span<const event> facts, const std::vector<observer*>& to) {
  constexpr std::size_t batch = 256;
  for (std::size_t i = 0; i < facts.size(); i += batch) {
    for (observer* each : to) {
      each->observe(facts.subspan(i, std::min(batch, facts.size() - i)));
    }
  }
}

void count_facts(benchmark::State& state, const recorded& from) {
  const auto passes = static_cast<std::int64_t>(state.iterations());
  dibs::bench::count_per_second(
      state, "facts/s", passes * static_cast<std::int64_t>(from.facts.size()));
  state.counters["facts_an_event"] =
      static_cast<double>(from.facts.size()) / static_cast<double>(from.events);
}

template <class Make>
void read(benchmark::State& state, Make make) {
  const recorded& from = history_of(static_cast<std::uint32_t>(state.range(0)));
  for (auto _ : state) {
    auto reader = make(from.what);
    show_all(from.facts, {reader.get()});
    benchmark::DoNotOptimize(reader.get());
  }
  count_facts(state, from);
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
    return std::make_unique<dibs::checkers::run_checker>(dibs::engine::checkers_options_of(s, 1));
  });
}

void watchdog(benchmark::State& state) {
  read(state, [](const auto& s) {
    return std::make_unique<dibs::engine::watchdog>(dibs::engine::stall_limits_of(s));
  });
}

/// All three at once, as in a run, and what is judged when the last event is read.
void readers_and_joins(benchmark::State& state) {
  const recorded& from = history_of(static_cast<std::uint32_t>(state.range(0)));
  for (auto _ : state) {
    dibs::events::history_hash hash;
    dibs::metrics::collector measured(dibs::engine::metrics_options_of(from.what));
    dibs::checkers::run_checker judged(dibs::engine::checkers_options_of(from.what, 1));
    show_all(from.facts, {&hash, &measured, &judged});
    benchmark::DoNotOptimize(hash.digest());
    benchmark::DoNotOptimize(measured.finish(from.what.ends()));
    benchmark::DoNotOptimize(judged.finish(from.what.ends()));
  }
  count_facts(state, from);
}

class idle_reader final : public observer {
 public:
  void observe(std::span<const event> batch) override { benchmark::DoNotOptimize(batch.data()); }
};

void hand_over(benchmark::State& state) {
  const recorded& from = history_of(static_cast<std::uint32_t>(state.range(0)));
  for (auto _ : state) {
    idle_reader reader;
    dibs::engine::observer_thread apart({&reader}, "");
    show_all(from.facts, {&apart});
    apart.finish();
  }
  count_facts(state, from);
}

void sizes(benchmark::internal::Benchmark* b) {
  b->Arg(1'000)->Arg(10'000)->Arg(100'000)->Unit(benchmark::kMillisecond)->UseRealTime();
}

BENCHMARK(history_hash)->Apply(sizes);
BENCHMARK(metrics)->Apply(sizes);
BENCHMARK(checkers)->Apply(sizes);
BENCHMARK(readers_and_joins)->Apply(sizes);
BENCHMARK(watchdog)->Apply(sizes);
BENCHMARK(hand_over)->Arg(10'000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
