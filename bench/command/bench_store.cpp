// `dibs bench lease --store`: how many commands a second stores answer, how fast, and what each one
// promises.

#include "bench/command/bench_store.hpp"

#include "bench/command/repeat_text.hpp"
#include "bench/live/store_load.hpp"
#include "commands/console.hpp"
#include "commands/stop_signal.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/table.hpp"
#include "text/terminal.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <string>
#include <vector>

namespace dibs::bench {
namespace {

using nlohmann::ordered_json;

struct measured_store {
  std::string name;
  std::string promise;  ///< what outlives what
  store_load_result found;
};

/// What is measured for one address: PostgreSQL also without the wait for its disk.
std::vector<std::pair<store_load_options, measured_store>> planned(
    const commands::bench_request& r) {
  store_load_options o;
  o.connections = r.connections;
  o.in_flight = r.matching.in_flight;
  o.rate = r.matching.rate;
  o.drivers = r.drivers.front();
  o.seconds = r.matching.seconds;
  o.repeats = r.repeats;
  o.stop = commands::stop_flag();
  std::vector<std::pair<store_load_options, measured_store>> all;
  all.push_back({o, {"lease machine", "nothing outlives the process", {}}});
  for (const store::address& where : r.stores) {
    o.where = where;
    switch (where.kind) {
      case store::kind::memory:
        break;
      case store::kind::postgres:
        all.push_back({o, {"PostgreSQL", "what is answered outlives a crash of the server", {}}});
        o.is_scratch = true;
        all.push_back(
            {o, {"PostgreSQL, unsafe", "a crash of the server forgets the last answers", {}}});
        o.is_scratch = false;
        break;
      case store::kind::redis:
        all.push_back({o, {"Redis", "as its persistence is set up; no ledger", {}}});
        break;
      case store::kind::etcd:
        all.push_back({o,
                       {"etcd",
                        "what is answered is on the disks of a majority; it ends leases itself, up "
                        "to half a second late; no ledger",
                        {}}});
        break;
    }
  }
  return all;
}

std::string verdict_of(const store_load_result& f) {
  if (!f.kept()) {
    return fmt::format("BROKEN: {} granted twice, {} tokens fell", f.granted_twice, f.tokens_fell);
  }
  return f.lost > 0 ? fmt::format("kept; {} lost", text::plural(f.lost, "answer")) : "kept";
}

std::string time_text(const store_load_result& f, double q) {
  return f.took.count() == 0 ? "-" : text::duration(f.took.quantile(q));
}

std::string text_of(const commands::bench_request& r, const std::vector<measured_store>& all) {
  text::table t{{{.title = "store"},
                 text::figures("commands/s"),
                 text::figures("noise", 1),
                 text::figures("p50"),
                 text::figures("p99"),
                 text::figures("p99.9"),
                 text::figures("denied", 2),
                 {.title = "one holder, growing tokens"}},
                {}};
  bool is_overloaded = false;
  for (const measured_store& m : all) {
    const store_load_result& f = m.found;
    is_overloaded = is_overloaded || f.is_overloaded;
    t.rows.push_back({m.name + (f.is_overloaded ? " (overloaded)" : ""),
                      text::with_si_prefix(f.answers_per_s.median),
                      noise_text(f.answers_per_s.noise(), r.repeats),
                      time_text(f, 0.5),
                      time_text(f, 0.99),
                      time_text(f, 0.999),
                      fmt::format("{:.2f} %",
                                  f.answers == 0 ? 0.0
                                                 : 100 * static_cast<double>(f.denied) /
                                                       static_cast<double>(f.answers)),
                      verdict_of(f)});
  }
  const int width = text::terminal_style_of(STDOUT_FILENO).width;
  std::string out = fmt::format(
      "Leases of {} by {}: acquire, confirm, release, {}\n",
      text::plural(r.drivers.front(), "driver"),
      text::plural(r.connections, "connection"),
      r.matching.rate > 0
          ? fmt::format("{} cycles a second, whatever becomes of those before",
                        text::with_si_prefix(r.matching.rate))
          : fmt::format("{} cycles under way", text::with_thousands(r.matching.in_flight)));
  out += text::as_text(t, {}, {.width = width});
  out += "\nWhat each one promises\n";
  text::table promises{{{.title = ""}, {.title = ""}}, {}};
  for (const measured_store& m : all) {
    promises.rows.push_back({m.name, m.promise});
  }
  out += text::as_text(promises, {}, {.width = width, .indent = 2});
  return out + text::fitted_paragraphs(R"(
The lease machine is called directly, one command at a time, by the thread that measures. A store is
asked by the thread that live runs have for it; the time of a command counts until its answer is
handed on. Denied: another cycle had the driver. Noise: how far the measurements lie apart.
)",
                                       width);
}

ordered_json json_of(const measured_store& m) {
  const store_load_result& f = m.found;
  const auto quantile = [&](double q) {
    return f.took.count() == 0 ? ordered_json() : ordered_json(f.took.quantile(q));
  };
  return {{"store", m.name},
          {"promise", m.promise},
          {"commands_per_s", spread_json(f.answers_per_s)},
          {"p50_s", quantile(0.5)},
          {"p99_s", quantile(0.99)},
          {"p999_s", quantile(0.999)},
          {"answers", f.answers},
          {"denied", f.denied},
          {"lost", f.lost},
          {"granted_twice", f.granted_twice},
          {"tokens_fell", f.tokens_fell},
          {"overloaded", f.is_overloaded}};
}

}  // namespace

int bench_store(const commands::bench_request& r) {
  std::vector<measured_store> all;
  bool kept = true;
  for (auto& [options, one] : planned(r)) {
    if (commands::stopped_by()) {
      break;
    }
    if (!r.quiet) {
      commands::print_diagnostics(fmt::format("dibs: measuring {}\n", one.name));
    }
    auto found = store_load(options);
    if (!found) {
      return commands::fail(found.error());
    }
    one.found = std::move(*found);
    kept = kept && one.found.kept();
    all.push_back(std::move(one));
  }
  const exit_code code =
      commands::stopped_by().value_or(kept ? exit_code::done : exit_code::invariant_broke);
  if (r.format == commands::format::text) {
    return commands::finish(text_of(r, all), code);
  }
  ordered_json out = ordered_json::array();
  for (const measured_store& m : all) {
    out.push_back(json_of(m));
  }
  return commands::finish(text::json_as_text(out, 2) + "\n", code);
}

}  // namespace dibs::bench
