// `dibs bench`: how fast the engine is here, as ratios and with the noise. `dibs bench lease` and
// `dibs bench matching` have files of their own.

#include "bench/command/bench.hpp"

#include "bench/command/bench_lease.hpp"
#include "bench/command/bench_matching.hpp"
#include "bench/command/bench_store.hpp"
#include "bench/command/repeat_text.hpp"
#include "bench/race/offer_race.hpp"
#include "bench/race/race.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/memory_check.hpp"
#include "commands/stop_signal.hpp"
#include "engine/run.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/terminal.hpp"
#include "text/text_table.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace dibs::bench {
namespace {

using nlohmann::ordered_json;
using table = std::vector<std::vector<std::string>>;

void tell_progress(const commands::bench_request& r, std::uint32_t drivers) {
  if (!r.quiet) {
    commands::print_diagnostics(
        fmt::format("dibs: measuring at {}\n", text::plural(drivers, "driver")));
  }
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
  void time(const std::string& what, bench::repeats_summary bench::race_result::*of) {
    row(what, [of](const auto& r) { return text::significant((r.*of).median); });
  }
  void rate(const std::string& what, bench::repeats_summary bench::race_result::*of) {
    row(what, [of](const auto& r) { return text::with_si_prefix(1e9 / (r.*of).median); });
  }
  template <class Ratio>
  void ratio(const std::string& what, Ratio of) {
    row(what,
        [of](const auto& r) { return r.bare_events < timed_min ? "-" : text::decimal(of(r), 2); });
  }
  void ratio(const std::string& what, bench::repeats_summary bench::race_result::*of) {
    ratio(what, [of](const auto& r) { return r.ratio_of(r.*of); });
  }
  void heading(const std::string& what) {
    row("", [](const auto&) { return ""; });
    row(what, [](const auto&) { return ""; });
  }
  [[nodiscard]] std::string text(int width) const {
    return text::in_columns(rows_, {.width = width});
  }

  /// Fewer events are over before a clock says anything of them.
  static constexpr std::uint64_t timed_min = 10'000;

 private:
  const std::vector<bench::race_result>& all_;
  table rows_;
};

struct timed {
  std::string what;
  std::string key;
  bench::repeats_summary bench::race_result::*of;
  /// For the engine, the loop of its messages that does the least besides.
  bench::repeats_summary bench::race_result::*floor = nullptr;
};

std::string key_of(const std::string& figure, const timed& one) {
  return one.key.empty() ? figure : figure + "_" + one.key;
}

const std::vector<timed>& all_timed() {
  using result = bench::race_result;
  static const std::vector<timed> all{
      {"loop on a 4-ary heap", "bare_loop", &result::bare},
      {"loop on the engine's queue", "bare_loop_on_queue", &result::bare_on_queue},
      {"loop of the engine's messages", "messages", &result::messages},
      {"... whose nodes remember", "messages_with_memory", &result::nodes},
      {"... read on a second thread", "messages_read_apart", &result::nodes_apart},
      {"... read on its own thread", "messages_read", &result::nodes_watched},
      {"engine, metrics and checkers off", "unwatched", &result::unwatched, &result::nodes},
      {"engine, both on a second thread", "apart", &result::apart, &result::nodes_apart},
      {"engine, both on its own thread", "", &result::watched, &result::nodes_watched}};
  return all;
}

std::span<const timed> timed_engines() { return std::span(all_timed()).last(3); }

double floor_ratio(const bench::race_result& r, const timed& engine) {
  return (r.*engine.floor).median / (r.*engine.of).median;
}

/// The greatest of all that was timed.
std::string noise_of(const bench::race_result& r, std::uint32_t repeats) {
  double most = 0;
  for (const timed& one : all_timed()) {
    most = std::max(most, (r.*one.of).noise());
  }
  return noise_text(most, repeats);
}

std::string race_text(const std::vector<bench::race_result>& all, std::uint32_t repeats) {
  using result = bench::race_result;
  race_table t(all);
  t.row("drivers", [](const result& r) { return text::with_thousands(r.drivers); });
  t.row("virtual hours", [](const result& r) { return text::significant(r.hours); });
  t.row("events of the engine", [](const result& r) { return text::with_thousands(r.events); });
  t.row("events of the loop of messages",
        [](const result& r) { return text::with_thousands(r.message_events); });
  t.row("events of the other loops",
        [](const result& r) { return text::with_thousands(r.bare_events); });
  t.heading("ns an event");
  for (const timed& one : all_timed()) {
    t.time("  " + one.what, one.of);
  }
  t.row("  largest noise", [repeats](const result& r) { return noise_of(r, repeats); });
  t.heading("events a second");
  for (const timed& one : all_timed()) {
    t.rate("  " + one.what, one.of);
  }
  t.heading("times as fast as the loop on a heap");
  for (const timed& one : all_timed()) {
    if (one.of != &result::bare) {
      t.ratio("  " + one.what, one.of);
    }
  }
  t.ratio("  the same by the virtual hour", [](const result& r) { return r.hour_ratio(); });
  t.heading("times as fast as the loop on its queue");
  for (const timed& one : timed_engines()) {
    t.ratio("  " + one.what, [&one](const result& r) { return r.queue_ratio_of(r.*one.of); });
  }
  t.heading("times as fast as the loop of its messages");
  for (const timed& one : timed_engines()) {
    t.ratio("  " + one.what, [&one](const result& r) { return floor_ratio(r, one); });
  }
  t.heading("with metrics and checkers on its own thread");
  t.row("  lease operations a second",
        [](const result& r) { return text::with_si_prefix(r.lease_ops_per_s); });
  t.row("  bytes a driver, at the peak", [](const result& r) {
    return r.bytes_per_driver
               ? text::with_thousands(static_cast<std::uint64_t>(*r.bytes_per_driver))
               : "-";
  });
  const int width = text::terminal_style_of(STDOUT_FILENO).width;
  return t.text(width) + text::fitted_paragraphs(R"(
The offer race in virtual time: the engine's nodes are the cores of its actors, called directly, as
dibs run calls them. A loop runs the same model with no actors. The engine tells drivers, riders and
the ledger what a loop just writes down, and each of these messages is an event; so there is a loop
with all of these messages too. Where its nodes remember the least that they must, it is a floor
for the engine without metrics and checkers; where its facts are hashed as well and both harms told
from them, in the least way there is, it is one for the engine with them. dibs run has them on a
second thread where a processor is idle. Medians; noise: how far the extremes lie apart. No ratio
below 10,000 events of a loop.
)",
                                                 width);
}

