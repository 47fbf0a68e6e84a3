// `dibs load`: drives a lease service with a scenario's demand, and judges it from outside.

#include "commands/bearer_token.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/progress_watcher.hpp"
#include "commands/real_run_directory.hpp"
#include "commands/shipped_scenarios.hpp"
#include "commands/stop_signal.hpp"
#include "lease/protocol.hpp"
#include "load/judgement.hpp"
#include "load/run.hpp"
#include "scenario/read.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/table.hpp"
#include "text/terminal.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace dibs::commands {
namespace {

using load::call_figures;
using load::call_names;
using load::load_result;
using nlohmann::ordered_json;

constexpr const char* secret_variable = "DIBS_SERVICE_TOKEN";

result<std::string> bearer_of(const load_request& r) {
  if (r.token_file) {
    return bearer_token_in(*r.token_file);
  }
  const char* const found = std::getenv(secret_variable);
  return std::string(found == nullptr ? "" : found);
}

result<scenario::scenario> scenario_of(const load_request& r) {
  std::filesystem::path file = r.file;
  if (r.file.empty()) {
    const auto folder = scenarios_folder();
    if (!folder) {
      return tl::unexpected<error>(folder.error());
    }
    file = *folder / "first-run.yaml";
  }
  scenario::reading reading = scenario::read_file(file, r.overrides);
  if (!reading.ok()) {
    print_diagnostics(reading.diagnostics);
    return failure(exit_code::invalid_input,
                   fmt::format("{} is invalid", text::display_text(file.string(), 400)));
  }
  return std::move(reading.value);
}

/// A quantile of what was measured; nothing of fewer than that quantile needs.
std::optional<double> quantile_of(const call_figures& f, double q, std::uint64_t least) {
  return f.took.count() < least ? std::nullopt : std::optional(f.took.quantile(q));
}

std::string shown(const std::optional<double>& seconds) {
  return seconds ? text::duration(*seconds) : "-";
}

std::uint64_t answered(const call_figures& f) { return f.yes + f.no; }

struct quantiles {
  std::optional<double> p50, p99, p999;
};

quantiles quantiles_of(const call_figures& f) {
  return {quantile_of(f, 0.5, 1), quantile_of(f, 0.99, 100), quantile_of(f, 0.999, 1000)};
}

text::table table_of(const load_result& r) {
  text::table t{{{.title = "call"},
                 text::figures("answered"),
                 text::figures("a second"),
                 text::figures("p50"),
                 text::figures("p99"),
                 text::figures("p99.9"),
                 text::figures("at most"),
                 text::figures("no"),
                 text::figures("lost")},
                {}};
  for (std::size_t i = 0; i < call_names.size(); ++i) {
    const call_figures& f = r.figures.calls[i];
    const quantiles q = quantiles_of(f);
    t.rows.push_back(
        {std::string(call_names[i]),
         text::with_thousands(answered(f)),
         text::significant(static_cast<double>(answered(f)) / in_seconds(r.length)),
         shown(q.p50),
         shown(q.p99),
         shown(q.p999),
         f.took.count() == 0 ? std::string("-") : text::duration(in_seconds(f.took.max())),
         text::with_thousands(f.no),
         text::with_thousands(f.lost + f.unsent)});
  }
  return t;
}

std::string outages_text(const load_result& r) {
  if (r.service.outages == 0) {
    return "";
  }
  std::uint64_t lost = 0;
  for (const call_figures& f : r.figures.calls) {
    lost += f.lost;
  }
  return fmt::format(
      "THE SERVICE WAS AWAY: {}, {} in all{}; of {} nobody knows whether they took effect\n"
      "  last: {}\n",
      text::plural(r.service.outages, "time"),
      text::duration(r.service.away),
      r.service.is_away ? ", and still is" : "",
      text::plural(lost, "call"),
      r.service.last_trouble);
}

/// Which promises were kept, and the first that were not.
std::string verdict_text(const load_result& r) {
  const std::string undecided =
      r.checks.undecided_drivers > 0
          ? fmt::format("; {} not decided: too many calls at once",
                        text::plural(r.checks.undecided_drivers, "driver"))
          : "";
  if (r.checks.kept()) {
    return fmt::format("L and S4 kept{}\n", undecided);
  }
  constexpr std::size_t shown_max = 3;
  std::string out =
      fmt::format("BROKEN, {}{}\n", text::plural(r.checks.violation_count, "time"), undecided);
  for (std::size_t i = 0; i < std::min(shown_max, r.checks.violations.size()); ++i) {
    const checkers::violation& v = r.checks.violations[i];
    out += fmt::format(
        "  {} at {}: {}\n", lease::code_of(v.broken), text::duration(in_seconds(v.t)), v.what);
  }
  return out;
}

std::string text_of(const load_request& r,
                    const scenario::scenario& s,
                    const load_result& found,
                    const std::string& kept) {
  const auto style = text::terminal_style_of(STDOUT_FILENO);
  std::string out =
      fmt::format("{} on {}, at {:g} times the real clock: {}, leases of {}, {}, {}, seed {}\n\n",
                  s.name,
                  r.url,
                  r.speed,
                  text::duration(found.length),
                  text::duration(found.ttl),
                  text::plural(s.drivers.count, "driver"),
                  text::plural(s.matchers.count, "matcher"),
                  s.seed);
  out += text::as_text(table_of(found), style, {.width = style.width});
  const call_figures& acquires = found.figures.calls.front();
  out += fmt::format("\n{} due, {} served; {}: an acquire of a driver who was leased\n",
                     text::plural(found.figures.rides, "ride"),
                     text::with_thousands(found.figures.served),
                     text::plural(acquires.no, "conflict"));
  if (found.figures.late.count() > 0) {
    out += fmt::format("begun late by {} (p99): what this machine adds\n",
                       text::duration(found.figures.late.quantile(0.99)));
  }
  for (const auto& [why, count] : found.service.unfit) {
    out += fmt::format("{} not taken: {}\n", text::plural(count, "call"), why);
  }
  out += outages_text(found);
  if (found.was_stopped) {
    out += "INTERRUPTED: this is what came until then\n";
  }
  out += verdict_text(found);
  out += kept.empty() ? "" : fmt::format("kept in {}\n", kept);
  return text::fitted(out, style.width);
}

ordered_json json_of(const std::optional<double>& x) {
  return x ? ordered_json(*x) : ordered_json(nullptr);
}

std::string json_text_of(const load_request& r,
                         const scenario::scenario& s,
                         const load_result& found,
                         const std::string& kept) {
  ordered_json calls = ordered_json::object();
  for (std::size_t i = 0; i < call_names.size(); ++i) {
    const call_figures& f = found.figures.calls[i];
    const quantiles q = quantiles_of(f);
    calls[call_names[i]] = {{"answered", answered(f)},
                            {"per_s", static_cast<double>(answered(f)) / in_seconds(found.length)},
                            {"yes", f.yes},
                            {"no", f.no},
                            {"lost", f.lost},
                            {"unsent", f.unsent},
                            {"p50_s", json_of(q.p50)},
                            {"p99_s", json_of(q.p99)},
                            {"p999_s", json_of(q.p999)},
                            {"max_s", in_seconds(f.took.max())}};
  }
  ordered_json violations = ordered_json::array();
  for (const checkers::violation& v : found.checks.violations) {
    violations.push_back(
        {{"promise", lease::code_of(v.broken)}, {"t_s", in_seconds(v.t)}, {"what", v.what}});
  }
  const ordered_json j{{"service", r.url},
                       {"scenario", s.name},
                       {"seed", s.seed},
                       {"speed", r.speed},
                       {"seconds", in_seconds(found.length)},
                       {"ttl_s", in_seconds(found.ttl)},
                       {"interrupted", found.was_stopped},
                       {"calls", std::move(calls)},
                       {"conflicts", found.figures.calls.front().no},
                       {"rides", found.figures.rides},
                       {"served", found.figures.served},
                       {"not_taken", found.service.unfit},
                       {"outages", found.service.outages},
                       {"away_s", in_seconds(found.service.away)},
                       {"is_away", found.service.is_away},
                       {"kept_promises", found.checks.kept()},
                       {"violation_count", found.checks.violation_count},
                       {"violations", std::move(violations)},
                       {"undecided_drivers", found.checks.undecided_drivers},
                       {"kept", kept}};
  return text::json_as_text(j, 2) + "\n";
}

result<std::string> keep(const load_request& r,
                         const scenario::scenario& s,
                         const load_result& found,
                         const std::string& program) {
  if (!r.out) {
    return std::string();
  }
  std::string command = fmt::format("load {}", text::shell_word(r.url));
  command += r.file.empty() ? "" : " " + text::shell_word(r.file);
  for (const scenario::override_value& o : r.overrides) {
    command += " --set " + text::shell_word(o.path + "=" + o.value);
  }
  command += fmt::format(" --speed {:g} --seconds {:g}", r.speed, r.seconds);
  const auto shown = load::scenario_of({.name = s.name,
                                        .seed = s.seed,
                                        .length = found.length,
                                        .ttl = found.ttl,
                                        .drivers = s.drivers.count,
                                        .matchers = s.matchers.count});
  auto done = keep_real_run(*r.out,
                            {.scenario = shown,
                             .real_case = load::kept_as,
                             .command = command,
                             .events = found.events,
                             .end = found.end,
                             .judged_by = load::checkers_options_of(found.ttl, s.drivers.count),
                             .wall_s = found.wall_s,
                             .interrupted = found.was_stopped},
                            program);
  return done.map([&] { return *r.out; });
}

exit_code code_of(const load_result& found) {
  if (!found.checks.kept()) {
    return exit_code::invariant_broke;
  }
  if (found.was_stopped) {
    return stopped_by().value_or(exit_code::interrupted);
  }
  return found.service.is_away ? exit_code::store_unreachable : exit_code::done;
}

}  // namespace

