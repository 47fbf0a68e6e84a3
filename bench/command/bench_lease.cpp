// `dibs bench lease`: what the lease machine takes for an operation, and how many requests a second
// its actor answers.

#include "bench/command/bench_lease.hpp"

#include "bench/command/repeat_text.hpp"
#include "bench/live/lease_cycles.hpp"
#include "bench/live/lease_load.hpp"
#include "commands/console.hpp"
#include "commands/stop_signal.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/terminal.hpp"
#include "text/text_table.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <string>
#include <vector>

namespace dibs::bench {
namespace {

using bench::cycles_result;
using bench::load_result;
using nlohmann::ordered_json;
using table = std::vector<std::vector<std::string>>;

struct measured {
  cycles_result machine;
  std::vector<load_result> actors;  ///< by their number, of which the first is 1
};

std::string share_of(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

/// 1, 2, 4 and so on: as many as there are threads, and two at least.
std::vector<std::uint32_t> shards_for(std::uint32_t threads) {
  std::vector<std::uint32_t> all{1};
  do {
    all.push_back(2 * all.back());
  } while (2 * all.back() <= threads);
  return all;
}

bench::load_options load_of(const commands::bench_request& r, std::uint32_t drivers) {
  bench::load_options o;
  o.load.drivers = drivers;
  o.load.threads = r.matching.threads;
  o.shards = shards_for(o.load.threads);
  o.seconds = r.matching.seconds;
  o.repeats = r.repeats;
  o.stop = commands::stop_flag();
  return o;
}

std::string text_of(const commands::bench_request& r, const std::vector<measured>& all) {
  table machine{{"drivers",
                 "ns an operation",
                 "operations/s",
                 "noise",
                 "timers alone",
                 "ns a lease",
                 "granted",
                 "denied",
                 "confirmed",
                 "trips ended",
                 "expired",
                 "too late"}};
  table actor{{"drivers", "managers", "requests/s", "noise", "scaling", "denied", "ran out"}};
  for (const measured& m : all) {
    const bench::repeats_summary& ns = m.machine.ns_per_operation;
    machine.push_back({text::with_thousands(m.machine.drivers),
                       text::significant(ns.median),
                       text::with_si_prefix(1e9 / ns.median),
                       noise_text(ns.noise(), r.repeats),
                       text::significant(m.machine.ns_of_timers.median),
                       text::significant(m.machine.ns_per_lease())});
    const bench::operations& did = m.machine.did;
    for (const std::uint64_t n :
         {did.granted, did.denied, did.confirmed, did.trips_ended, did.expired, did.too_late}) {
      machine.back().push_back(share_of(n, did.all()));
    }
    for (const load_result& a : m.actors) {
      const double one = m.actors.front().answers_per_s.median;
      actor.push_back({text::with_thousands(a.drivers),
                       text::with_thousands(a.shards),
                       text::with_si_prefix(a.answers_per_s.median),
                       noise_text(a.answers_per_s.noise(), r.repeats),
                       text::decimal(a.answers_per_s.median / one, 2),
                       share_of(a.denied, a.requests),
                       share_of(a.ran_out, a.requests)});
    }
  }
  const bench::load_options o = load_of(r, 1);
  const int width = text::terminal_style_of(STDOUT_FILENO).width;
  const std::string whose =
      fmt::format("\nIts actor, asked by {} clients with {} requests each under way, live on {}\n",
                  o.load.clients,
                  o.load.in_flight,
                  text::plural(o.load.threads, "thread"));
  return "The lease machine alone\n" + text::in_columns(machine, {.width = width}) +
         text::fitted(whose, width) + text::in_columns(actor, {.width = width, .repeated = 2}) +
         text::fitted_paragraphs(R"(
An operation: an acquire, granted or denied because somebody had the driver; a confirm, 6 s later;
the end of a trip; a timer, by which a lease expires or which comes too late, for it was confirmed.
The timers wait in the engine's own queue, and their time counts; timers alone: what it is with
nobody to hear them. Commands are made before they are timed. A lease: all of that, by those that
were granted. A request: acquire, confirm or release, answered. Ran out: leases that a timer ended.
Where few drivers are asked most are taken, and what is timed is denials. Managers: a run has one;
with more, each has the leases of its own drivers.
)",
                                 width);
}

ordered_json json_of(const bench::operations& did) {
  return {{"granted", did.granted},
          {"denied", did.denied},
          {"confirmed", did.confirmed},
          {"trips_ended", did.trips_ended},
          {"expired", did.expired},
          {"too_late", did.too_late}};
}

/// `one`: requests a second of one manager.
ordered_json json_of(const load_result& a, double one) {
  return {{"managers", a.shards},
          {"requests_per_s", spread_json(a.answers_per_s)},
          {"scaling", a.answers_per_s.median / one},
          {"requests", a.requests},
          {"denied", a.denied},
          {"ran_out", a.ran_out}};
}

ordered_json json_of(const commands::bench_request& r, const measured& m) {
  ordered_json actors = ordered_json::array();
  for (const load_result& a : m.actors) {
    actors.push_back(json_of(a, m.actors.front().answers_per_s.median));
  }
  return {{"drivers", m.machine.drivers},
          {"threads", r.matching.threads},
          {"seconds", r.matching.seconds},
          {"ns_per_operation", spread_json(m.machine.ns_per_operation)},
          {"ns_per_operation_timers_alone", spread_json(m.machine.ns_of_timers)},
          {"ns_per_lease", m.machine.ns_per_lease()},
          {"operations", json_of(m.machine.did)},
          {"actors", actors}};
}

}  // namespace

int bench_lease(const commands::bench_request& r) {
  constexpr std::uint64_t operations = 2'000'000;
  std::vector<measured> all;
  for (const std::uint32_t drivers : r.drivers) {
    if (!r.quiet) {
      commands::print_diagnostics(
          fmt::format("dibs: measuring at {}\n", text::plural(drivers, "driver")));
    }
    const auto machine = bench::lease_cycles(drivers, operations, r.repeats, commands::stop_flag());
    const auto actors = bench::lease_load(load_of(r, drivers));
    if (!actors) {
      const auto signal = commands::stopped_by();
      if (signal && !all.empty()) {
        break;
      }
      return commands::fail(signal ? error{*signal, "interrupted before anything was measured"}
                                   : actors.error());
    }
    all.push_back({machine, *actors});
    if (commands::stopped_by()) {
      break;
    }
  }
  const exit_code code = commands::stopped_by().value_or(exit_code::done);
  if (code != exit_code::done) {
    commands::print_diagnostics("dibs: interrupted; only measurements that were done count\n");
  }
  if (r.format == commands::format::text) {
    return commands::finish(text_of(r, all), code);
  }
  ordered_json out = ordered_json::array();
  for (const measured& m : all) {
    out.push_back(json_of(r, m));
  }
  return commands::finish(text::json_as_text(out, 2) + "\n", code);
}

}  // namespace dibs::bench
