// The book of rides: one appears and takes a seat, drivers are shown it, it leaves. An item is a
// ride; so many are there at a time.

#include "bench/parts/counted.hpp"
#include "runtime/ride_table.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <deque>
#include <iterator>

namespace {

using namespace dibs;

// A book grows with every ride of its run, so it is a new one again and again.
constexpr int rides_of_a_book = 100'000;

void fill(std::int64_t there_at_a_time) {
  actors::ride_book book;
  std::deque<ride_id> there;
  for (int i = 0; i < rides_of_a_book; ++i) {
    there.push_back(book.enter({}));
    book.count_offer(there.back(), driver_id{1});
    if (std::ssize(there) > there_at_a_time) {
      book.free_seat(book.at(there.front()).rider.index());
      there.pop_front();
    }
  }
}

void ride_comes_and_goes(benchmark::State& state) {
  fill(state.range(0));
  for (auto _ : state) {
    fill(state.range(0));
  }
  bench::count_per_second(state, "rides/s", rides_of_a_book * state.iterations());
}

BENCHMARK(ride_comes_and_goes)->Arg(1'000)->UseRealTime();

}  // namespace
