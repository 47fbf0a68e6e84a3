// `dibs run --live`: the scenario on the real clock, on several threads.

#include "commands/run_live.hpp"

#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/nodes_report.hpp"
#include "commands/progress_watcher.hpp"
#include "commands/run_over_nodes.hpp"
#include "commands/stop_signal.hpp"
#include "engine/live_run.hpp"
#include "report/run_summary.hpp"
#include "results/assessment.hpp"
#include "results/metric_estimates.hpp"
#include "results/metrics_json.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/terminal.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace dibs::commands {
namespace {

using nlohmann::ordered_json;

/// A quantile of how late something was, in real time.
double late_s(const stats::histogram& late, double q, double speed) {
  return late.count() == 0 ? 0 : late.quantile(q) / speed;
}

std::string late_text(const char* what, const stats::histogram& late, double speed) {
  return fmt::format("  {:<10} p50 {}, p99 {}, at most {}\n",
                     what,
                     text::duration(late_s(late, 0.5, speed)),
                     text::duration(late_s(late, 0.99, speed)),
                     text::duration(in_seconds(late.max()) / speed));
}

std::string store_text(const run_request& r, const store::store_report& s) {
  std::string out = fmt::format(
      "Leases were kept in {}{}: {} answered, after {} (p50), {} (p99), {} at most, in real time\n",
      store::name_of(r.store->kind),
      r.store->kind == store::kind::postgres ? "" : ", and trips here",
      text::plural(s.answered, "command"),
      text::duration(s.p50_s),
      text::duration(s.p99_s),
      text::duration(s.max_s));
  if (s.lost > 0 || s.outages > 0) {
    out += fmt::format(
        "THE STORE WAS AWAY: {} broke, {} in all; of {} nobody knows whether they took effect\n"
        "  last: {}\n",
        text::plural(s.outages, "connection"),
        text::duration(s.away_s),
        text::plural(s.lost, "command"),
        s.last_trouble);
  }
  return out;
}

std::string live_text(const run_request& r, const results::run_results& a, const ended_run& ended) {
  const engine::live_result& live = ended.live;
  return fmt::format(
             "\nLIVE at {:g} times the real clock, on {} threads: no other run repeats it.\n",
             r.speed,
             r.threads) +
         "Late by, in real time (what the machine adds to every delay):\n" +
         late_text("timers", live.late.timers, r.speed) +
         late_text("messages", live.late.messages, r.speed) +
         fmt::format("Promises that need bounds on delays were not judged{}.\n",
                     live.store ? ", nor S3 and S9, whose clock is the store's" : "") +
         (live.store ? store_text(r, *live.store) : "") +
         (ended.who ? nodes_text({a.scenario, *ended.who, ended.nodes}) : "");
}

ordered_json json_of(const stats::histogram& late, double speed) {
  return {{"count", late.count()},
          {"p50_s", late_s(late, 0.5, speed)},
          {"p99_s", late_s(late, 0.99, speed)},
          {"p999_s", late_s(late, 0.999, speed)},
          {"max_s", in_seconds(late.max()) / speed}};
}

std::string json_text(ordered_json all,
                      const run_request& r,
                      const results::run_results& a,
                      const ended_run& ended) {
  const engine::live_result& live = ended.live;
  all["live"] = {{"speed", r.speed},
                 {"threads", r.threads},
                 {"late",
                  {{"timers", json_of(live.late.timers, r.speed)},
                   {"messages", json_of(live.late.messages, r.speed)}}}};
  if (live.store) {
    const store::store_report& s = *live.store;
    all["live"]["store"] = {{"kind", store::name_of(r.store->kind)},
                            {"answered", s.answered},
                            {"lost", s.lost},
                            {"outages", s.outages},
                            {"away_s", s.away_s},
                            {"p50_s", s.p50_s},
                            {"p99_s", s.p99_s},
                            {"max_s", s.max_s}};
  }
  if (ended.who) {
    all["live"].update(nodes_json({a.scenario, *ended.who, ended.nodes}));
  }
  return text::json_as_text(all, 2) + "\n";
}

/// What the machine adds to delays should be little beside the time that a driver has to answer.
void warn_of_lateness(const scenario::scenario& s,
                      const engine::live_result& live,
                      const run_request& r) {
  constexpr double share_max = 0.1;
  const sim_duration window = s.lease.offer_window.value_or(s.lease.ttl);
  const double late =
      std::max(late_s(live.late.timers, 0.99, 1), late_s(live.late.messages, 0.99, 1));
  if (window != forever && late > share_max * in_seconds(window)) {
    print_diagnostics(fmt::format(
        "dibs: at --speed {:g} the machine's lateness is {} of the scenario's time (p99), "
        "and a driver has {} to answer: this run tells more of the machine than of the "
        "scenario; take a lower speed\n",
        r.speed,
        text::duration(late),
        text::duration(in_seconds(window))));
  }
}

/// The request with the store and connections that the scenario has, where it names none.
result<run_request> completed(run_request r, const scenario::scenario& s) {
  const auto& of_scenario = s.lease.store;
  if (!r.store && of_scenario) {
    auto where = store::read_address(of_scenario->address());
    if (!where) {
      return tl::unexpected(where.error());
    }
    r.store = std::move(*where);
  }
  r.connections =
      r.connections.value_or((of_scenario ? *of_scenario : scenario::store_options{}).connections);
  return r;
}

int conclude(const run_request& r, results::run_results& a, const ended_run& ended) {
  const results::metric_estimates figures(a);
  const auto verdicts = results::judge_bounds(a, figures);
  int code = static_cast<int>(results::exit_code_of(a, verdicts));
  if (a.interrupted()) {
    code = static_cast<int>(stopped_by().value_or(exit_code::interrupted));
  }
  result<void> printed;
  if (r.format == format::json) {
    printed = print(json_text(results::metrics_object(a, figures, verdicts), r, a, ended));
  } else if (!r.quiet) {
    printed = print(report::summary(a,
                                    figures,
                                    verdicts,
                                    text::terminal_style_of(STDOUT_FILENO),
                                    r.out && ended.kept ? *r.out : "",
                                    r.shown) +
                    live_text(r, a, ended));
  }
  if (!ended.kept) {
    return fail(ended.kept.error());
  }
  return printed ? code : fail(printed.error());
}

result<ended_run> carry_out(const run_request& r,
                            const results::run_results& a,
                            const engine::run_options& how) {
  const engine::live_options live{.speed = r.speed,
                                  .threads = r.threads,
                                  .store = r.store,
                                  .connections = *r.connections,
                                  .unsafe_store = r.unsafe_store};
  if (r.nodes == 0) {
    auto ran = engine::run_live(a.scenario, how, live);
    return ran.map([](engine::live_result& whole) { return ended_run{std::move(whole)}; });
  }
  return run_over_nodes(r, a, how, live);
}

}  // namespace