int load_service(const load_request& r, const std::string& program) {
  const auto bearer = bearer_of(r);
  if (!bearer) {
    return fail(bearer.error());
  }
  auto s = scenario_of(r);
  if (!s) {
    return fail(s.error());
  }
  s->seed = r.seed.value_or(s->seed);
  load::load_options how{.url = r.url,
                         .bearer = *bearer,
                         .seed = s->seed,
                         .speed = r.speed,
                         .length = sim_duration{static_cast<std::int64_t>(r.seconds * 1e9)},
                         .connections = r.connections,
                         .threads = r.threads,
                         .stop = stop_flag()};
  const auto found = [&] {
    std::optional<count_line> line;
    how.on_progress = [&](const load::load_progress& p) {
      const auto whole = static_cast<std::size_t>(in_seconds(p.length) * 10) + 1;
      if (!line) {
        line.emplace(r.quiet, whole, "tenths of a second");
      }
      line->show(std::min(static_cast<std::size_t>(in_seconds(p.passed) * 10), whole),
                 text::plural(p.answers, "answer"));
    };
    return load::run(*s, how);
  }();
  if (!found) {
    return fail(found.error());
  }
  const auto kept = keep(r, *s, *found, program);
  if (!kept) {
    return fail(kept.error());
  }
  return finish(
      r.format == format::json ? json_text_of(r, *s, *found, *kept) : text_of(r, *s, *found, *kept),
      code_of(*found));
}

}  // namespace dibs::commands
