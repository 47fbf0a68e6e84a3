// `dibs run`: reads a scenario, runs it, keeps and prints what came of it.

#include "base/stopwatch.hpp"
#include "commands/build_info.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/ineffective_settings.hpp"
#include "commands/live_view.hpp"
#include "commands/memory_check.hpp"
#include "commands/progress_watcher.hpp"
#include "commands/run_live.hpp"
#include "commands/run_outcome.hpp"
#include "commands/stop_signal.hpp"
#include "engine/prepared_scenario.hpp"
#include "report/run_summary.hpp"
#include "results/events_writer.hpp"
#include "results/metrics_json.hpp"
#include "results/run_directory.hpp"
#include "results/series_csv.hpp"
#include "scenario/file_text.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace dibs::commands {
namespace {

constexpr const char* runs_folder = "runs";

/// Where results go while they are made. The writer goes before the directory that it writes to.
struct keeping {
  std::optional<results::run_directory> directory;
  std::unique_ptr<results::events_writer> events;
};

/// Makes the directory and the files that there are before the run, so that a place where nothing
/// can be written is found out before the work is done.
result<keeping> begin_keeping(const run_request& r, const results::run_results& a) {
  keeping k;
  if (!r.keep) {
    return k;
  }
  auto made = r.out ? results::run_directory::make(*r.out)
                    : results::run_directory::make_numbered(runs_folder, a.scenario.name);
  if (!made) {
    return tl::unexpected<error>(made.error());
  }
  k.directory.emplace(std::move(*made));
  const auto written = k.directory->write("scenario.effective.yaml", scenario::dump(a.scenario));
  if (!written) {
    return tl::unexpected<error>(written.error());
  }
  if (r.runs == 1 && (r.events || a.scenario.output.events)) {
    auto writer = results::events_writer::open(*k.directory);
    if (!writer) {
      return tl::unexpected<error>(writer.error());
    }
    k.events = std::move(*writer);
  }
  return k;
}

/// Everything else, the manifest last.
result<void> finish_keeping(keeping& k, const results::run_results& a, const std::string& metrics) {
  if (!k.directory) {
    return {};
  }
  if (k.events) {
    if (auto done = k.events->finish(*k.directory); !done) {
      return done;
    }
  }
  if (auto done = k.directory->write("series.csv", results::series_csv(a)); !done) {
    return done;
  }
  if (auto done = k.directory->write("metrics.json", metrics); !done) {
    return done;
  }
  return k.directory->seal(results::manifest_of(a, this_build()));
}

/// The scenario as it will be run, and what it is made from.
result<results::run_results> account_of(const run_request& r, scenario::scenario s) {
  results::run_results a;
  a.scenario = std::move(s);
  a.file = r.file;
  a.overrides = r.overrides;
  a.seed = r.seed.value_or(a.scenario.seed);
  a.scenario.seed = a.seed;
  a.runs_asked = r.runs;
  if (scenario::is_standard_input(r.file)) {
    a.file_hash = results::hash_of(scenario::standard_input());
  } else {
    const auto file = results::record_of(r.file);
    if (!file) {
      return tl::unexpected<error>(file.error());
    }
    a.file_hash = file->hash;
  }
  auto data = results::data_of(a.scenario);
  if (!data) {
    return tl::unexpected<error>(data.error());
  }
  a.data = std::move(*data);
  return a;
}

/// Runs all replications and puts what came of them into the account.
result<void> run_all(const run_request& r,
                     const engine::prepared_scenario& shared,
                     results::run_results& a,
                     results::events_writer* events) {
  watcher progress(r.quiet || r.watch, r.runs);
  std::optional<live_view> view;
  engine::run_options how;
  how.seed = a.seed;
  how.delivery = r.delivery;
  how.replay_line = [&a](std::uint64_t seed) { return results::replay_line_of_seed(a, seed); };
  how.stop = stop_flag();
  how.on_progress = progress.callback();
  if (r.watch) {
    view.emplace(a.scenario);
    how.on_progress = view->callback();
    how.observers.push_back(view->observer());
  }
  if (events != nullptr) {
    how.observers.push_back(events);
  }
  const stopwatch watch;
  auto runs = engine::run_many(a.scenario, shared, how, r.runs, r.jobs);
  if (!runs) {
    return tl::unexpected<error>(runs.error());
  }
  a.wall_s = watch.seconds();
  a.runs = std::move(*runs);
  // Those that were never begun have nothing to tell.
  std::erase_if(a.runs, [](const engine::run_result& each) { return each.history.empty(); });
  return {};
}

/// What came of all replications, and what is said of them.
struct concluded {
  std::string metrics;  ///< of `metrics.json`
  exit_code code{};
  result<void> kept;
};

concluded conclude(const results::run_results& a,
                   const results::metric_estimates& figures,
                   const std::vector<results::bound_check>& verdicts,
                   keeping& k) {
  concluded c{results::metrics_json(a, figures, verdicts), results::exit_code_of(a, verdicts), {}};
  c.kept = finish_keeping(k, a, c.metrics);
  if (a.interrupted()) {
    c.code = stopped_by().value_or(exit_code::interrupted);
  }
  return c;
}

/// Prints the result; errors of files and of standard output win over what was measured.
int print_all(const run_request& r, results::run_results& a, keeping& k) {
  if (!r.quiet) {
    a.in_vain = sets_in_vain(r, a);
    if (a.scenario.lease.store) {
      a.in_vain.emplace_back(
          "lease.store is for runs with --live: here the lease manager kept leases itself");
    }
  }
  const results::metric_estimates figures(a);
  const auto verdicts = results::judge_bounds(a, figures);
  const concluded c = conclude(a, figures, verdicts, k);
  const std::string where = k.directory && c.kept ? k.directory->path().string() : std::string();
  result<void> printed;
  if (r.format == format::json) {
    printed = print(c.metrics);
  } else if (!r.quiet) {
    printed = print(report::summary(
        a, figures, verdicts, text::terminal_style_of(STDOUT_FILENO), where, r.shown));
  }
  if (r.format == format::json && !r.quiet && !where.empty()) {
    print_diagnostics(fmt::format("dibs: kept in {}\n", where));
  }
  if (r.format == format::json) {
    tell_notes(a.in_vain);
  }
  int code = static_cast<int>(c.code);
  if (!c.kept) {
    code = fail(c.kept.error());
    print_diagnostics("dibs: the results were not kept\n");
  }
  return printed ? code : fail(printed.error());
}

/// A scenario that was read, with its data, and enough memory for it.
struct ready_run {
  results::run_results all;
  engine::prepared_scenario shared;
};

result<ready_run> made_ready(const run_request& r,
                             scenario::scenario s,
                             const std::string& program) {
  auto a = account_of(r, std::move(s));
  if (!a) {
    return tl::unexpected<error>(a.error());
  }
  a->program = program;
  auto shared = engine::prepare(a->scenario);
  if (!shared) {
    return tl::unexpected<error>(shared.error());
  }
  if (!r.force) {
    const std::uint64_t needed = engine::memory_estimate(a->scenario, *shared);
    const std::uint64_t at_a_time = std::min(r.jobs, r.runs);
    const bool too_much = needed > UINT64_MAX / at_a_time;
    if (const auto fits =
            check_memory(too_much ? UINT64_MAX : needed * at_a_time, memory_available());
        !fits) {
      return tl::unexpected<error>(fits.error());
    }
  }
  return ready_run{std::move(*a), std::move(*shared)};
}

/// Keeps and runs. What was begun is left to be concluded.
result<keeping> carried_out(const run_request& r, ready_run& run) {
  auto k = begin_keeping(r, run.all);
  if (!k) {
    return k;
  }
  if (const auto done = run_all(r, run.shared, run.all, k->events.get()); !done) {
    return tl::unexpected<error>(done.error());
  }
  return k;
}

}  // namespace

