/// A cubic in one variable through noisy figures, and where it is least.
///
/// What a lease's time costs falls steeply and rises slowly: over a stretch that is wide enough for
/// a bend to be seen a quadratic puts the least value to the flat side. Fitted by least squares to
/// the means at the points of a design; the same design gives the slope of every replication. Pure.
#pragma once

#include "stats/quadratic_fit.hpp"

#include <optional>
#include <span>
#include <vector>

namespace dibs::stats {

/// Fewer points do not show that a cubic is one.
inline constexpr std::size_t points_of_cubic = 5;

/// As `minimise_quadratic` of one variable. The interval reaches to where the slope is shown to be
/// other than 0 at 95 %, and is infinite where that is not within half as far again as the points.
/// Nothing if the points do not determine a cubic. Requires: two replications.
[[nodiscard]] std::optional<located_minimum> minimise_cubic(
    std::span<const place> points, std::span<const std::vector<double>> samples);

}  // namespace dibs::stats
