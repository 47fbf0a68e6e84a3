// `dibs tune`: the best value of one to three fields, how sure that is, and what it costs.

#include "study/tune.hpp"

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/settle.hpp"
#include "cli/stop.hpp"
#include "cli/workshop.hpp"
#include "report/number.hpp"
#include "scenario/complaints.hpp"
#include "study/tuning_text.hpp"
#include "study/verdict.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace dibs::cli {
namespace {

constexpr std::size_t holdout_seeds = 20;
/// Of the budget: the holdout takes no more, on fewer seeds if need be.
constexpr std::uint64_t holdout_part = 4;

std::string question_of(const tune_request& r) {
  std::string text;
  for (const std::string& each : r.space.search) {
    text += (text.empty() ? "" : ", ") + each;
  }
  return text;
}

/// What the holdout will take at most: a value for each row of the answer.
std::uint64_t runs_to_hold_back(const study::space& where, std::uint64_t budget) {
  std::uint64_t rows = 2;  // the best, and today's
  for (const study::parameter& p : where.parameters()) {
    rows += p.values.size();
  }
  return std::min(rows * holdout_seeds, budget / holdout_part);
}

/// The same values on the demand of another scenario, with what the search left of the budget;
/// without rows if that is not enough.
result<study::tuning> hold_out(const tune_request& r,
                               const std::string& program,
                               study::space& there,
                               const study::tuning& found,
                               std::uint64_t left) {
  const auto what = study::goal::make(r.goal, there.plan().base.thresholds);
  if (!what) {
    return tl::unexpected<error>(what.error());
  }
  const std::uint64_t seeds = std::min<std::uint64_t>(holdout_seeds, left / found.rows.size());
  if (seeds < 2) {
    return study::tuning{};
  }
  workshop runs(there, program, {r.jobs, r.quiet});
  study::lab lab(there.plan().seed, {.runs = left}, runs.experiment(what->index.names()));
  runs.say("the same values on " + there.plan().base.name);
  return study::verdict({there, *what, r.how, lab, [](const std::string&) {}})
      .elsewhere(found, static_cast<std::size_t>(seeds));
}

tl::expected<std::optional<study::space>, study::planning_error> space_held_out(
    const tune_request& r, std::uint64_t& pilots) {
  if (!r.holdout) {
    return std::optional<study::space>();
  }
  study::space_request other = r.space;
  other.file = *r.holdout;
  other.origins.assign(r.space.search.size(), "--search, on the --holdout");
  if (r.warmup) {
    const auto found = settle(other.file, other.overrides, r.jobs, r.quiet);
    if (!found) {
      return tl::unexpected(study::planning_error{found.error(), {}});
    }
    pilots += *found;
  }
  auto there = study::space::make(other);
  if (!there) {
    return tl::unexpected(there.error());
  }
  return std::optional(std::move(*there));
}

int end(const error& why) {
  const auto stopped = stopped_by();
  if (stopped) {
    tell("dibs: interrupted, nothing was chosen\n");
    return static_cast<int>(*stopped);
  }
  return fail(why);
}

}  // namespace

int tune(const tune_request& r, const std::string& program) {
  const stopwatch watch;
  study::space_request asked = r.space;
  asked.stop = stop_flag();
  std::uint64_t pilots = 0;
  if (r.warmup) {
    const auto found = settle(asked.file, asked.overrides, r.jobs, r.quiet);
    if (!found) {
      return end(found.error());
    }
    pilots = *found;
  }
  auto where = study::space::make(asked);
  if (!where) {
    return refuse(where.error());
  }
  auto there = space_held_out(r, pilots);
  if (!there) {
    return refuse(there.error());
  }
  const auto what = study::goal::make(r.goal, where->plan().base.thresholds);
  if (!what) {
    return fail(what.error());
  }
  if (!r.force) {
    if (const auto fits = check_room(*where, r.jobs); !fits) {
      return fail(fits.error());
    }
  }
  workshop runs(*where, program, {r.jobs, r.quiet});
  const std::uint64_t budget = r.how.runs - std::min(pilots, r.how.runs);
  study::lab lab(where->plan().seed,
                 {.runs = budget,
                  .seconds = r.seconds,
                  .elapsed = [&] { return watch.seconds(); },
                  .held_back = *there ? runs_to_hold_back(*where, budget) : 0},
                 runs.experiment(what->index.names()));
  auto found =
      study::tune(*where, *what, r.how, lab, [&](const std::string& text) { runs.say(text); });
  runs.clear();
  if (!found) {
    return end(found.error());
  }
  found->spent.pilots = pilots;
  study::tuning_account account;
  account.name = where->plan().base.name;
  account.question = question_of(r);
  account.implied = where->implied();
  account.seed = where->plan().seed;
  if (*there && !found->rows.empty()) {
    auto held = hold_out(r, program, **there, *found, lab.left_with_held());
    if (!held) {
      return end(held.error());
    }
    account.holdout_name = (*there)->plan().base.name;
    account.holdout = std::move(*held);
  }
  if (found->broken) {
    const auto point = where->point_of(found->broken_at);
    account.replay = study::replay_line(
        where->plan(), program, where->plan().points[*point - 1].what, found->broken->seed);
  }
  account.wall_s = watch.seconds();
  return finish(r.format == format::json
                    ? study::json_of(*found, account)
                    : study::text_of(*found, account, report::look_of(STDOUT_FILENO)),
                study::code_of(*found));
}

}  // namespace dibs::cli
