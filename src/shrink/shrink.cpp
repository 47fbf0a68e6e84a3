#include "shrink/shrink.hpp"

#include "scenario/yaml_writer.hpp"
#include "shrink/passes.hpp"
#include "shrink/tree_parts.hpp"

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

/// Big steps first: what makes runs short makes all that follows cheap.
void one_round(trials& t) {
  end_early(t);
  leave_out_parts(t);
  keep_one_class(t);
  name_strikes(t);
  fix_distributions(t);
  lower_counts(t);
  name_rides(t);
  begin_early(t);
  round_values(t);
  leave_out_parts(t);
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
  trials t(begin, std::move(*seen), shows, how.runs_max, how.on_smaller);
  std::string before;
  for (std::string now = scenario::write_yaml(t.best()); now != before && !t.is_over();
       now = scenario::write_yaml(t.best())) {
    before = now;
    one_round(t);
  }
  t.settle_seed(how.fresh_seeds);
  shrunk s;
  s.root = t.best();
  s.seen = t.seen();
  s.was_stopped = t.was_stopped();
  s.ran_out = t.is_over() && !t.was_stopped();
  if (!s.was_stopped) {
    try_fresh_seeds(shows, how.fresh_seeds, s);
  }
  s.runs = t.runs() + s.fresh_seeds;
  if (s.seen.seed != 1) {
    put(s.root, "seed", scenario::plain(std::to_string(s.seen.seed)));
  }
  return s;
}

}  // namespace dibs::shrink
