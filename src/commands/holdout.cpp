#include "commands/holdout.hpp"

#include "commands/commands.hpp"
#include "commands/shared_journal.hpp"
#include "results/manifest.hpp"
#include "scenario/read.hpp"
#include "scenario/trace_source.hpp"
#include "tune/validation.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>
#include <vector>

namespace dibs::commands {
namespace {

constexpr std::uint64_t seeds_wanted = 20;
/// Of the budget: the holdout takes no more, on fewer seeds if need be.
constexpr std::uint64_t share_of_budget = 4;

/// Hashes of what its demand reads.
result<std::vector<std::string>> data_of(const scenario::scenario& s) {
  std::vector<std::string> all;
  for (const scenario::demand_source& source : s.demand) {
    for (const std::filesystem::path& file : scenario::files_of(source)) {
      const auto record = results::record_of(s.folder / file);
      if (!record) {
        return tl::unexpected<error>(record.error());
      }
      all.push_back(record->hash);
    }
  }
  return all;
}

/// At the first value that is tried: what the file itself has there makes no difference.
std::string without_names(const sweep::plan& p) {
  scenario::scenario s = sweep::scenario_of(p, p.points.front().what).value;
  s.name = "a scenario";
  s.question.clear();
  return scenario::dump(s);
}

}  // namespace

result<bool> is_same_demand(const sweep::plan& a, const sweep::plan& b) {
  if (without_names(a) != without_names(b)) {
    return false;
  }
  auto ours = data_of(a.base);
  auto theirs = data_of(b.base);
  if (!ours || !theirs) {
    return tl::unexpected<error>(ours ? theirs.error() : ours.error());
  }
  return *ours == *theirs;
}

holdout::holdout(const tune_request& r,
                 const std::string& program,
                 sweep::search_space& there,
                 const tune::objective_spec& what,
                 std::function<double()> elapsed,
                 work::journal* others)
    : asked_(r),
      there_(there),
      what_(what),
      elapsed_(std::move(elapsed)),
      runs_(there,
            program,
            {.jobs = r.jobs,
             .quiet = r.quiet,
             .journal = others,
             .decider = decider_of(r.sharing, r.jobs)}),
      experiment_(there.plan().seed,
                  {.seconds = r.seconds, .elapsed = elapsed_},
                  runs_.experiment(what.index.names())) {}

std::uint64_t holdout::rows() const {
  std::uint64_t all = 2;  // the best, and today's
  for (const sweep::parameter& p : there_.parameters()) {
    all += p.values.size();
  }
  return all;
}

std::uint64_t holdout::runs_to_hold_back(std::uint64_t budget) const {
  return std::min(rows() * seeds_wanted, budget / share_of_budget);
}

result<double> holdout::seconds_to_hold_back() {
  const double most = *asked_.seconds / static_cast<double>(share_of_budget);
  const double begun = elapsed_();
  const std::array first{1U};
  const auto ran = experiment_.extend(first, sweep::seed_block::fresh, 1, 0);
  runs_.clear();
  if (!ran) {
    return tl::unexpected<error>(ran.error());
  }
  const double runs = static_cast<double>(rows() * seeds_wanted);
  return std::min(most, runs * (elapsed_() - begun) / asked_.jobs);
}

result<tune::tuning> holdout::judge(const tune::tuning& found, std::uint64_t left) {
  const std::uint64_t seeds = std::min(seeds_wanted, left / found.rows.size());
  tune::tuning nothing;
  nothing.spent.validation = experiment_.runs();
  if (seeds < 2) {
    return nothing;
  }
  runs_.say("the same values on " + there_.plan().base.name);
  auto judged =
      tune::validation({there_, what_, asked_.how, experiment_, [](const std::string&) {}})
          .on_holdout(found, static_cast<std::size_t>(seeds));
  runs_.clear();
  return judged;
}

std::vector<sweep::stuck_point> holdout::stuck() const {
  auto all = sweep::stuck_points(there_.plan(), experiment_);
  for (sweep::stuck_point& each : all) {
    each.label += " on " + there_.plan().base.name;
  }
  return all;
}

}  // namespace dibs::commands