ordered_json json_of(const bench::race_result& r) {
  ordered_json out{{"drivers", r.drivers},
                   {"hours", r.hours},
                   {"events", r.events},
                   {"events_messages", r.message_events},
                   {"events_bare_loop", r.bare_events}};
  for (const timed& one : all_timed()) {
    out[key_of("ns_per_event", one)] = spread_json(r.*one.of);
  }
  for (const timed& one : all_timed()) {
    out[key_of("events_per_s", one)] = 1e9 / (r.*one.of).median;
  }
  for (const timed& one : all_timed()) {
    if (one.of != &bench::race_result::bare) {
      out[key_of("ratio", one)] = r.ratio_of(r.*one.of);
    }
  }
  out["ratio_of_an_hour"] = r.hour_ratio();
  for (const timed& one : timed_engines()) {
    out[key_of("ratio_to_queue", one)] = r.queue_ratio_of(r.*one.of);
    out[key_of("ratio_to_messages", one)] = floor_ratio(r, one);
  }
  out["bytes_per_driver"] = r.bytes_per_driver ? ordered_json(*r.bytes_per_driver) : ordered_json();
  out["lease_ops_per_s"] = r.lease_ops_per_s;
  return out;
}

/// About as many events for each size from 100,000 drivers on.
double hours_for(std::uint32_t drivers) {
  constexpr double at_one_hour = 100'000;
  return std::min(1.0, at_one_hour / drivers);
}

double hours_of(const commands::bench_request& r, std::uint32_t drivers) {
  return r.hours.value_or(hours_for(drivers));
}

/// Errors: the largest would not fit into memory.
result<void> check_sizes(const commands::bench_request& r) {
  std::uint64_t most = 0;
  for (const std::uint32_t drivers : r.drivers) {
    const auto race = bench::offer_race(drivers, hours_of(r, drivers));
    most = std::max(most, engine::memory_estimate(race));
  }
  return commands::check_memory(
      most, commands::memory_available(), "the run needs", "take fewer --drivers or --hours");
}

int bench_engine(const commands::bench_request& r) {
  std::vector<bench::race_result> all;
  if (const auto fits = check_sizes(r); !fits) {
    return commands::fail(fits.error());
  }
  for (const std::uint32_t drivers : r.drivers) {
    tell_progress(r, drivers);
    const auto measured =
        bench::race(drivers, hours_of(r, drivers), r.repeats, commands::stop_flag());
    if (!measured) {
      break;
    }
    all.push_back(*measured);
  }
  exit_code code = exit_code::done;
  if (const auto signal = commands::stopped_by()) {
    code = *signal;
    commands::print_diagnostics("dibs: interrupted; only measurements that were done count\n");
  }
  if (all.empty()) {
    return static_cast<int>(code);
  }
  if (r.format == commands::format::json) {
    ordered_json out = ordered_json::array();
    for (const bench::race_result& each : all) {
      out.push_back(json_of(each));
    }
    return commands::finish(text::json_as_text(out, 2) + "\n", code);
  }
  return commands::finish(race_text(all, r.repeats), code);
}

}  // namespace

int run_benchmark(const commands::bench_request& r) {
  switch (r.what) {
    case commands::benchmark::engine:
      return bench_engine(r);
    case commands::benchmark::lease:
      return r.stores.empty() ? bench_lease(r) : bench_store(r);
    case commands::benchmark::matching:
      return bench_matching(r);
  }
  return commands::fail({exit_code::internal_error, "no such benchmark"});
}

}  // namespace dibs::bench
