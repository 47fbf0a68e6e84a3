#include "commands/compare_inputs.hpp"

#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/progress_watcher.hpp"
#include "commands/stop_signal.hpp"
#include "commands/stored_run.hpp"
#include "engine/run.hpp"
#include "results/manifest.hpp"
#include "scenario/overrides.hpp"
#include "sweep/journal.hpp"
#include "sweep/sweep_directory.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <utility>

namespace dibs::commands {
namespace {

namespace fs = std::filesystem;

std::string shown(const std::string& argument) { return text::display_text(argument, 200); }

bool is_folder(const std::string& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

/// `sweeps/first-run:3`, taken apart.
struct place {
  std::string folder;
  std::optional<std::uint32_t> point{};  ///< nothing: all
};

place place_of(const std::string& argument) {
  const std::size_t colon = argument.rfind(':');
  if (is_folder(argument) || colon == std::string::npos) {
    return {argument, {}};
  }
  std::uint32_t number = 0;
  const char* end = argument.data() + argument.size();
  const auto read = std::from_chars(argument.data() + colon + 1, end, number);
  const bool whole = read.ec == std::errc() && read.ptr == end;
  return whole && is_folder(argument.substr(0, colon)) ? place{argument.substr(0, colon), number}
                                                       : place{argument, {}};
}

/// Nothing if the scenario does not read by itself, as where data of its demand has gone.
std::optional<scenario::field_values> fields_at(const std::string& base, const sweep::point& at) {
  const auto reading = scenario::read_text(base, sweep::journal_name, {}, at.fields);
  return reading.ok() ? std::optional(scenario::field_values(reading.value)) : std::nullopt;
}

result<std::vector<compare_input>> from_sweep(const place& at) {
  const auto j = sweep::journal::read(fs::path(at.folder) / sweep::journal_name);
  if (!j) {
    return tl::unexpected<error>(j.error());
  }
  const auto points = j->points();
  if (!points) {
    return tl::unexpected<error>(points.error());
  }
  const auto seeds = j->fact("seeds");
  const auto precision = j->fact("precision");
  const auto base = j->fact("scenario");
  for (const auto* fact : {&seeds, &precision, &base}) {
    if (!*fact) {
      return tl::unexpected<error>(fact->error());
    }
  }
  std::vector<compare_input> sides;
  for (const sweep::kept_point& p : *points) {
    if (at.point && p.number != *at.point) {
      continue;
    }
    auto runs = j->runs_of(p.number);
    if (!runs) {
      return tl::unexpected<error>(runs.error());
    }
    // With a wanted precision each point has as many as it took, and tables once all are there.
    const bool whole = precision->empty() ? std::to_string(runs->size()) == *seeds
                                          : fs::exists(fs::path(at.folder) / sweep::summary_name);
    if (!whole) {
      return failure(exit_code::invalid_input,
                     fmt::format("{} is unfinished: point {} has {} of {} runs; go on with it by "
                                 "dibs sweep --resume",
                                 shown(at.folder),
                                 p.number,
                                 runs->size(),
                                 shown(*seeds)));
    }
    compare_input s;
    s.label =
        fmt::format("{}, point {}: {}", shown(at.folder), p.number, shown(sweep::label_of(p.what)));
    s.fields = fields_at(*base, p.what);
    s.runs = std::move(*runs);
    s.count = static_cast<std::uint32_t>(s.runs.size());
    if (!s.runs.empty()) {
      s.seed = s.runs.front().seed;  // the first is the root seed itself
    }
    sides.push_back(std::move(s));
  }
  if (sides.empty()) {
    return failure(
        exit_code::usage,
        fmt::format(
            "{} has no point {}; it has 1 to {}", shown(at.folder), *at.point, points->size()));
  }
  return sides;
}

result<std::vector<compare_input>> from_run(const std::string& folder) {
  const auto m = results::read_run(folder);
  if (!m) {
    return tl::unexpected<error>(m.error());
  }
  if (m->interrupted) {
    return failure(exit_code::invalid_input,
                   fmt::format("{} was interrupted; a comparison takes whole runs", shown(folder)));
  }
  auto s = scenario_of(folder, *m);
  if (!s) {
    return tl::unexpected<error>(s.error());
  }
  compare_input one;
  one.label = shown(folder);
  one.file = m->scenario_file;
  one.overrides = m->overrides;
  one.scenario = std::move(*s);
  one.seed = m->seed;
  one.count = m->runs_asked;
  for (const results::replication_record& r : m->replications) {
    one.histories.push_back(r.history);
  }
  return std::vector<compare_input>{std::move(one)};
}

result<std::vector<compare_input>> from_file(
    const std::string& file, const std::vector<scenario::override_value>& overrides) {
  scenario::reading reading = scenario::read_file(file, overrides);
  if (!reading.ok()) {
    print_diagnostics(reading.diagnostics);
    return failure(exit_code::invalid_input, fmt::format("{} is invalid", shown(file)));
  }
  compare_input one;
  one.label = shown(file);
  one.file = file;
  one.overrides = overrides;
  for (const scenario::override_value& o : overrides) {
    one.label += ", " + shown(scenario::text_of(o));
  }
  one.scenario = std::move(reading.value);
  return std::vector<compare_input>{std::move(one)};
}

}  // namespace

result<std::vector<compare_input>> compare_inputs_of(
    const std::string& argument, const std::vector<scenario::override_value>& overrides) {
  const place at = place_of(argument);
  if (!is_folder(at.folder)) {
    return from_file(argument, overrides);
  }
  if (!overrides.empty()) {
    return failure(
        exit_code::usage,
        fmt::format("{} was run already; fields can be set in scenarios only", shown(at.folder)));
  }
  std::error_code failed;
  if (fs::exists(fs::path(at.folder) / sweep::journal_name, failed)) {
    return from_sweep(at);
  }
  return from_run(at.folder);
}

result<void> run_side(compare_input& s, std::uint32_t jobs, bool quiet) {
  if (!s.scenario) {
    return {};
  }
  watcher progress(quiet, s.count);
  engine::run_options how;
  how.seed = *s.seed;
  how.stop = stop_flag();
  how.on_progress = progress.callback();
  const auto runs = engine::run_many(*s.scenario, how, s.count, jobs);
  if (!runs) {
    return tl::unexpected<error>(runs.error());
  }
  for (std::size_t k = 0; k < runs->size(); ++k) {
    const engine::run_result& each = (*runs)[k];
    if (stopped_by()) {
      return {};
    }
    if (k < s.histories.size() && each.history != s.histories[k]) {
      return failure(exit_code::replay_differed,
                     fmt::format("{}: the run of seed {} comes out differently now, history {} "
                                 "instead of {}; was it made by another build?",
                                 s.label,
                                 each.seed,
                                 each.history,
                                 text::display_text(s.histories[k])));
    }
    s.runs.push_back(results::record_of(each));
  }
  return {};
}

}  // namespace dibs::commands
