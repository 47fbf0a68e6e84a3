#include "commands/real_run_directory.hpp"

#include "commands/build_info.hpp"
#include "history/recorded_run.hpp"
#include "results/assessment.hpp"
#include "results/events_writer.hpp"
#include "results/manifest.hpp"
#include "results/metric_estimates.hpp"
#include "results/metrics_json.hpp"
#include "results/run_directory.hpp"
#include "results/run_results.hpp"
#include "results/series_csv.hpp"
#include "scenario/read.hpp"

#include <utility>
#include <vector>

namespace dibs::commands {
namespace {

results::run_results account_of(const real_run_record& run, const std::string& program) {
  results::run_results a;
  a.scenario = run.scenario;
  a.program = program;
  a.file = "scenario.effective.yaml";
  a.real_case = run.real_case;
  a.real_command = run.command;
  a.file_hash = results::hash_of(scenario::dump(a.scenario));
  a.seed = a.scenario.seed;
  a.wall_s = run.wall_s;
  history::recorded_run h =
      history::history_of(a.scenario,
                          a.seed,
                          std::vector<events::event>(run.events.begin(), run.events.end()),
                          run.end,
                          run.judged_by);
  engine::run_result r;
  r.seed = a.seed;
  r.history = h.digest;
  r.facts = run.events.size();
  r.events = run.events.size();
  r.wall_s = run.wall_s;
  r.reached = run.end;
  r.metrics = std::move(h.metrics);
  r.checks = std::move(h.checks);
  r.interrupted = run.interrupted;
  a.runs.push_back(std::move(r));
  return a;
}

}  // namespace

result<void> keep_real_run(const std::filesystem::path& directory,
                           const real_run_record& run,
                           const std::string& program) {
  const results::run_results a = account_of(run, program);
  auto made = results::run_directory::make(directory);
  if (!made) {
    return tl::unexpected<error>(made.error());
  }
  if (auto done = made->write("scenario.effective.yaml", scenario::dump(a.scenario)); !done) {
    return done;
  }
  auto events = results::events_writer::open(*made);
  if (!events) {
    return tl::unexpected<error>(events.error());
  }
  (*events)->observe(run.events);
  if (auto done = (*events)->finish(*made); !done) {
    return done;
  }
  const results::metric_estimates figures(a);
  if (auto done = made->write("series.csv", results::series_csv(a)); !done) {
    return done;
  }
  const auto verdicts = results::judge_bounds(a, figures);
  if (auto done = made->write("metrics.json", results::metrics_json(a, figures, verdicts)); !done) {
    return done;
  }
  return made->seal(results::manifest_of(a, this_build()));
}

}  // namespace dibs::commands
