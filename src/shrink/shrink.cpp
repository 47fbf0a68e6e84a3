#include "shrink/shrink.hpp"

#include "scenario/written_tree.hpp"
#include "scenario/yaml_writer.hpp"
#include "shrink/passes.hpp"
#include "shrink/tree_parts.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace dibs::shrink {
namespace {

using scenario::node;

/// What no run depends on.
node without_words(node root) {
  for (const char* key :
       {"name", "question", "seed", "incident", "thresholds", "expect", "output"}) {
    take_out(root, key);
  }
  return root;
}

/// When rides are named. At once, the history is the one that was found, but for what is left out
/// it takes the same draws. Late, other things have become plain before, and it may take no draws
/// at all. Neither way is the better one for every harm.
enum class rides_are_named : std::uint8_t { late, at_once };

/// Big steps first: what makes runs short makes all that follows cheap.
void one_round(trials& t, rides_are_named when) {
  end_early(t);
  if (when == rides_are_named::at_once) {
    name_strikes(t);
    name_rides(t);
  }
  leave_out_parts(t, false);
  keep_one_class(t);
  name_strikes(t);
  fix_distributions(t);
  lower_counts(t);
  name_rides(t);
  begin_early(t);
  round_values(t);
  leave_out_parts(t, false);
}

/// What makes runs many times shorter, and so all that follows cheap.
void cut_largely(trials& t) {
  leave_the_map(t);
  end_early(t);
  move_earlier(t);
  thin_out(t);
  end_early(t);
  move_earlier(t);
  keep_last_rides(t);
}

constexpr std::uint64_t many_rides = 100;
constexpr std::uint64_t sure_seeds = 10;

/// Without its world a scenario is a line shorter. But on a map a ride may be far from any driver,
/// and the harm a matter of luck: then the world stays.
void leave_the_world(trials& t) {
  trials shorter = t;
  leave_out_parts(shorter, true);
  if (shorter.harmful_of(sure_seeds) >= t.harmful_of(sure_seeds)) {
    t = std::move(shorter);
  }
}

/// Rounds until one changes nothing.
void all_rounds(trials& t, rides_are_named when) {
  leave_the_map(t);
  std::string before;
  for (std::string now = scenario::write_yaml(t.best()); now != before && !t.is_over();
       now = scenario::write_yaml(t.best())) {
    before = now;
    one_round(t, when);
  }
  leave_the_world(t);
}

/// What a person has to take in: the lines, and each ride once more. Harm by a rare chance tells
/// less, so a scenario that does it with few seeds counts as a longer one.
std::uint64_t size_of(trials& t) {
  const std::string text = scenario::readable_yaml(t.best());
  return static_cast<std::uint64_t>(std::ranges::count(text, '\n')) + 2 * t.seen().rides +
         (sure_seeds - t.harmful_of(sure_seeds)) / 2;
}

void try_fresh_seeds(const oracle& shows, std::uint64_t seeds, shrunk& s) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const auto again = shows(s.root, seed, std::numeric_limits<std::uint64_t>::max());
    if (!again) {
      s.was_stopped = true;
      return;
    }
    ++s.fresh_seeds;
    s.fresh_harmful += again->harmful ? 1U : 0U;
  }
}

}  // namespace

std::optional<shrunk> smallest(const node& whole, const oracle& shows, const options& how) {
  const node begin = without_words(whole);
  auto seen = shows(begin, how.seed, std::numeric_limits<std::uint64_t>::max());
  if (!seen || !seen->harmful) {
    return std::nullopt;
  }
  trials cut(begin, *seen, shows, how.runs_max / 2, how.on_smaller);
  if (seen->rides > many_rides) {
    cut_largely(cut);
  }
  trials late = cut;
  all_rounds(late, rides_are_named::late);
  trials early = cut;
  if (!late.was_stopped()) {
    all_rounds(early, rides_are_named::at_once);
  }
  trials& t = size_of(early) < size_of(late) ? early : late;
  t.settle_seed(how.fresh_seeds);
  shrunk s;
  s.root = t.best();
  s.seen = t.seen();
  s.was_stopped = late.was_stopped() || early.was_stopped();
  s.ran_out = t.is_over() && !t.was_stopped();
  if (!s.was_stopped) {
    try_fresh_seeds(shows, how.fresh_seeds, s);
  }
  s.runs = late.runs() + early.runs() - cut.runs() + s.fresh_seeds;
  if (s.seen.seed != 1) {
    put(s.root, "seed", scenario::plain(std::to_string(s.seen.seed)));
  }
  return s;
}

}  // namespace dibs::shrink
