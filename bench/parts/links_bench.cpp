// A message's way from node to node: its link, what the link draws for it, the queue, the gate.
// Two nodes send each other messages over one link, N of them under way at a time: the first copy
// of each is answered by the next one, and one that is lost is made up for.
//
//   perfect/N    no link between them: at once
//   delays/N     an exponential latency
//   loses/N      the same with loss and copies
//   repeats/N    the same with loss, and each message is repeated until it is acknowledged
//
// An item is a message that was sent, whatever copies and repeats it takes; one that is lost on the
// way is an item as well.

#include "bench/parts/counted.hpp"
#include "runtime/event_queue.hpp"
#include "runtime/ride_message_count.hpp"
#include "runtime/transport.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace {

using namespace dibs;
using namespace dibs::messages;
using namespace dibs::runtime;

constexpr node_id sender{node_kind::matcher, 0};
constexpr node_id receiver{node_kind::lease_manager, 0};

/// All that a transport needs of a runtime, and a queue; whoever gets a message sends the next one.
/// So many are under way as were sent from outside: were a second copy answered as well, there
/// would be ever more of them.
class post_office : public transport<post_office> {
 public:
  explicit post_office(const std::vector<sim::link_options>& links)
      : conditions_(options(links)),
        faults_({}, 1),
        repeats_(!links.empty() && links.front().retry.has_value()) {}

  void send_one(node_id from, node_id to) {
    ++sent_;
    send(from, to, acquire{ride_id{sent_ % rides}, driver_id{1}, matcher_id{0}, sent_, {}});
  }
  [[nodiscard]] std::uint32_t sent() const { return sent_; }

  void take_one() {
    const event e = queue_.pop();
    now_ = e.due;
    arrive_at_gate(e);
    for (; lost_ > 0; --lost_) {
      send_one(sender, receiver);
    }
  }

  // -- for the transport
  [[nodiscard]] sim_time now() const { return now_; }
  [[nodiscard]] const run_conditions& rules() const { return conditions_; }
  void push(event& e) {
    e.order = next_order_++;
    queue_.push(e);
  }
  void deliver(const event& e) {
    const std::uint32_t number = e.get<acquire>().request;
    if (std::uint32_t& last = answered_[number % answered_.size()]; last != number) {
      last = number;
      send_one(e.to, e.from);
    }
  }
  /// A message that is repeated is not lost with one of its copies.
  template <class Fact>
  void record(node_id, const Fact& f) {
    benchmark::DoNotOptimize(&f);
    lost_ += std::is_same_v<Fact, events::message_lost> && !repeats_ ? 1U : 0U;
  }
  template <class F>
  decltype(auto) with_triggered_faults(F f) {
    return f(faults_);
  }
  [[nodiscard]] std::uint32_t life_of(node_id) const { return 0; }
  [[nodiscard]] std::optional<topic> ask_back(const event& e) {
    const unacknowledged* sent = own_exchanges().find(e.exchange);
    return sent == nullptr ? std::nullopt : std::optional(sent->about);
  }
  std::uint32_t count_sent(const topic& about) { return counts_.count(about.ride, about.number); }
  std::uint32_t count_passed(const topic&) { return 0; }
  void on_crash(node_id) {}
  void on_restart(node_id) {}
  void strike_node(const strike&, sim_time) {}
  [[nodiscard]] std::optional<sim_time> expiry_of(token_id) const { return std::nullopt; }

 private:
  static constexpr std::uint32_t rides = 1'000;
  /// More than are sent until the last copy of one has come: ten seconds of `repeats/1000`.
  static constexpr std::size_t remembered = std::size_t{1} << 18U;

  static run_condition_options options(const std::vector<sim::link_options>& links) {
    run_condition_options o;
    o.ends = sim_time::max();
    o.network = links;
    return o;
  }

  run_conditions conditions_;
  triggered_faults faults_;
  ride_message_count counts_;
  event_queue<event> queue_;
  sim_time now_{};
  std::uint64_t next_order_ = 0;
  std::vector<std::uint32_t> answered_ = std::vector<std::uint32_t>(remembered);
  bool repeats_;
  std::uint32_t lost_ = 0;
  std::uint32_t sent_ = 0;
};

void send_to_and_fro(benchmark::State& state, const std::vector<sim::link_options>& links) {
  post_office office(links);
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    office.send_one(sender, receiver);
  }
  // Until the first repeats fall due, which wait for seconds, and the queue fits.
  const std::int64_t turns = std::max<std::int64_t>(10 * state.range(0), 300'000);
  for (std::int64_t i = 0; i < turns; ++i) {
    office.take_one();
  }
  const std::uint32_t before = office.sent();
  for (auto _ : state) {
    office.take_one();
  }
  bench::count_per_second(state, "messages/s", office.sent() - before);
}

std::vector<sim::link_options> both_ways(sim::link_options link) {
  link.from = {sender.kind(), {}};
  link.to = {receiver.kind(), {}};
  link.both_ways = true;
  link.latency = exponential_duration{50ms};
  return {link};
}

void perfect(benchmark::State& state) { send_to_and_fro(state, {}); }
void delays(benchmark::State& state) { send_to_and_fro(state, both_ways({})); }
void loses(benchmark::State& state) {
  sim::link_options link;
  link.loss = 0.05;
  link.duplicate = 0.05;
  send_to_and_fro(state, both_ways(link));
}
void repeats(benchmark::State& state) {
  sim::link_options link;
  link.loss = 0.05;
  link.retry = sim::retry_options{.after = 1s, .max = 1'000};
  send_to_and_fro(state, both_ways(link));
}

BENCHMARK(perfect)->Arg(1)->Arg(1'000)->UseRealTime();
BENCHMARK(delays)->Arg(1)->Arg(1'000)->Arg(100'000)->UseRealTime();
BENCHMARK(loses)->Arg(1'000)->UseRealTime();
BENCHMARK(repeats)->Arg(1'000)->UseRealTime();

}  // namespace
