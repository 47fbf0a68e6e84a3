/// How bad it is, and which of two is worse. Pure.
#pragma once

#include "check/check.hpp"
#include "incidents/replicated.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::check {

/// No trip and no promise should see it, whatever befalls the design.
[[nodiscard]] bool is_of_safety(std::string_view metric);

/// The change of a share in points of 0.01, of times in the same measure: a minute of the 90th
/// percentile of the time to match counts as ten points. 0 for a figure that is neither.
[[nodiscard]] double points(const incidents::paired_change& c);

/// Whether service loses so much that it is worth a line of its own: 5 points.
[[nodiscard]] bool is_large_loss(const incidents::paired_change& c);

/// How much of that there is to lose or to gain: the larger figure, of what should be all the part
/// that is missing.
[[nodiscard]] double lacking(const incidents::paired_change& c);

/// How large a change is, in units of the least that is worth telling: a point of riders matched or
/// accepts lost, 4 points of accepts missed, 0.15 of drivers hidden, 3 s of the wait, 20 s of the
/// way to the pick-up.
[[nodiscard]] double in_units(const incidents::paired_change& c);

/// Whether it is of those alone who were matched: their waits, their drivers' ways. It is better
/// where the late ones are not matched, and nobody gains.
[[nodiscard]] bool is_of_matched(std::string_view metric);

/// Whether anything happened that could count as breaking: else there is nothing to hold it
/// against.
[[nodiscard]] bool may_break(const incidents::replicated& with);

/// Fills in outcome and `worse` from two sets of runs. `harms_alone`: of a rule those figures
/// alone, however much worse others are.
void weigh(row& r,
           const incidents::replicated& with,
           const incidents::replicated& without,
           const std::vector<std::string>& harms,
           bool harms_alone = false);

/// The order of rows: rules and settings of one's own that do harm, then what breaks before what
/// degrades, each by the figures.
[[nodiscard]] bool is_worse(const row& a, const row& b);

/// Thresholds that the runs miss, as they are written: `ttm.p95 <= 45s`.
[[nodiscard]] std::vector<std::string> missed_by(const incidents::replicated& runs,
                                                 const scenario::scenario& s);

}  // namespace dibs::check
