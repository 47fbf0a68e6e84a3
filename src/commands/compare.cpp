// `dibs compare`: two sets of runs on the same seeds, and what differs between them.

#include "commands/commands.hpp"
#include "commands/compare_inputs.hpp"
#include "commands/console.hpp"
#include "commands/memory_check.hpp"
#include "commands/progress_watcher.hpp"
#include "commands/stop_signal.hpp"
#include "commands/warmup.hpp"
#include "engine/prepared_scenario.hpp"
#include "report/comparison_text.hpp"
#include "scenario/field_paths.hpp"
#include "scenario/overrides.hpp"
#include "scenario/warnings.hpp"
#include "sweep/comparison.hpp"
#include "sweep/implied_fields.hpp"
#include "sweep/replications.hpp"
#include "sweep/stuck_runs.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

namespace dibs::commands {
namespace {

using override_values = std::vector<scenario::override_value>;

override_values joined(const override_values& common, const override_values& own) {
  override_values all = common;
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

/// What is set on one side alone, with the offer window where the length of leases is, as `tune`
/// and `sweep` have it; says so. Both sides read the file with what they have in common first.
override_values with_window(const compare_request& r,
                            const std::string& file,
                            const override_values& common,
                            override_values own) {
  std::vector<std::string> ttls;  // of them the last counts
  std::vector<std::string> fixed;
  for (const auto* all : {&common, &std::as_const(own)}) {
    for (const scenario::override_value& o : *all) {
      if (all == &own && o.path == "lease.ttl") {
        ttls = {o.value};
      } else {
        fixed.push_back(o.path);
      }
    }
  }
  std::error_code failed;
  if (ttls.empty() || !std::filesystem::is_regular_file(file, failed)) {
    return own;
  }
  const scenario::reading base = scenario::read_file(file, common);
  sweep::grid_spec one;
  one.grid = {{"lease.ttl", ttls}};
  if (base.ok()) {
    one.derive = sweep::implied_by({"lease.ttl"}, fixed, base.value);
  }
  const auto points = one.derive.empty()
                          ? result<std::vector<sweep::point>>(std::vector<sweep::point>())
                          : sweep::expand(one, scenario::field_values(base.value));
  if (points && !points->empty()) {
    const scenario::override_value& window = points->front().fields.back();
    if (!r.quiet) {
      tell_notes({fmt::format("lease.ttl={}: {}; here {}",
                              text::display_text(ttls.front(), 40),
                              sweep::sentence_of(one.derive.front(), base.value),
                              scenario::text_of(window))});
    }
    own.push_back(window);
  }
  return own;
}

bool is_free(const std::vector<compare_input>& sides) {
  return sides.size() == 1 && sides[0].count == 0;
}

/// Scenarios run on the seeds of what was run already; two of them, on those that were asked for.
result<void> agree_on_seeds(const compare_request& r,
                            std::vector<compare_input>& a,
                            std::vector<compare_input>& b) {
  const bool both_free = is_free(a) && is_free(b);
  if (!both_free && (r.seeds || r.seed)) {
    return failure(exit_code::usage,
                   "--seeds and --seed are for two scenarios; runs that were kept have theirs");
  }
  if (both_free) {
    const std::uint64_t root = r.seed.value_or(a[0].scenario->seed);
    for (compare_input* s : {&a[0], &b[0]}) {
      s->seed = root;
      s->count = r.seeds.value_or(sweep::seeds_standard);
      s->count = r.precision ? std::max(s->count, sweep::precise_seeds_min) : s->count;
    }
    return {};
  }
  compare_input* const open = is_free(a) ? &a[0] : is_free(b) ? &b[0] : nullptr;
  if (open != nullptr) {
    const compare_input& kept = is_free(a) ? b[0] : a[0];
    if (!kept.seed) {
      return failure(exit_code::usage, fmt::format("{} has no whole runs", kept.label));
    }
    open->seed = kept.seed;
    open->count = kept.count;
  }
  return {};
}

result<void> check_room(const compare_input& s, std::uint32_t jobs) {
  if (!s.scenario) {
    return {};
  }
  const std::uint64_t needed = engine::memory_estimate(*s.scenario);
  const std::uint64_t at_a_time = std::min(jobs, std::max(s.count, 1U));
  return check_memory(needed > UINT64_MAX / at_a_time ? UINT64_MAX : needed * at_a_time,
                      memory_available());
}

result<void> run_all(const compare_request& r,
                     std::vector<compare_input>& a,
                     std::vector<compare_input>& b) {
  for (std::vector<compare_input>* sides : {&a, &b}) {
    for (compare_input& s : *sides) {
      if (!r.force) {
        if (auto fits = check_room(s, r.jobs); !fits) {
          return fits;
        }
      }
      if (auto done = run_side(s, r.jobs, r.quiet); !done || stopped_by()) {
        return done;
      }
    }
  }
  return {};
}

std::optional<scenario::field_values> fields_of(const compare_input& s) {
  return s.scenario ? scenario::field_values(*s.scenario) : s.fields;
}

/// Each point of one with the same point of the other, or one side with each point of the other.
result<std::vector<sweep::comparison>> compare_sides(const std::vector<compare_input>& a,
                                                     const std::vector<compare_input>& b) {
  if (a.size() != b.size() && a.size() != 1 && b.size() != 1) {
    return failure(exit_code::usage,
                   fmt::format("the sweeps have {} and {} points; name one of each, as in "
                               "sweeps/NAME:3",
                               a.size(),
                               b.size()));
  }
  std::vector<sweep::comparison> all;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const compare_input& one = a[a.size() == 1 ? 0 : i];
    const compare_input& other = b[b.size() == 1 ? 0 : i];
    auto c = sweep::compare(one.label, one.runs, other.label, other.runs);
    if (!c) {
      return tl::unexpected<error>(c.error());
    }
    if (const auto ours = fields_of(one), theirs = fields_of(other); ours && theirs) {
      c->fields = ours->differences(*theirs);
      sweep::note_without_effect(
          *c, one.scenario ? &*one.scenario : nullptr, other.scenario ? &*other.scenario : nullptr);
    }
    all.push_back(std::move(*c));
  }
  return all;
}

/// Says the first promise that broke on each side. Whether there is none.
bool tell_violations(const std::vector<compare_input>& sides) {
  for (const compare_input& s : sides) {
    for (const results::run_record& run : s.runs) {
      if (run.violations > 0) {
        print_diagnostics(fmt::format("dibs: {}, seed {}: a promise was broken: {}\n",
                                      s.label,
                                      run.seed,
                                      text::display_text(run.violation, 300)));
        return false;
      }
    }
  }
  return true;
}

/// Says which runs got nowhere and were ended, with the command for one where the side is no
/// sweep's point, whose sweep has said it. Whether there is none.
bool tell_stuck(const std::vector<compare_input>& a, const std::vector<compare_input>& b) {
  std::vector<sweep::stuck_point> all;
  std::string replay;
  for (const auto* sides : {&a, &b}) {
    for (const compare_input& s : *sides) {
      const auto stuck = sweep::stuck_in(s.runs, s.label);
      if (!stuck) {
        continue;
      }
      if (all.empty() && !s.file.empty()) {
        results::run_results one;
        one.program = "dibs";
        one.file = s.file;
        one.overrides = s.overrides;
        replay = results::replay_line_of_seed(one, stuck->seed);
      }
      all.push_back(*stuck);
    }
  }
  print_diagnostics(sweep::text_of(all, replay));
  return all.empty();
}

/// Adds to a label what the side has where only the other one was changed.
void name_unset(std::vector<compare_input>& sides,
                const override_values& own,
                const override_values& other) {
  for (compare_input& s : sides) {
    if (!s.scenario || s.count > 0) {
      continue;
    }
    const scenario::field_values fields(*s.scenario);
    for (const scenario::override_value& o : other) {
      const bool is_set =
          std::ranges::any_of(own, [&](const auto& mine) { return mine.path == o.path; });
      if (const auto value = fields.find(o.path); value && !is_set) {
        s.label += ", " + text::display_text(o.path + "=" + *value);
      }
    }
  }
}

/// Runs more pairs until the difference of one metric is known to the wanted precision. Whether it
/// is in the end; nothing if it was stopped. Errors: those of the runs.
result<bool> run_until_precise(const compare_request& r, compare_input& a, compare_input& b) {
  const std::uint32_t pairs_max = r.yes ? 2 * sweep::precise_seeds_max
                                        : static_cast<std::uint32_t>(sweep::runs_unasked_max / 2);
  const auto ready_a = engine::prepare(*a.scenario);
  const auto ready_b = engine::prepare(*b.scenario);
  if (!ready_a || !ready_b) {
    return tl::unexpected<error>(ready_a ? ready_b.error() : ready_a.error());
  }
  while (!stopped_by()) {
    const auto c = sweep::compare(a.label, a.runs, b.label, b.runs);
    if (!c) {
      return tl::unexpected<error>(c.error());
    }
    const auto wanted =
        std::ranges::find_if(c->differences, [&](const auto& d) { return d.metric == r.precise; });
    if (wanted == c->differences.end()) {
      return failure(exit_code::usage,
                     fmt::format("{} has no value in these runs, so no precision either",
                                 text::display_text(r.precise)));
    }
    if (wanted->change.half_width() <= *r.precision * std::abs(wanted->a)) {
      return true;
    }
    const std::uint32_t have = a.count;
    const std::uint32_t until = std::min(have + std::max(have / 2, 10U), pairs_max);
    if (until == have) {
      return false;
    }
    for (const auto& [s, ready] : {std::pair(&a, &*ready_a), std::pair(&b, &*ready_b)}) {
      engine::run_options how;
      how.seed = *s->seed;
      how.stop = stop_flag();
      const auto more = sweep::replications(*s->scenario, *ready, how, have, until, r.jobs);
      if (!more) {
        return tl::unexpected<error>(more.error());
      }
      for (const engine::run_result& each : *more) {
        s->runs.push_back(results::record_of(each));
      }
      s->count = until;
    }
  }
  return false;
}

/// Errors: no such metric; runs that were kept, to which none can be added.
result<bool> make_precise(const compare_request& r,
                          std::vector<compare_input>& a,
                          std::vector<compare_input>& b) {
  if (!r.precision) {
    return true;
  }
  return run_until_precise(r, a[0], b[0]);
}

/// What scenarios of both sides say in vain, each said once.
std::vector<std::string> remarks_on(const std::vector<compare_input>& a,
                                    const std::vector<compare_input>& b) {
  std::vector<std::string> all;
  for (const auto* sides : {&a, &b}) {
    for (const compare_input& s : *sides) {
      for (std::string& each :
           s.scenario ? scenario::remarks_on(*s.scenario) : std::vector<std::string>()) {
        if (std::ranges::find(all, each) == all.end()) {
          all.push_back(std::move(each));
        }
      }
    }
  }
  return all;
}

/// Before anything runs.
result<void> check_options(const compare_request& r,
                           const std::vector<compare_input>& a,
                           const std::vector<compare_input>& b) {
  if (r.warmup && !(is_free(a) && is_free(b))) {
    return failure(exit_code::usage, "--warmup takes two scenarios; kept runs have theirs");
  }
  if (!r.precision) {
    return {};
  }
  if (auto sound = sweep::check_precise(r.precise); !sound) {
    return sound;
  }
  if (!is_free(a) || !is_free(b)) {
    return failure(exit_code::usage,
                   "--precision takes two scenarios; runs that were kept cannot be added to");
  }
  return {};
}

void tell_imprecise(const compare_request& r, std::uint32_t pairs) {
  print_diagnostics(fmt::format("dibs: {} is not known to {:.3g} % after {} pairs of runs\n",
                                r.precise,
                                100 * *r.precision,
                                text::with_thousands(pairs)) +
                    (r.yes ? "" : "dibs: more than 10,000 runs take --yes\n"));
}

}  // namespace

int compare(const compare_request& r) {
  const std::string& other = r.b.empty() ? r.a : r.b;
  override_values common = r.overrides;
  if (r.warmup) {
    // Both are measured over the same time.
    if (const auto found = resolve_warmup(r.a, common, r.jobs, r.quiet); !found) {
      return fail(found.error());
    }
  }
  const override_values of_a = with_window(r, r.a, common, r.overrides_of_a);
  const override_values of_b = with_window(r, other, common, r.overrides_of_b);
  auto a = compare_inputs_of(r.a, joined(common, of_a));
  if (!a) {
    return fail(a.error());
  }
  auto b = compare_inputs_of(other, joined(common, of_b));
  if (!b) {
    return fail(b.error());
  }
  if (const auto possible = check_options(r, *a, *b); !possible) {
    return fail(possible.error());
  }
  if (!r.quiet) {
    tell_notes(remarks_on(*a, *b));
  }
  name_unset(*a, of_a, of_b);
  name_unset(*b, of_b, of_a);
  if (const auto agreed = agree_on_seeds(r, *a, *b); !agreed) {
    return fail(agreed.error());
  }
  if (const auto ran = run_all(r, *a, *b); !ran) {
    return fail(ran.error());
  }
  const auto precise = stopped_by() ? result<bool>(false) : make_precise(r, *a, *b);
  if (!precise) {
    return fail(precise.error());
  }
  if (const auto stopped = stopped_by()) {
    print_diagnostics("dibs: interrupted, nothing was compared\n");
    return static_cast<int>(*stopped);
  }
  const auto all = compare_sides(*a, *b);
  if (!all) {
    return fail(all.error());
  }
  const bool kept_a = tell_violations(*a);
  const bool kept_b = tell_violations(*b);
  const bool ended = tell_stuck(*a, *b);
  std::string text;
  if (r.format != study_format::text) {
    text = r.format == study_format::csv ? report::csv_of(*all) : report::json_of(*all);
    for (const sweep::comparison& c : *all) {
      tell_notes(r.quiet ? std::vector<std::string>() : sweep::sentences_of(c.idle));
    }
  } else {
    for (const sweep::comparison& c : *all) {
      text += (text.empty() ? "" : "\n") +
              report::text_of(c, text::terminal_style_of(STDOUT_FILENO), r.shown);
    }
  }
  if (!*precise) {
    tell_imprecise(r, (*a)[0].count);
  }
  return finish(text,
                !(kept_a && kept_b) ? exit_code::invariant_broke
                : *precise && ended ? exit_code::done
                                    : exit_code::inconclusive);
}

}  // namespace dibs::commands