int run_live(const run_request& asked, results::run_results& a) {
  const auto with_store = completed(asked, a.scenario);
  if (!with_store) {
    return fail(with_store.error());
  }
  const run_request& r = *with_store;
  const double seconds = engine::live_seconds(a.scenario, r.speed);
  if (seconds > r.wall_max_s) {
    return fail(
        {exit_code::usage,
         fmt::format("at --speed {:g} this takes {}, and --wall allows {}; a speed of {:.0f} "
                     "is enough",
                     r.speed,
                     text::duration(seconds),
                     text::duration(r.wall_max_s),
                     std::ceil(r.speed * seconds / r.wall_max_s))});
  }
  watcher progress(r.quiet, 1);
  engine::run_options how;
  how.seed = a.seed;
  how.stop = stop_flag();
  how.on_progress = progress.callback();
  const auto ended = carry_out(r, a, how);
  if (!ended) {
    return ended.error().code == exit_code::interrupted
               ? fail({stopped_by().value_or(exit_code::interrupted), ended.error().text})
               : fail(ended.error());
  }
  a.how = fmt::format(" --live --speed {:g}", r.speed);
  if (r.store) {
    a.how += " --store " + text::shell_word(r.store->text);
  }
  a.wall_s = ended->live.run.wall_s;
  a.runs = {ended->live.run};
  warn_of_lateness(a.scenario, ended->live, r);
  return conclude(r, a, *ended);
}

}  // namespace dibs::commands
