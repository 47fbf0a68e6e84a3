// `dibs tune`: the best value of one to three fields, how sure that is, and what it costs.

#include "tune/tune.hpp"

#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/experiment_runs.hpp"
#include "commands/holdout.hpp"
#include "commands/shared_journal.hpp"
#include "commands/stop_signal.hpp"
#include "commands/warmup.hpp"
#include "report/study_tables.hpp"
#include "report/tuning_text.hpp"
#include "sweep/ineffective_fields.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"
#include "text/wrapping.hpp"
#include "tune/validation.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace dibs::commands {
namespace {

std::string question_of(const tune_request& r) {
  std::string text;
  for (const std::string& each : r.space.search) {
    text += (text.empty() ? "" : ", ") + each;
  }
  return text;
}

tl::expected<std::optional<sweep::search_space>, sweep::planning_error> space_held_out(
    const tune_request& r, std::uint64_t& pilots) {
  if (!r.holdout) {
    return std::optional<sweep::search_space>();
  }
  sweep::space_request other = r.space;
  other.file = *r.holdout;
  other.origins.assign(r.space.search.size(), "--search, on the --holdout");
  if (r.warmup) {
    const auto found = resolve_warmup(other.file, other.overrides, r.jobs, r.quiet);
    if (!found) {
      return tl::unexpected(sweep::planning_error{found.error(), {}});
    }
    pilots += *found;
  }
  auto there = sweep::search_space::make(other);
  if (!there) {
    return tl::unexpected(there.error());
  }
  return std::optional(std::move(*there));
}

/// Errors: the scenario that is held out is the one that is tuned.
result<void> check_held_out(const tune_request& r,
                            const sweep::search_space& where,
                            const std::optional<sweep::search_space>& there) {
  if (!there) {
    return {};
  }
  const auto same = is_same_demand(where.plan(), there->plan());
  if (!same) {
    return tl::unexpected<error>(same.error());
  }
  return *same ? failure(exit_code::usage,
                         fmt::format("--holdout: {} is the scenario that is tuned, and its runs "
                                     "would say the same again; name one with other demand, or "
                                     "with another seed",
                                     text::display_text(*r.holdout, 200)))
               : result<void>();
}

int end(const error& why) {
  const auto stopped = stopped_by();
  if (stopped) {
    print_diagnostics("dibs: interrupted, nothing was chosen\n");
    return static_cast<int>(*stopped);
  }
  return fail(why);
}

/// What a search needs once everything that was asked for makes sense.
struct tuning_job {
  const tune_request& asked;
  const std::string& program;
  sweep::search_space& where;
  std::optional<sweep::search_space>& there;
  std::uint64_t pilots = 0;
  const stopwatch& watch;
  work::journal* others = nullptr;  ///< null: nobody works on it but this process
};

report::tuning_account account_of(const tuning_job& job, const tune::tuning& found) {
  report::tuning_account account;
  account.name = job.where.plan().base.name;
  account.question = question_of(job.asked);
  account.implied = job.where.implied();
  account.seed = job.where.plan().seed;
  account.shown = job.asked.shown;
  if (found.broken) {
    const auto point = job.where.point_of(found.broken_at);
    account.replay = sweep::replay_line(job.where.plan(),
                                        job.program,
                                        job.where.plan().points[*point - 1].what,
                                        found.broken->seed);
  }
  return account;
}

/// `stuck`: of runs that got nowhere, for people.
std::string printed(study_format format,
                    const tune::tuning& found,
                    const report::tuning_account& account,
                    const std::string& stuck) {
  if (format != study_format::text) {
    const std::string all = report::json_of(found, account);
    return format == study_format::csv ? report::csv_of_tuning(text::text_as_json(all)) : all;
  }
  const auto screen = text::terminal_style_of(STDOUT_FILENO);
  return report::text_of(found, account, screen) + text::fitted(stuck, screen.width);
}

/// Where the scenario has prices and the user no other weights, what the harms cost.
tune::objective_request goal_of(const tune_request& r, const scenario::scenario& s) {
  tune::objective_request goal = r.goal;
  if (goal.objective.empty() && !goal.missed_weight_s && s.costs.any()) {
    goal.objective = "costs.per_ride";
  }
  return goal;
}

int run(const tuning_job& job) {
  const tune_request& r = job.asked;
  const auto goal = goal_of(r, job.where.plan().base);
  const auto what = tune::objective_spec::make(goal, job.where.plan().base.thresholds);
  if (!what) {
    return fail(what.error());
  }
  const auto elapsed = [&] { return job.watch.seconds(); };
  const auto what_there =
      tune::objective_spec::make(goal, (job.there ? *job.there : job.where).plan().base.thresholds);
  if (!what_there) {
    return fail(what_there.error());
  }
  std::optional<holdout> other;
  sweep::budget limits{.runs = r.how.runs - std::min(job.pilots, r.how.runs),
                       .seconds = r.seconds,
                       .elapsed = elapsed};
  if (job.there) {
    other.emplace(r, job.program, *job.there, *what_there, elapsed, job.others);
    if (r.seconds) {
      const auto seconds = other->seconds_to_hold_back();
      if (!seconds) {
        return end(seconds.error());
      }
      *limits.seconds -= *seconds;
    } else {
      limits.held_back = other->runs_to_hold_back(limits.runs);
    }
  }
  experiment_runs runs(job.where,
                       job.program,
                       {.jobs = r.jobs,
                        .quiet = r.quiet,
                        .runs = r.seconds ? 0 : limits.runs - limits.held_back,
                        .seconds = limits.seconds,
                        .journal = job.others,
                        .decider = decider_of(r.sharing, r.jobs)});
  sweep::experiment experiment(job.where.plan().seed, limits, runs.experiment(what->index.names()));
  auto found = tune::tune(
      job.where, *what, r.how, experiment, [&](const std::string& text) { runs.say(text); });
  runs.clear();
  if (!found) {
    return end(found.error());
  }
  found->spent.pilots = job.pilots;
  report::tuning_account account = account_of(job, *found);
  if (other && !found->rows.empty()) {
    auto held = other->judge(*found, r.seconds ? UINT64_MAX : experiment.left_with_held());
    if (!held) {
      return end(held.error());
    }
    account.holdout_name = job.there->plan().base.name;
    account.holdout = std::move(*held);
  }
  account.wall_s = job.watch.seconds();
  account.stuck = sweep::stuck_points(job.where.plan(), experiment);
  const auto& first_stuck = account.stuck.empty() && job.there ? *job.there : job.where;
  if (other) {
    const auto there = other->stuck();
    account.stuck.insert(account.stuck.end(), there.begin(), there.end());
  }
  const exit_code code = tune::code_of(*found);
  return finish(
      printed(r.format,
              *found,
              account,
              sweep::text_of(account.stuck, first_stuck.plan(), job.program)),
      account.stuck.empty() || code == exit_code::invariant_broke ? code : exit_code::inconclusive);
}

}  // namespace

int tune(const tune_request& r, const std::string& program) {
  const stopwatch watch;
  sweep::space_request asked = r.space;
  asked.stop = stop_flag();
  std::uint64_t pilots = 0;
  if (r.warmup) {
    const auto found = resolve_warmup(asked.file, asked.overrides, r.jobs, r.quiet);
    if (!found) {
      return end(found.error());
    }
    pilots = *found;
  }
  auto where = sweep::search_space::make(asked);
  if (!where) {
    return refuse(where.error());
  }
  auto there = space_held_out(r, pilots);
  if (!there) {
    return refuse(there.error());
  }
  if (const auto other = check_held_out(r, *where, *there); !other) {
    return fail(other.error());
  }
  if (!r.force) {
    if (const auto fits = check_room(where->plan(), r.jobs); !fits) {
      return fail(fits.error());
    }
  }
  if (!r.quiet) {
    tell_notes(sweep::remarks_on(where->plan()));
  }
  const auto others = journal_of(r.sharing);
  if (!others) {
    return fail(others.error());
  }
  return run({r, program, *where, *there, pilots, watch, others->get()});
}

}  // namespace dibs::commands
