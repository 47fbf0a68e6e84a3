// `dibs bench`: how fast the engine is here, as ratios and with the noise. `dibs bench lease` and
// `dibs bench matching` have files of their own.

#include "bench/race.hpp"
#include "cli/bench_lease.hpp"
#include "cli/bench_matching.hpp"
#include "cli/columns.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/stop.hpp"
#include "report/number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace dibs::cli {
namespace {

using nlohmann::ordered_json;
using table = std::vector<std::vector<std::string>>;

std::string rate_of(double ns) { return report::compact(1e9 / ns); }

std::string noise_of(const bench::spread& s) { return fmt::format("{:.0f} %", 100 * s.noise()); }

void tell_progress(const bench_request& r, std::uint32_t drivers) {
  if (!r.quiet) {
    tell(fmt::format("dibs: measuring at {} drivers\n", report::grouped(drivers)));
  }
}

ordered_json json_of(const bench::spread& s) {
  return {{"median", s.median}, {"least", s.least}, {"most", s.most}};
}

std::string race_text(const std::vector<bench::race_result>& all) {
  table rows{{"drivers",
              "hours",
              "events",
              "ns an event",
              "events/s",
              "noise",
              "bare loop",
              "ratio",
              "an hour",
              "on queue",
              "ratio",
              "apart",
              "ratio",
              "unwatched",
              "ratio",
              "bytes a driver",
              "lease ops/s"}};
  for (const bench::race_result& r : all) {
    rows.push_back({report::grouped(r.drivers),
                    report::significant(r.hours),
                    report::grouped(r.events),
                    report::significant(r.watched.median),
                    rate_of(r.watched.median),
                    noise_of(r.watched),
                    report::significant(r.bare.median),
                    report::decimal(r.ratio(), 2),
                    report::decimal(r.hour_ratio(), 2),
                    report::significant(r.bare_on_queue.median),
                    report::decimal(r.queue_ratio(), 2),
                    report::significant(r.apart.median),
                    report::decimal(r.apart_ratio(), 2),
                    report::significant(r.unwatched.median),
                    report::decimal(r.unwatched_ratio(), 2),
                    report::grouped(static_cast<std::uint64_t>(std::max(0.0, r.bytes_per_driver))),
                    report::compact(r.lease_ops_per_s)});
  }
  std::string text =
      in_columns(rows) +
      "\nratio: events a second through the actors, with metrics and checkers on one thread, "
      "to\n"
      "those of a bare loop over the same model: with a 4-ary heap, and on the engine's own\n"
      "queue. apart: metrics and checkers on a second thread, as dibs run has them where a\n"
      "processor is idle; unwatched: without them; both to the loop with the heap. Higher is\n"
      "better.\n"
      "an hour: the same by the virtual hour, in which the engine takes more events than the\n"
      "loop";
  if (!all.empty()) {
    const bench::race_result& first = all.front();
    text += fmt::format(" (at {} drivers {} and {})",
                        report::grouped(first.drivers),
                        report::grouped(first.events),
                        report::grouped(first.bare_events));
  }
  return text + ": it tells drivers, riders and the ledger what the loop\njust writes down.\n";
}

ordered_json json_of(const bench::race_result& r) {
  return {{"drivers", r.drivers},
          {"hours", r.hours},
          {"events", r.events},
          {"events_bare_loop", r.bare_events},
          {"ns_per_event", json_of(r.watched)},
          {"ns_per_event_apart", json_of(r.apart)},
          {"ns_per_event_unwatched", json_of(r.unwatched)},
          {"ns_per_event_bare_loop", json_of(r.bare)},
          {"ns_per_event_bare_loop_on_queue", json_of(r.bare_on_queue)},
          {"ratio", r.ratio()},
          {"ratio_of_an_hour", r.hour_ratio()},
          {"ratio_to_queue", r.queue_ratio()},
          {"ratio_apart", r.apart_ratio()},
          {"ratio_unwatched", r.unwatched_ratio()},
          {"bytes_per_driver", r.bytes_per_driver},
          {"lease_ops_per_s", r.lease_ops_per_s}};
}

/// About as many events for each size from 100,000 drivers on.
double hours_for(std::uint32_t drivers) {
  constexpr double at_one_hour = 100'000;
  return std::min(1.0, at_one_hour / drivers);
}

int bench_engine(const bench_request& r) {
  std::vector<bench::race_result> all;
  for (const std::uint32_t drivers : r.drivers) {
    tell_progress(r, drivers);
    const auto measured =
        bench::race(drivers, r.hours.value_or(hours_for(drivers)), r.repeats, stop_flag());
    if (!measured) {
      break;
    }
    all.push_back(*measured);
  }
  exit_code code = exit_code::done;
  if (const auto signal = stopped_by()) {
    code = *signal;
    tell("dibs: interrupted; only measurements that were done count\n");
  }
  if (all.empty()) {
    return static_cast<int>(code);
  }
  if (r.format == format::json) {
    ordered_json out = ordered_json::array();
    for (const bench::race_result& each : all) {
      out.push_back(json_of(each));
    }
    return finish(out.dump(2) + "\n", code);
  }
  return finish(race_text(all), code);
}

}  // namespace

int bench(const bench_request& r) {
  switch (r.what) {
    case benchmark::engine:
      return bench_engine(r);
    case benchmark::lease:
      return bench_lease(r);
    case benchmark::matching:
      return bench_matching(r);
  }
  return fail({exit_code::internal_error, "no such benchmark"});
}

}  // namespace dibs::cli
