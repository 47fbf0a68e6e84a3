#include "bench/race.hpp"

#include "base/ensure.hpp"
#include "base/stopwatch.hpp"
#include "bench/bare_loop.hpp"
#include "bench/offer_race.hpp"
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

timing time_engine(const scenario::scenario& s, readers who) {
  engine::run_options how;
  how.observe = who != readers::none;
  how.reads_apart = who == readers::apart;
  const stopwatch watch;
  const auto r = engine::run(s, how);
  const double seconds = watch.seconds();
  ensure(r && r->judgement.kept(), "the offer race runs, and keeps its promises");
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
double time_bare(std::uint32_t drivers, double hours) {
  Loop loop(drivers, hours, 1);
  const stopwatch watch;
  const std::uint64_t events = loop.run();
  return ns_per(watch.seconds(), events);
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

/// The peak counts from here on, where the system lets us.
void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

}  // namespace

race_result race(std::uint32_t drivers, double hours, std::uint32_t repeats) {
  ensure(drivers > 0 && hours > 0 && repeats > 0, "there is something to measure");
  const scenario::scenario s = offer_race(drivers, hours);
  race_result result;
  result.drivers = drivers;
  std::vector<double> watched;
  std::vector<double> apart;
  std::vector<double> unwatched;
  std::vector<double> bare;
  std::vector<double> on_queue;
  std::vector<double> operations;
  for (std::uint32_t k = 0; k < repeats; ++k) {
    bare.push_back(time_bare<bare_loop_on_heap>(drivers, hours));
    on_queue.push_back(time_bare<bare_loop_on_queue>(drivers, hours));
    const double before = memory_now("VmRSS");
    forget_peak();
    const timing all = time_engine(s, readers::on_the_runs_thread);
    result.bytes_per_driver = std::max(
        result.bytes_per_driver, (memory_now("VmHWM") - before) / static_cast<double>(drivers));
    result.events = all.events;
    watched.push_back(all.ns_per_event);
    operations.push_back(all.lease_ops_per_s);
    apart.push_back(time_engine(s, readers::apart).ns_per_event);
    unwatched.push_back(time_engine(s, readers::none).ns_per_event);
  }
  result.watched = spread_of(watched);
  result.apart = spread_of(apart);
  result.unwatched = spread_of(unwatched);
  result.bare = spread_of(bare);
  result.bare_on_queue = spread_of(on_queue);
  result.lease_ops_per_s = spread_of(operations).median;
  return result;
}

}  // namespace dibs::bench
