#include "bench/race/race.hpp"

#include "base/ensure.hpp"
#include "base/memory.hpp"
#include "base/stopwatch.hpp"
#include "bench/race/bare_loop.hpp"
#include "bench/race/message_loop.hpp"
#include "bench/race/offer_race.hpp"
#include "engine/run.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace dibs::bench {
namespace {

struct timing {
  double ns_per_event = 0;
  std::uint64_t events = 0;
  double lease_ops_per_s = 0;
};

double ns_per(double seconds, std::uint64_t events) {
  return seconds * 1e9 / static_cast<double>(std::max<std::uint64_t>(events, 1));
}

enum class readers : std::uint8_t { none, on_the_runs_thread, apart };

// What is timed is a function of its own also in the binary, or a profile could not tell them
// apart.

/// Nothing if it was stopped.
[[gnu::noinline]] std::optional<timing> time_engine(const scenario::scenario& s,
                                                    readers who,
                                                    const std::atomic<bool>* stop) {
  engine::run_options how;
  how.observe = who != readers::none;
  how.observes_on_second_thread = who == readers::apart;
  how.stop = stop;
  const stopwatch watch;
  const auto r = engine::run(s, how);
  const double seconds = watch.seconds();
  ensure(r && r->checks.kept() && !r->stuck, "the offer race runs, and keeps its promises");
  if (r->interrupted) {
    return std::nullopt;
  }
  timing t{ns_per(seconds, r->events), r->events, 0};
  if (how.observe) {
    for (const char* metric : {"leases.granted",
                               "leases.denied",
                               "confirms.taken",
                               "confirms.refused",
                               "leases.early_release"}) {
      t.lease_ops_per_s += r->metrics.value(metric).value_or(0) / seconds;
    }
  }
  return t;
}

template <class Loop>
[[gnu::noinline]] timing time_bare(const race_result& r) {
  const stopwatch watch;
  Loop loop(r.drivers, r.hours, 1);
  const std::uint64_t events = loop.run();
  return {ns_per(watch.seconds(), events), events, 0};
}

/// A line `key: value kB` of /proc/self/status, in bytes; 0 where there is none.
double memory_now(const std::string& key) {
  std::ifstream from("/proc/self/status");
  std::string line;
  while (std::getline(from, line)) {
    if (line.starts_with(key + ":")) {
      return 1024 * std::stod(line.substr(key.size() + 1));
    }
  }
  return 0;
}

/// The peak counts from here on; whether the system let us say so.
bool forget_peak() {
  std::ofstream to("/proc/self/clear_refs");
  to << "5";
  to.flush();
  return to.good();
}

/// What a program takes once is no driver's: a short race of few takes it before one is measured.
void warm_up() {
  engine::run_options how;
  static_cast<void>(engine::run(offer_race(100, 0.1), how));
  how.observes_on_second_thread = true;
  static_cast<void>(engine::run(offer_race(100, 0.1), how));
}

/// What the engine holds at most, beyond what was held before. In a run that nobody times: what was
/// given back comes anew page by page.
void weigh_engine(const scenario::scenario& s, race_result& result, const std::atomic<bool>* stop) {
  give_back_memory();  // or a larger race would seem to need less after a smaller one
  const double before = memory_now("VmRSS");
  const bool is_known = forget_peak();
  const bool is_whole = time_engine(s, readers::on_the_runs_thread, stop).has_value();
  const double taken = memory_now("VmHWM") - before;
  if (is_whole && is_known && taken > 0) {
    result.bytes_per_driver = taken / static_cast<double>(result.drivers);
  }
}

/// What each of the nine took, turn by turn.
struct turns {
  std::vector<double> watched;
  std::vector<double> apart;
  std::vector<double> unwatched;
  std::vector<double> bare;
  std::vector<double> on_queue;
  std::vector<double> messages;
  std::vector<double> nodes;
  std::vector<double> nodes_apart;
  std::vector<double> nodes_watched;
  std::vector<double> operations;
};

/// One turn of each; whether it was whole.
bool take_turn(const scenario::scenario& s,
               race_result& result,
               turns& all,
               const std::atomic<bool>* stop) {
  const auto watched = time_engine(s, readers::on_the_runs_thread, stop);
  const auto apart = time_engine(s, readers::apart, stop);
  const auto unwatched = time_engine(s, readers::none, stop);
  if (!watched || !apart || !unwatched) {
    return false;
  }
  const timing bare = time_bare<bare_loop_on_heap>(result);
  const timing on_queue = time_bare<bare_loop_on_queue>(result);
  const timing messages = time_bare<bare_messages>(result);
  const timing nodes = time_bare<unwatched_nodes>(result);
  const timing nodes_apart = time_bare<apart_nodes>(result);
  const timing nodes_watched = time_bare<watched_nodes>(result);
  result.bare_events = bare.events;
  result.message_events = nodes.events;
  result.events = watched->events;
  all.bare.push_back(bare.ns_per_event);
  all.on_queue.push_back(on_queue.ns_per_event);
  all.messages.push_back(messages.ns_per_event);
  all.nodes.push_back(nodes.ns_per_event);
  all.nodes_apart.push_back(nodes_apart.ns_per_event);
  all.nodes_watched.push_back(nodes_watched.ns_per_event);
  all.watched.push_back(watched->ns_per_event);
  all.operations.push_back(watched->lease_ops_per_s);
  all.apart.push_back(apart->ns_per_event);
  all.unwatched.push_back(unwatched->ns_per_event);
  return true;
}

}  // namespace

std::optional<race_result> race(std::uint32_t drivers,
                                double hours,
                                std::uint32_t repeats,
                                const std::atomic<bool>* stop) {
  ensure(drivers > 0 && hours > 0 && repeats > 0, "there is something to measure");
  const scenario::scenario s = offer_race(drivers, hours);
  race_result result;
  result.drivers = drivers;
  result.hours = hours;
  turns all;
  warm_up();
  weigh_engine(s, result, stop);
  for (std::uint32_t k = 0; k < repeats && take_turn(s, result, all, stop); ++k) {
  }
  if (all.watched.empty()) {
    return std::nullopt;
  }
  result.watched = spread_of(all.watched);
  result.apart = spread_of(all.apart);
  result.unwatched = spread_of(all.unwatched);
  result.bare = spread_of(all.bare);
  result.bare_on_queue = spread_of(all.on_queue);
  result.messages = spread_of(all.messages);
  result.nodes = spread_of(all.nodes);
  result.nodes_apart = spread_of(all.nodes_apart);
  result.nodes_watched = spread_of(all.nodes_watched);
  result.lease_ops_per_s = spread_of(all.operations).median;
  return result;
}

}  // namespace dibs::bench
