#include "check/own_rules.hpp"

#include "check/weighing.hpp"

#include <cmath>
#include <vector>

namespace dibs::check {
namespace {

/// Harms that differ by less are alike: then the rule that is told by fewer fields is the one.
constexpr double alike = 0.9;

bool is_bad_rule(const befallen& b) { return b.told.is_own() && b.told.is_harmed(); }

bool is_simpler(const befallen& a, const befallen& than) {
  if (a.told.outcome != than.told.outcome || a.told.worse.empty() || than.told.worse.empty()) {
    return false;
  }
  const incidents::paired_change& its = a.told.worse.front();
  const incidents::paired_change& other = than.told.worse.front();
  return its.metric == other.metric && a.how.cure.size() < than.how.cure.size() &&
         std::fabs(its.with_cause - its.without) >=
             alike * std::fabs(other.with_cause - other.without);
}

}  // namespace

result<void> tell_rules_apart(const study& of, std::span<befallen> all) {
  const befallen* worst = nullptr;
  for (const befallen& b : all) {
    if (is_bad_rule(b) && (worst == nullptr || is_simpler(b, *worst))) {
      worst = &b;
    }
  }
  for (befallen& b : all) {
    if (&b == worst || !is_bad_rule(b)) {
      continue;
    }
    const auto with = changed(of.mine, joined(b.how.with.set, worst->how.cure));
    const auto without = changed(of.mine, joined(b.how.without.set, worst->how.cure));
    if (!with || !without) {
      continue;
    }
    const auto one = of.runs.of(*with, b.told.name);
    const auto other = one ? of.runs.of(*without, b.told.name) : one;
    if (!other) {
      return tl::unexpected<error>(other.error());
    }
    row left;
    left.from = b.told.from;
    weigh(left, **one, **other, b.by->harms, b.is_unsaid);
    if (left.outcome < incidents::incident_outcome::degrades) {
      b.told.outcome = incidents::incident_outcome::survives;
      b.told.worse.clear();
      b.told.missed.clear();
    }
  }
  return {};
}

}  // namespace dibs::check
