// The book of rides: one appears and takes a seat, drivers are shown it, it leaves. An item is a
// ride; so many are there at a time.

#include "actors/ride_book.hpp"
#include "counted.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <deque>

namespace {

using namespace dibs;

void ride_comes_and_goes(benchmark::State& state) {
  actors::ride_book book;
  std::deque<ride_id> there;
  const auto come = [&] {
    there.push_back(book.enter({}));
    book.count_offer(there.back(), driver_id{1});
  };
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    come();
  }
  for (auto _ : state) {
    book.free_seat(book.at(there.front()).rider.index());
    there.pop_front();
    come();
  }
  bench::count_per_second(state, "rides/s", state.iterations());
}

// A book grows with every ride of its run: so many as in a large one.
BENCHMARK(ride_comes_and_goes)->Arg(1'000)->Iterations(300'000)->UseRealTime();

}  // namespace
