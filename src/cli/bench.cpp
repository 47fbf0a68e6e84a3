// `dibs bench`: how fast the engine is here, as ratios and with the noise. `dibs bench lease` and
// `dibs bench matching` have files of their own.

#include "bench/race.hpp"
#include "cli/bench_lease.hpp"
#include "cli/bench_matching.hpp"
#include "cli/columns.hpp"
#include "cli/commands.hpp"
#include "cli/noise.hpp"
#include "cli/output.hpp"
#include "cli/stop.hpp"
#include "report/number.hpp"
#include "study/counted.hpp"

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

void tell_progress(const bench_request& r, std::uint32_t drivers) {
  if (!r.quiet) {
    tell(fmt::format("dibs: measuring at {}\n", study::counted(drivers, "driver")));
  }
}

ordered_json json_of(const bench::spread& s) {
  return {{"median", s.median}, {"least", s.least}, {"most", s.most}};
}

/// A column for each size, and what is measured by row: many figures, few sizes.
class race_table {
 public:
  explicit race_table(const std::vector<bench::race_result>& all) : all_(all) {}

  template <class Figure>
  void row(const std::string& what, Figure figure) {
    std::vector<std::string> cells{what};
    for (const bench::race_result& r : all_) {
      cells.push_back(figure(r));
    }
    rows_.push_back(std::move(cells));
  }
  void time(const std::string& what, bench::spread bench::race_result::*of) {
    row(what, [of](const auto& r) { return report::significant((r.*of).median); });
  }
  void ratio(const std::string& what, double (bench::race_result::*of)() const) {
    row(what, [of](const auto& r) {
      return r.bare_events < timed_min ? "-" : report::decimal((r.*of)(), 2);
    });
  }
  void heading(const std::string& what) {
    row("", [](const auto&) { return ""; });
    row(what, [](const auto&) { return ""; });
  }
  [[nodiscard]] std::string text() const { return in_columns(rows_); }

  /// Fewer events are over before a clock says anything of them.
  static constexpr std::uint64_t timed_min = 10'000;

 private:
  const std::vector<bench::race_result>& all_;
  table rows_;
};

/// The greatest of all that was timed.
std::string noise_of(const bench::race_result& r, std::uint32_t repeats) {
  double most = 0;
  for (const bench::spread& s :
       {r.watched, r.apart, r.unwatched, r.bare, r.bare_on_queue, r.bare_on_record}) {
    most = std::max(most, s.noise());
  }
  return noise_text(most, repeats);
}

std::string race_text(const std::vector<bench::race_result>& all, std::uint32_t repeats) {
  using result = bench::race_result;
  race_table t(all);
  t.row("drivers", [](const result& r) { return report::grouped(r.drivers); });
  t.row("virtual hours", [](const result& r) { return report::significant(r.hours); });
  t.row("events of the engine", [](const result& r) { return report::grouped(r.events); });
  t.row("events of a loop", [](const result& r) { return report::grouped(r.bare_events); });
  t.heading("ns an event");
  t.time("  loop on a 4-ary heap", &result::bare);
  t.time("  loop on the engine's queue", &result::bare_on_queue);
  t.time("  and with keyed draws, a hashed record", &result::bare_on_record);
  t.time("  engine, metrics and checkers off", &result::unwatched);
  t.time("  ... on a second thread", &result::apart);
  t.time("  ... on its own thread", &result::watched);
  t.row("  largest noise", [repeats](const result& r) { return noise_of(r, repeats); });
  t.heading("times as fast as the loop on a heap");
  t.ratio("  loop with keyed draws, a hashed record", &result::floor_ratio);
  t.ratio("  engine, metrics and checkers off", &result::unwatched_ratio);
  t.ratio("  ... on a second thread", &result::apart_ratio);
  t.ratio("  ... on its own thread", &result::ratio);
  t.ratio("  the same by the virtual hour", &result::hour_ratio);
  t.heading("times as fast as the loop on its queue");
  t.ratio("  engine, metrics and checkers on its thread", &result::queue_ratio);
  t.heading("with metrics and checkers on one thread");
  t.row("  events a second", [](const result& r) { return rate_of(r.watched.median); });
  t.row("  lease operations a second",
        [](const result& r) { return report::compact(r.lease_ops_per_s); });
  t.row("  bytes a driver, at the peak", [](const result& r) {
    return r.bytes_per_driver ? report::grouped(static_cast<std::uint64_t>(*r.bytes_per_driver))
                              : "-";
  });
  return t.text() + R"(
The offer race in virtual time: the engine's nodes are the cores of its actors, called directly, as
dibs run calls them. A loop runs the same model with no actors; with keyed draws and a hashed record
it does what no run can do without, which is the floor. By the virtual hour the engine is slower
than by the event: it tells drivers, riders and the ledger what a loop just writes down, and each of
these messages is an event. dibs run has metrics and checkers on a second thread where a processor
is idle. Medians; noise: how far the extremes lie apart. No ratio below 10,000 events of a loop.
)";
}

ordered_json json_of(const bench::race_result& r) {
  return {
      {"drivers", r.drivers},
      {"hours", r.hours},
      {"events", r.events},
      {"events_bare_loop", r.bare_events},
      {"ns_per_event", json_of(r.watched)},
      {"ns_per_event_apart", json_of(r.apart)},
      {"ns_per_event_unwatched", json_of(r.unwatched)},
      {"ns_per_event_bare_loop", json_of(r.bare)},
      {"ns_per_event_bare_loop_on_queue", json_of(r.bare_on_queue)},
      {"ns_per_event_bare_loop_on_record", json_of(r.bare_on_record)},
      {"ratio", r.ratio()},
      {"ratio_of_an_hour", r.hour_ratio()},
      {"ratio_to_queue", r.queue_ratio()},
      {"ratio_apart", r.apart_ratio()},
      {"ratio_unwatched", r.unwatched_ratio()},
      {"ratio_of_floor", r.floor_ratio()},
      {"bytes_per_driver", r.bytes_per_driver ? ordered_json(*r.bytes_per_driver) : ordered_json()},
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
  return finish(race_text(all, r.repeats), code);
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
