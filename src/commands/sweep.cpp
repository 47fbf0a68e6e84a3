// `dibs sweep`: runs every point of a grid on the same seeds, keeps a journal, makes tables.

#include "base/stopwatch.hpp"
#include "commands/build_info.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/experiment_runs.hpp"
#include "commands/progress_watcher.hpp"
#include "commands/shared_journal.hpp"
#include "commands/stop_signal.hpp"
#include "commands/sweep_conclusion.hpp"
#include "commands/sweep_merge.hpp"
#include "commands/warmup.hpp"
#include "report/sweep_tables.hpp"
#include "sweep/implied_fields.hpp"
#include "sweep/journal.hpp"
#include "sweep/runner.hpp"
#include "sweep/shared_runs.hpp"
#include "sweep/stopping_rule.hpp"
#include "sweep/sweep_directory.hpp"
#include "sweep/sweep_file.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/spelling.hpp"
#include "text/terminal.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

namespace dibs::commands {
namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// Has the offer window follow the length of leases, as `tune` does; says so.
void add_implied(const sweep_request& r, sweep::sweep_request& s) {
  std::vector<std::string> varied;
  for (const auto* axes : {&s.design.grid, &s.design.zip}) {
    for (const sweep::axis& a : *axes) {
      varied.push_back(a.path);
    }
  }
  std::vector<std::string> fixed;
  for (const sweep::derivation& d : s.design.derive) {
    fixed.push_back(d.path);
  }
  for (const scenario::override_value& o : s.overrides) {
    fixed.push_back(o.path);
  }
  const scenario::reading base =
      varied.empty() ? scenario::reading() : scenario::read_file(s.file, s.overrides);
  if (varied.empty() || !base.ok()) {
    return;
  }
  for (sweep::derivation& each : sweep::implied_by(varied, fixed, base.value)) {
    if (!r.quiet) {
      tell_notes({sweep::sentence_of(each, base.value)});
    }
    s.design.derive.push_back(std::move(each));
  }
}

/// What was asked for on the command line, with a sweep file's content before it; nothing if the
/// file's diagnostics were told.
std::optional<sweep::sweep_request> request_of(const sweep_request& r) {
  sweep::sweep_request s;
  s.file = r.file;
  if (sweep::is_sweep_file(r.file)) {
    sweep::sweep_reading reading = sweep::read_sweep_file(r.file);
    if (!reading.diagnostics.empty()) {
      print_diagnostics(reading.diagnostics);
      return std::nullopt;
    }
    s.file = reading.value.scenario;
    s.overrides = std::move(reading.value.overrides);
    s.design = std::move(reading.value.design);
    s.seeds = reading.value.seeds.value_or(s.seeds);
    s.seed = reading.value.seed;
  }
  append(s.overrides, r.overrides);
  append(s.design.grid, r.design.grid);
  const std::size_t groups = sweep::next_group(s.design);
  for (sweep::axis a : r.design.zip) {
    a.group += a.group > 0 ? groups : 0;  // the first group goes on with the file's first
    s.design.zip.push_back(std::move(a));
  }
  append(s.design.derive, r.design.derive);
  append(s.design.where, r.design.where);
  s.seeds = r.seeds.value_or(s.seeds);
  s.seed = r.seed ? r.seed : s.seed;
  s.precision = r.precision;
  s.shard = r.shard;
  s.yes = r.yes;
  s.stop = stop_flag();
  add_implied(r, s);
  return s;
}

result<sweep::journal> journal_in(const sweep::sweep_directory& d, const sweep::plan& p) {
  std::error_code failed;
  return std::filesystem::exists(d.journal(), failed)
             ? sweep::journal::resume(d.journal(), p, this_build())
             : sweep::journal::begin(d.journal(), p, this_build());
}

enum class ending : std::uint8_t { stopped, whole };

/// Runs what is wanted and the journal lacks. Errors: those of the runs and the journal.
result<void> run_round(const sweep_request& r,
                       const sweep::plan& p,
                       sweep::journal& j,
                       const std::string& program,
                       work::shared_study* shared,
                       const std::set<std::pair<std::uint32_t, std::uint32_t>>& finished,
                       const sweep::replication_targets& wanted) {
  const std::uint64_t runs = wanted.all() - finished.size();
  watcher progress(r.quiet, static_cast<std::uint32_t>(std::min<std::uint64_t>(runs, UINT32_MAX)));
  const auto keep = [&](const results::run_record& record) { return j.add(record); };
  if (shared != nullptr) {
    return sweep::run_rest_shared(
        p, wanted.replications, finished, *shared, keep, counter_of(progress, runs));
  }
  sweep::runner_options how;
  how.jobs = r.jobs;
  how.stop = stop_flag();
  how.on_progress = progress.callback();
  how.replay_line = [&](const sweep::point& at, std::uint64_t seed) {
    return sweep::replay_line(p, program, at, seed);
  };
  return sweep::run_rest(p, wanted.replications, finished, how, keep);
}

/// How a sweep ended, and what was wanted of it.
struct ended_sweep {
  ending how = ending::whole;
  sweep::replication_targets wanted;
};

/// Has the runs of other parts count as finished; returns how many they are.
std::uint64_t leave_to_others(const sweep::plan& p,
                              const sweep::replication_targets& wanted,
                              std::set<std::pair<std::uint32_t, std::uint32_t>>& finished) {
  std::uint64_t others = 0;
  std::uint64_t run = 0;
  for (std::uint32_t point = 1; point <= p.points.size(); ++point) {
    for (std::uint32_t k = 1; k <= wanted.replications[point - 1]; ++k) {
      const bool is_ours = !p.shard || p.shard->has(run++);
      others += !is_ours && finished.emplace(point, k).second ? 1U : 0U;
    }
  }
  return others;
}

/// Runs what the journal lacks, in rounds until every point is as precise as was wanted.
result<ended_sweep> run_rest(const sweep_request& r,
                             const sweep::plan& p,
                             sweep::journal& j,
                             work::shared_study* shared,
                             const std::string& program) {
  for (bool first = true;; first = false) {
    auto finished = j.finished();
    if (!finished) {
      return tl::unexpected<error>(finished.error());
    }
    auto wanted = sweep::wanted_by(p, j);
    if (!wanted) {
      return tl::unexpected<error>(wanted.error());
    }
    const std::uint64_t others = leave_to_others(p, *wanted, *finished);
    if (first && finished->size() > others && !r.quiet) {
      print_diagnostics(fmt::format("dibs: {} of {} runs are there already\n",
                                    text::with_thousands(finished->size() - others),
                                    text::with_thousands(wanted->all() - others)));
    }
    if (finished->size() >= wanted->all()) {
      return ended_sweep{ending::whole, std::move(*wanted)};
    }
    if (stopped_by()) {
      return ended_sweep{ending::stopped, std::move(*wanted)};
    }
    if (const auto ran = run_round(r, p, j, program, shared, *finished, *wanted); !ran) {
      return tl::unexpected<error>(ran.error());
    }
  }
}

/// Whether a sweep file alone, without what the command line adds, makes no sense either. Not
/// looked into where it alone has more points than are run unasked: each would have to be read.
bool is_wrong_by_itself(const sweep_request& r) {
  if (!sweep::is_sweep_file(r.file)) {
    return false;
  }
  sweep_request alone;
  alone.file = r.file;
  alone.yes = true;
  const auto asked = request_of(alone);
  if (!asked || (asked->design.grid.empty() && asked->design.zip.empty()) ||
      sweep::size_of(asked->design) > sweep::runs_unasked_max) {
    return false;
  }
  const auto p = sweep::make_plan(*asked);
  return !p && p.error().why.code == exit_code::usage;
}

int refused(const sweep_request& r, sweep::planning_error problem) {
  print_diagnostics(problem.diagnostics);
  if (problem.why.code == exit_code::usage && is_wrong_by_itself(r)) {
    problem.why = {exit_code::invalid_input,
                   text::display_text(r.file, 200) + ": " + problem.why.text};
  }
  const int code = fail(problem.why);
  const auto stopped = stopped_by();
  return stopped ? static_cast<int>(*stopped) : code;
}

/// What is said of a part: the whole is judged once the parts are merged.
int conclude_part(const sweep_request& r,
                  const sweep::sweep_directory& d,
                  const sweep::plan& p,
                  const sweep::journal& j) {
  const auto finished = j.finished();
  if (!finished) {
    return fail(finished.error());
  }
  return r.quiet ? static_cast<int>(exit_code::done)
                 : finish(fmt::format("part {} of {}: {} of {} runs\nkept in {}\n",
                                      p.shard->part,
                                      p.shard->of,
                                      text::with_thousands(finished->size()),
                                      text::with_thousands(p.runs()),
                                      text::display_text(d.path().string(), 400)));
}

int interrupted(const sweep::sweep_directory& d,
                const sweep::replication_targets& wanted,
                sweep::journal& j) {
  const auto finished = j.finished();
  print_diagnostics(
      fmt::format("dibs: interrupted; {} of {} runs are kept in {}, go on with --resume\n",
                  finished ? text::with_thousands(finished->size()) : "an unknown number",
                  text::with_thousands(wanted.all()),
                  text::display_text(d.path().string(), 400)));
  return static_cast<int>(stopped_by().value_or(exit_code::interrupted));
}

/// The rows of a sweep of which some run broke off; the tables are written when it is whole.
void show_what_there_is(const sweep::sweep_directory& d,
                        const sweep::plan& p,
                        const sweep::journal& j) {
  auto unfinished = d.table(sweep::summary_name);
  if (!unfinished) {
    return;
  }
  const auto so_far = report::write_summary(
      j, p.base.thresholds, *unfinished, text::terminal_style_of(STDOUT_FILENO));
  if (so_far && so_far->runs > 0) {
    (void)finish(so_far->table);
  }
}

/// Whoever names what to go on with means what is there; but a part's line is typed again by an
/// engine, which does not know whether the part has begun. Errors: it is not there.
result<void> check_resumed(const sweep_request& r, const sweep::plan& p) {
  std::error_code none;
  if (!r.resume || !r.out || p.shard || std::filesystem::exists(*r.out, none)) {
    return {};
  }
  const std::filesystem::path asked = *r.out;
  std::vector<std::string> others;
  for (const auto& each : std::filesystem::directory_iterator(
           asked.has_parent_path() ? asked.parent_path() : ".", none)) {
    if (std::filesystem::exists(each.path() / sweep::journal_name, none)) {
      others.push_back(each.path().filename().string());
    }
  }
  const std::string near = text::closest_spelling(asked.filename().string(), others);
  return failure(exit_code::usage,
                 fmt::format("there is no sweep {} to go on with{}; without --resume it begins",
                             text::display_text(*r.out, 400),
                             near.empty() ? "" : fmt::format(", did you mean {}?", near)));
}

/// Nothing if it is shared with nobody.
result<std::unique_ptr<work::shared_study>> shared_study_of(const sweep_request& r,
                                                            const sweep::plan& p,
                                                            work::journal* j) {
  if (j == nullptr) {
    return std::unique_ptr<work::shared_study>();
  }
  return work::shared_study::open(
      *j, sweep::study_of(p, {}, this_build()), decider_of(r.sharing, r.jobs));
}

/// A part has a name of its own, which --resume finds again.
result<sweep::sweep_directory> directory_of(const sweep_request& r, const sweep::plan& p) {
  if (r.out) {
    return sweep::sweep_directory::open(*r.out, r.resume);
  }
  const std::string name =
      p.shard ? fmt::format("{}-{}-of-{}", p.base.name, p.shard->part, p.shard->of) : p.base.name;
  return sweep::sweep_directory::open_numbered(sweeps_folder, name, r.resume);
}

bool has_begun(const sweep::sweep_directory& d) {
  std::error_code none;
  return std::filesystem::exists(d.journal(), none);
}

}  // namespace

