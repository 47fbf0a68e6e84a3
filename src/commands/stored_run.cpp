#include "commands/stored_run.hpp"

#include "base/regular_file.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/progress_watcher.hpp"
#include "commands/stop_signal.hpp"
#include "engine/live_run.hpp"
#include "engine/run.hpp"
#include "events/jsonl.hpp"
#include "history/batch_means.hpp"
#include "history/indexed_run.hpp"
#include "load/judgement.hpp"
#include "processes/as_faults.hpp"
#include "report/run_table.hpp"
#include "results/atomic_file.hpp"
#include "scenario/read.hpp"
#include "text/escape.hpp"
#include "torment/cases.hpp"
#include "torment/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <utility>

namespace dibs::commands {
namespace {

namespace fs = std::filesystem;

result<std::size_t> replication_of(const results::manifest& m, std::optional<std::uint64_t> seed) {
  const auto found = std::ranges::find_if(
      m.replications, [&](const auto& each) { return !seed || each.seed == *seed; });
  if (found == m.replications.end()) {
    return failure(exit_code::usage,
                   seed ? fmt::format("the run has no replication with the seed {}", *seed)
                        : "the run has no replication: it was interrupted before the first event");
  }
  return static_cast<std::size_t>(found - m.replications.begin());
}

/// What was recorded, read or repeated.
result<std::vector<events::event>> events_of(const fs::path& directory,
                                             const results::manifest& m,
                                             const results::replication_record& which,
                                             const scenario::scenario& s,
                                             bool quiet) {
  const auto recorded = recorded_events(directory, m);
  if (!recorded) {
    return tl::unexpected<error>(recorded.error());
  }
  if (*recorded) {
    std::ifstream file(**recorded);
    return events::read_jsonl(file);
  }
  if (!m.real_case.empty()) {
    return failure(exit_code::invalid_input, "its events are gone, and nothing repeats a real run");
  }
  history::event_collector kept(which.interrupted ? which.facts : UINT64_MAX, stop_flag());
  watcher progress(quiet, 1);
  engine::run_options how;
  how.seed = which.seed;
  how.stop = which.interrupted ? kept.stop() : stop_flag();
  how.on_progress = progress.callback();
  how.observe = false;
  how.observers.push_back(&kept);
  const auto again = engine::run(s, how);
  if (!again) {
    return tl::unexpected<error>(again.error());
  }
  if (const auto stopped = stopped_by()) {
    return failure(*stopped, "interrupted");
  }
  return kept.take();
}

/// What a run on real servers is judged by; nothing of a simulated one.
result<std::optional<checkers::options>> judged_by_of(const std::string& real_case,
                                                      const scenario::scenario& s) {
  if (real_case.empty()) {
    return std::nullopt;
  }
  if (real_case == load::kept_as) {
    return load::checkers_options_of(s.lease.ttl, s.drivers.count);
  }
  if (real_case == processes::kept_as) {
    return engine::live_checkers_options_of(s, s.seed);
  }
  const torment::real_case* const found = torment::find_case(real_case);
  if (found == nullptr) {
    return failure(exit_code::invalid_input,
                   fmt::format("this dibs has no real case `{}`", text::display_text(real_case)));
  }
  return torment::checkers_options_of(*found);
}

}  // namespace

result<std::optional<fs::path>> recorded_events(const fs::path& directory,
                                                const results::manifest& m) {
  const fs::path file = directory / "events.jsonl";
  if (std::error_code none; m.runs_asked != 1 || !fs::exists(file, none)) {
    return std::nullopt;
  }
  if (const auto no = objection_to_file(file)) {
    return failure(exit_code::invalid_input,
                   fmt::format("cannot read {}: {}", results::listed(file), *no));
  }
  return file;
}

result<scenario::scenario> scenario_of(const std::filesystem::path& directory,
                                       const results::manifest& m) {
  const std::filesystem::path file = directory / "scenario.effective.yaml";
  const auto text = results::read_whole(file);
  if (!text) {
    return tl::unexpected<error>(text.error());
  }
  scenario::reading reading = scenario::read_text(*text, file.string(), m.scenario_folder);
  if (!reading.ok()) {
    // The checkout may have moved, with the run in it.
    reading = scenario::read_text(*text, file.string(), directory);
  }
  const auto is_about_data = [](const scenario::diagnostic& c) { return c.code == "E-FILE"; };
  if (!reading.ok() && std::ranges::all_of(reading.diagnostics, is_about_data)) {
    const scenario::diagnostic& first = reading.diagnostics.front();
    return failure(
        exit_code::invalid_input,
        fmt::format("the demand data of {} cannot be read any more, from {} as at its "
                    "run or from the run's folder: {}: {}",
                    text::display_text(directory.string(), 400),
                    m.scenario_folder.empty() ? "the folder it was made in"
                                              : text::display_text(m.scenario_folder, 400),
                    text::display_text(first.path),
                    text::display_text(first.message, 400)));
  }
  if (!reading.ok()) {
    print_diagnostics(reading.diagnostics);
    return failure(exit_code::invalid_input,
                   fmt::format("this dibs does not take the scenario of a run of dibs {}",
                               text::display_text(m.build.version)));
  }
  const auto data = results::data_of(reading.value);
  if (!data) {
    return tl::unexpected<error>(data.error());
  }
  if (*data != m.data) {
    return failure(exit_code::invalid_input,
                   fmt::format("the demand data in {} was changed since the run",
                               text::display_text(reading.value.folder.string(), 400)));
  }
  return std::move(reading.value);
}

result<history::recorded_run> history_of(const fs::path& directory,
                                         std::optional<std::uint64_t> seed,
                                         bool quiet) {
  const auto m = results::read_run(directory);
  if (!m) {
    return tl::unexpected<error>(m.error());
  }
  auto s = scenario_of(directory, *m);
  if (!s) {
    return tl::unexpected<error>(s.error());
  }
  const auto k = replication_of(*m, seed);
  if (!k) {
    return tl::unexpected<error>(k.error());
  }
  const results::replication_record& which = m->replications[*k];
  auto all = events_of(directory, *m, which, *s, quiet);
  if (!all) {
    return tl::unexpected<error>(all.error());
  }
  const auto judged_by = judged_by_of(m->real_case, *s);
  if (!judged_by) {
    return tl::unexpected<error>(judged_by.error());
  }
  history::recorded_run h = history::history_of(
      std::move(*s), which.seed, std::move(*all), at(sim_duration{which.reached_ns}), *judged_by);
  h.command = m->replay[*k];
  if (h.digest != which.history) {
    return failure(
        exit_code::replay_differed,
        fmt::format("run again, {} has another history ({} instead of {}): it was made by "
                    "dibs {}; `dibs replay` tells more",
                    text::display_text(directory.string(), 400),
                    h.digest,
                    text::display_text(which.history),
                    text::display_text(m->build.version)));
  }
  return h;
}

result<nlohmann::ordered_json> figures_of(const fs::path& directory, bool quiet) {
  const auto m = results::read_run(directory);
  if (!m) {
    return tl::unexpected<error>(m.error());
  }
  const auto text = results::read_whole(directory / "metrics.json");
  if (!text) {
    return tl::unexpected<error>(text.error());
  }
  auto figures = report::read_figures(*text);
  if (!figures || m->replications.size() != 1) {
    return figures;
  }
  const auto h = history_of(directory, std::nullopt, quiet);
  if (!h && h.error().code == exit_code::interrupted) {
    return tl::unexpected<error>(h.error());
  }
  if (!h) {
    print_diagnostics("dibs: no intervals: " + h.error().text + "\n");
    return figures;
  }
  report::add_batches(*figures, history::half_widths_within(history::indexed_run(*h)));
  return figures;
}

}  // namespace dibs::commands
