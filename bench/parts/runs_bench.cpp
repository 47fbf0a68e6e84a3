// Whole runs of the engine in virtual time, without metrics and checkers.
//
//   nodes/PROTOCOL    rides over perfect links to drivers who answer at once, with trips that take
//                     no time: what is left is what matchers, drivers, riders, the lease manager
//                     and the ledger do, and the queue between them. An item is a ride.
//   delivery/direct   the offer race with 1,000 drivers, straight to the cores of actors. An item
//                     is an event.
//   delivery/mailbox  the same through the mailboxes of CAF's actors

#include "bench/live/matching.hpp"
#include "bench/parts/counted.hpp"
#include "bench/race/offer_race.hpp"
#include "engine/run.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <variant>

namespace {

using namespace dibs;

class ride_counter final : public events::observer {
 public:
  void observe(std::span<const events::event> batch) override {
    for (const events::event& e : batch) {
      matched += std::holds_alternative<events::trip_committed>(e.what) ? 1U : 0U;
    }
  }
  std::uint64_t matched = 0;
};

engine::run_options unwatched() {
  engine::run_options how;
  how.observe = false;
  return how;
}

void nodes(benchmark::State& state, lease::protocol protocol) {
  bench::matching_options market;
  market.matchers = 4;
  market.drivers = 1'000;
  market.protocol = protocol;
  market.seconds = 20;
  market.speed = 1;
  market.rate = 1'000;
  const scenario::scenario s = bench::matching_scenario(market);
  ride_counter rides;
  engine::run_options counted = unwatched();
  counted.observers = {&rides};
  engine::run(s, counted).value();
  for (auto _ : state) {
    benchmark::DoNotOptimize(engine::run(s, unwatched()).value().events);
  }
  bench::count_per_second(
      state, "rides/s", rides.matched * static_cast<std::uint64_t>(state.iterations()));
}

void deliver(benchmark::State& state, engine::delivery by) {
  const scenario::scenario s = bench::offer_race(1'000, 1);
  engine::run_options how = unwatched();
  how.delivery = by;
  std::uint64_t events = 0;
  for (auto _ : state) {
    events += engine::run(s, how).value().events;
  }
  bench::count_per_second(state, "events/s", events);
}

void run_for(const std::string& name, auto what) {
  benchmark::RegisterBenchmark(name.c_str(), what)->Unit(benchmark::kMillisecond)->UseRealTime();
}

}  // namespace

int main(int argc, char** argv) {
  for (const lease::rules& each : lease::all_rules()) {
    run_for(fmt::format("nodes/{}", each.name),
            [which = each.which](benchmark::State& state) { nodes(state, which); });
  }
  run_for("delivery/direct", [](auto& state) { deliver(state, engine::delivery::direct); });
  run_for("delivery/mailbox", [](auto& state) { deliver(state, engine::delivery::mailbox); });
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return EXIT_FAILURE;
  }
  benchmark::RunSpecifiedBenchmarks();
}
