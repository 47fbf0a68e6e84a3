#include "check/joint_mend.hpp"

#include "check/mend_cost.hpp"
#include "check/scale.hpp"
#include "scenario/field_paths.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace dibs::check {
namespace {

bool breaks_and_counts(const befallen& b) {
  return b.told.counts() && b.told.why_not.empty() &&
         b.told.outcome == incidents::incident_outcome::breaks;
}

/// The changes of each, once; of two values for a field the first.
mend joined_mend(std::span<const befallen> all, std::size_t& parts) {
  mend joint;
  std::vector<std::vector<scenario::override_value>> known;
  for (const befallen& b : all) {
    if (!breaks_and_counts(b) || !b.told.mended) {
      continue;
    }
    const auto& set = b.told.mended->what.set;
    if (std::ranges::find(known, set) != known.end()) {
      continue;
    }
    known.push_back(set);
    for (const scenario::override_value& each : set) {
      // A part of what is set already, as lease.restart.tokens of lease.restart, is no more.
      if (std::ranges::none_of(
              joint.set, [&](const auto& o) { return scenario::is_within(each.path, o.path); })) {
        joint.set.push_back(each);
      }
    }
  }
  parts = known.size();
  return joint;
}

}  // namespace

result<std::optional<joint_mend>> mends_together(const study& of, std::span<const befallen> all) {
  std::size_t parts = 0;
  const mend joint = joined_mend(all, parts);
  const auto mended = changed(of.mine, joint.set);
  if (parts < 2 || !mended) {
    return std::optional<joint_mend>();
  }
  auto cost = cost_of(of, joint);
  if (!cost) {
    return tl::unexpected<error>(cost.error());
  }
  joint_mend found{.told = std::move(cost->told)};
  for (const befallen& b : all) {
    if (!breaks_and_counts(b)) {
      continue;
    }
    ++found.of;
    const transplant t = transplanted(*b.by, *mended, scale_of(*b.by, of.mine));
    // A rule that is right now is no cause any more.
    if (!t.why_not.empty() || t.from == origin::other_rule) {
      continue;
    }
    const auto breaks = breaks_by(of, b, t.with.value, t.without.value);
    if (!breaks) {
      return tl::unexpected<error>(breaks.error());
    }
    found.breaks += *breaks ? 1U : 0U;
  }
  return std::optional(std::move(found));
}

}  // namespace dibs::check
