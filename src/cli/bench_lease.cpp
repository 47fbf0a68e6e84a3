// `dibs bench lease`: what the lease machine takes for an operation, and how many requests a second
// its actor answers.

#include "cli/bench_lease.hpp"

#include "bench/lease_cycles.hpp"
#include "bench/lease_load.hpp"
#include "cli/columns.hpp"
#include "cli/output.hpp"
#include "cli/stop.hpp"
#include "report/number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace dibs::cli {
namespace {

using bench::cycles_result;
using bench::load_result;
using nlohmann::ordered_json;
using table = std::vector<std::vector<std::string>>;

struct measured {
  cycles_result machine;
  load_result actor;
};

std::string noise_of(const bench::spread& s) { return fmt::format("{:.0f} %", 100 * s.noise()); }

std::string share_of(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

bench::load_options load_of(const bench_request& r, std::uint32_t drivers) {
  bench::load_options o;
  o.load.drivers = drivers;
  o.load.threads = r.matching.threads;
  o.seconds = r.matching.seconds;
  o.repeats = r.repeats;
  o.stop = stop_flag();
  return o;
}

std::string text_of(const bench_request& r, const std::vector<measured>& all) {
  table machine{{"drivers", "ns an operation", "operations/s", "noise"}};
  table actor{{"drivers", "requests/s", "noise", "denied", "ran out"}};
  for (const measured& m : all) {
    const bench::spread& ns = m.machine.ns_per_operation;
    machine.push_back({report::grouped(m.machine.drivers),
                       report::significant(ns.median),
                       report::compact(1e9 / ns.median),
                       noise_of(ns)});
    actor.push_back({report::grouped(m.actor.drivers),
                     report::compact(m.actor.answers_per_s.median),
                     noise_of(m.actor.answers_per_s),
                     share_of(m.actor.denied, m.actor.requests),
                     share_of(m.actor.ran_out, m.actor.requests)});
  }
  const bench::load_options o = load_of(r, 1);
  return "The lease machine alone\n" + in_columns(machine) +
         fmt::format(
             "\nIts actor, asked by {} clients with {} requests each under way, live on {} "
             "threads\n",
             o.load.clients,
             o.load.in_flight,
             o.load.threads) +
         in_columns(actor) +
         "\nAn operation: acquire, confirm, the end of a trip, an expiry. A request: acquire, "
         "confirm or\nrelease, answered. Denied: somebody had the driver. Ran out: leases that a "
         "timer ended.\n";
}

ordered_json json_of(const bench::spread& s) {
  return {{"median", s.median}, {"least", s.least}, {"most", s.most}};
}

ordered_json json_of(const measured& m) {
  return {{"drivers", m.machine.drivers},
          {"ns_per_operation", json_of(m.machine.ns_per_operation)},
          {"requests_per_s", json_of(m.actor.answers_per_s)},
          {"requests", m.actor.requests},
          {"denied", m.actor.denied},
          {"ran_out", m.actor.ran_out}};
}

}  // namespace

int bench_lease(const bench_request& r) {
  constexpr std::uint64_t operations = 2'000'000;
  std::vector<measured> all;
  for (const std::uint32_t drivers : r.drivers) {
    if (!r.quiet) {
      tell(fmt::format("dibs: measuring at {} drivers\n", report::grouped(drivers)));
    }
    const auto machine = bench::lease_cycles(drivers, operations, r.repeats);
    const auto actor = bench::lease_load(load_of(r, drivers));
    if (!actor) {
      return fail(actor.error());
    }
    all.push_back({machine, *actor});
  }
  if (r.format == format::text) {
    return finish(text_of(r, all));
  }
  ordered_json out = ordered_json::array();
  for (const measured& m : all) {
    out.push_back(json_of(m));
  }
  return finish(out.dump(2) + "\n");
}

}  // namespace dibs::cli