int sweep(const sweep_request& r, const std::string& program) {
  if (!r.parts.empty()) {
    return merge_sweep(r, program);
  }
  const stopwatch watch;
  auto asked = request_of(r);
  if (!asked) {
    return static_cast<int>(exit_code::invalid_input);
  }
  if (r.warmup) {
    if (const auto found = resolve_warmup(asked->file, asked->overrides, r.jobs, r.quiet); !found) {
      return fail(found.error());
    }
  }
  const auto p = sweep::make_plan(*asked);
  if (!p) {
    return refused(r, p.error());
  }
  if (!r.force) {
    if (const auto fits = check_room(*p, r.jobs); !fits) {
      return fail(fits.error());
    }
  }
  const auto others = journal_of(r.sharing);
  if (!others) {
    return fail(others.error());
  }
  if (const auto there = check_resumed(r, *p); !there) {
    return fail(there.error());
  }
  const auto d = directory_of(r, *p);
  if (!d) {
    return fail(d.error());
  }
  if (!r.quiet) {
    tell_notes(sweep::remarks_on(*p));
  }
  if (r.resume && !p->shard && !has_begun(*d)) {
    print_diagnostics(fmt::format("dibs: {} is new: nothing to go on with, the sweep begins\n",
                                  text::display_text(d->path().string(), 400)));
  }
  auto j = journal_in(*d, *p);
  if (!j) {
    return fail(j.error());
  }
  const auto shared = shared_study_of(r, *p, others->get());
  if (!shared) {
    return fail(shared.error());
  }
  const auto ended = run_rest(r, *p, *j, shared->get(), program);
  if (!ended) {
    if (r.format != format::json && !r.quiet) {
      show_what_there_is(*d, *p, *j);
    }
    return fail(ended.error());
  }
  if (ended->how == ending::stopped) {
    return interrupted(*d, ended->wanted, *j);
  }
  if (const auto settled = j->close_log(); !settled) {
    return fail(settled.error());
  }
  if (p->shard) {
    return conclude_part(r, *d, *p, *j);
  }
  return conclude_sweep(r, program, *d, *p, *j, ended->wanted, watch);
}

}  // namespace dibs::commands
