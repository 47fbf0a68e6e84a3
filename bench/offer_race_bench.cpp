// The engine on the offer race, beside a bare loop over the same model.
//
//   engine/D     through the CAF actors' cores, metrics and checkers on; an hour of virtual time
//   unwatched/D  the same with metrics and checkers off
//   bare_loop/D  one loop, one 4-ary heap, no actors
//   on_queue/D   the same loop on the engine's own queue
//
// At the end: the ratios engine : bare loop, measured in this run.

#include "bench/bare_loop.hpp"
#include "bench/offer_race.hpp"
#include "counted.hpp"
#include "engine/run.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <map>
#include <string>

namespace {

constexpr double hours = 1;

void run_engine(benchmark::State& state, bool observe) {
  const auto race = dibs::bench::offer_race(static_cast<std::uint32_t>(state.range(0)), hours);
  std::uint64_t events = 0;
  for (auto _ : state) {
    dibs::engine::run_options how;
    how.observe = observe;
    const auto result = dibs::engine::run(race, how);
    if (!result || !result->judgement.kept()) {
      state.SkipWithError("the run failed or broke a promise");
      return;
    }
    events += result->events;
  }
  dibs::bench::count_per_second(state, "events/s", events);
}

void engine(benchmark::State& state) { run_engine(state, true); }
void unwatched(benchmark::State& state) { run_engine(state, false); }

template <class Loop>
void bare(benchmark::State& state) {
  std::uint64_t events = 0;
  for (auto _ : state) {
    Loop loop(static_cast<std::uint32_t>(state.range(0)), hours, 1);
    events += loop.run();
  }
  dibs::bench::count_per_second(state, "events/s", events);
}

/// Prints as usual, and remembers events a second by name.
class ratio_reporter final : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (const auto found = run.counters.find("events/s"); found != run.counters.end()) {
        speeds_[run.benchmark_name()] = found->second.value;
      }
    }
    ConsoleReporter::ReportRuns(runs);
  }

  void print_ratios() const {
    for (const auto& [name, speed] : speeds_) {
      const auto slash = name.find('/');
      const auto base = speeds_.find("bare_loop" + name.substr(slash));
      if (name.rfind("bare_loop", 0) != 0 && base != speeds_.end()) {
        fmt::print("{:<24} : bare loop = {:.2f}   ({:.0f} ns an event)\n",
                   name,
                   speed / base->second,
                   1e9 / speed);
      }
    }
  }

 private:
  std::map<std::string, double> speeds_;
};

}  // namespace

int main(int argc, char** argv) {
  for (const int drivers : {1'000, 10'000, 100'000}) {
    const auto sized = [drivers](benchmark::internal::Benchmark* b) {
      b->Arg(drivers)->Unit(benchmark::kMillisecond);
    };
    sized(benchmark::RegisterBenchmark("engine", engine));
    sized(benchmark::RegisterBenchmark("unwatched", unwatched));
    sized(benchmark::RegisterBenchmark("bare_loop", bare<dibs::bench::bare_loop_on_heap>));
    sized(benchmark::RegisterBenchmark("on_queue", bare<dibs::bench::bare_loop_on_queue>));
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 2;
  }
  ratio_reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.print_ratios();
}
