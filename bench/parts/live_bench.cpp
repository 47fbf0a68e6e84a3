// What a live run is made of, each part alone and the plain thing that it stands in for beside it.
//
//   timers/N           the queue of timers: one is taken and one set, N wait; lengths as in a run
//   timers_in_heap/N   the same in a heap
//   inbox/N            a node's inbox: N events put in and taken out
//   record/N           N moments of three facts each, written down by 64 nodes and merged
//   record_in_line/N   the same behind one lock, in the order in which they come
//
// An item is a timer, an event, or a fact.

#include "base/random.hpp"
#include "bench/parts/counted.hpp"
#include "runtime/inbox.hpp"
#include "runtime/merged_recorder.hpp"
#include "runtime/timer_queue.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <mutex>
#include <queue>
#include <vector>

namespace {

using namespace dibs;
using namespace dibs::runtime;

struct is_later {
  bool operator()(const event& a, const event& b) const {
    return a.due != b.due ? a.due > b.due : a.order > b.order;
  }
};

/// A plain queue with the names of the other.
class heap_of_timers {
 public:
  void push(const event& e) {
    event mine = e;
    mine.order = next_order_++;
    all_.push(mine);
  }
  event pop() {
    const event first = all_.top();
    all_.pop();
    return first;
  }

 private:
  std::priority_queue<event, std::vector<event>, is_later> all_;
  std::uint64_t next_order_ = 0;
};

/// Leases, answers and requests run out after fixed lengths; people take their time.
sim_duration length_of_a_timer(stream& random) {
  constexpr std::array<sim_duration, 3> fixed{15s, 5s, 600s};
  const std::uint64_t kind = random.below(4);
  return kind < fixed.size()
             ? fixed[kind]
             : sim_duration{static_cast<std::int64_t>(random.below(10'000'000'000))};
}

template <class Queue>
void hold_timers(benchmark::State& state) {
  auto random = stream::keyed(1, purpose::pick);
  Queue queue;
  const auto set = [&](sim_time now) {
    event e;
    e.due = now + length_of_a_timer(random);
    queue.push(e);
  };
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    set({});
  }
  for (auto _ : state) {
    set(queue.pop().due);
  }
  bench::count_per_second(state, "timers/s", state.iterations());
}

void timers(benchmark::State& state) { hold_timers<timer_queue>(state); }
void timers_in_heap(benchmark::State& state) { hold_timers<heap_of_timers>(state); }

void inbox_alone(benchmark::State& state) {
  inbox box;
  const event one;
  std::vector<event> taken;
  for (auto _ : state) {
    for (std::int64_t i = 0; i < state.range(0); ++i) {
      benchmark::DoNotOptimize(box.put({&one, 1}));
    }
    box.take(taken);
    benchmark::DoNotOptimize(taken.data());
  }
  bench::count_per_second(state, "messages/s", state.iterations() * state.range(0));
}

/// A clock that moves by a microsecond whenever it is read.
struct ticking {
  [[nodiscard]] sim_time now() const { return sim_time{} + 1us * ++ticks; }
  mutable std::int64_t ticks = 0;
};

class reader final : public events::observer {
 public:
  void observe(std::span<const events::event> batch) override {
    benchmark::DoNotOptimize(batch.data());
    facts += batch.size();
  }
  std::uint64_t facts = 0;
};

constexpr std::uint32_t nodes = 64;
constexpr int facts_a_moment = 3;

node_id nth_node(std::int64_t i) {
  return {node_kind::driver, static_cast<std::uint32_t>(i) % nodes};
}

void write_facts(std::vector<events::event>& facts, sim_time t) {
  for (int k = 0; k < facts_a_moment; ++k) {
    facts.push_back({t, {}, events::driver_went_offline{driver_id{1}}, driver_id{1}});
  }
}

void record(benchmark::State& state) {
  const ticking clock;
  merged_recorder<ticking> recorder(clock);
  reader r;
  std::vector<events::event> facts;
  for (auto _ : state) {
    for (std::int64_t i = 0; i < state.range(0); ++i) {
      const recorded_instant m = recorder.begin(nth_node(i));
      write_facts(facts, m.t);
      event due;
      due.due = m.t;
      recorder.end(nth_node(i), m, {&due, 1}, facts);
    }
    recorder.drain({&r});
  }
  bench::count_per_second(state, "facts/s", state.iterations() * state.range(0) * facts_a_moment);
}

void record_in_line(benchmark::State& state) {
  const ticking clock;
  std::mutex guard;
  std::vector<events::event> all;
  reader r;
  std::vector<events::event> facts;
  for (auto _ : state) {
    for (std::int64_t i = 0; i < state.range(0); ++i) {
      write_facts(facts, clock.now());
      const std::lock_guard lock(guard);
      all.insert(all.end(), facts.begin(), facts.end());
      facts.clear();
    }
    r.observe(all);
    all.clear();
  }
  bench::count_per_second(state, "facts/s", state.iterations() * state.range(0) * facts_a_moment);
}

BENCHMARK(timers)->Arg(1'000)->Arg(100'000)->UseRealTime();
BENCHMARK(timers_in_heap)->Arg(1'000)->Arg(100'000)->UseRealTime();
BENCHMARK(inbox_alone)->Name("inbox")->Arg(1)->Arg(64)->UseRealTime();
BENCHMARK(record)->Arg(1'000)->UseRealTime();
BENCHMARK(record_in_line)->Arg(1'000)->UseRealTime();

}  // namespace