void print_diagnostics(const std::vector<scenario::diagnostic>& complaints) {
  std::string text;
  for (const scenario::diagnostic& c : complaints) {
    text += scenario::format(c);
    text += text.ends_with('\n') ? "" : "\n";
  }
  print_diagnostics(text);
}

void tell_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) {
    print_diagnostics("dibs: note: " + note + "\n");
  }
}

result<run_outcome> run_and_keep(const run_request& r, const std::string& program) {
  scenario::reading reading = scenario::read_file(r.file, r.overrides);
  if (!reading.ok()) {
    return failure(exit_code::invalid_input, scenario::format(reading.diagnostics.front()));
  }
  auto run = made_ready(r, std::move(reading.value), program);
  if (!run) {
    return tl::unexpected<error>(run.error());
  }
  auto k = carried_out(r, *run);
  if (!k) {
    return tl::unexpected<error>(k.error());
  }
  const results::metric_estimates figures(run->all);
  concluded c = conclude(run->all, figures, results::judge_bounds(run->all, figures), *k);
  if (!c.kept) {
    return tl::unexpected<error>(c.kept.error());
  }
  return run_outcome{std::move(run->all), c.code};
}

int run(const run_request& r, const std::string& program) {
  scenario::reading reading = scenario::read_file(r.file, r.overrides);
  if (!reading.ok()) {
    print_diagnostics(reading.diagnostics);
    return static_cast<int>(exit_code::invalid_input);
  }
  auto run = made_ready(r, std::move(reading.value), program);
  if (!run) {
    return fail(run.error());
  }
  if (r.live) {
    return run_live(r, run->all);
  }
  if (r.runs > 1 && run->all.scenario.output.events && r.keep && !r.quiet) {
    print_diagnostics("dibs: events are kept of a single run only, not of several\n");
  }
  auto k = carried_out(r, *run);
  return k ? print_all(r, run->all, *k) : fail(k.error());
}

}  // namespace dibs::commands
