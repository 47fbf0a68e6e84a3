/// A quadratic in up to three variables through noisy figures, and where it is least.
///
/// Fitted by least squares to the means at the points of a design. The same design gives the slope
/// and the bend of every replication, and an interval of the least place is where the slope may be
/// 0 for all that they differ (Fieller 1954): where little bends, it reaches as far as it has to.
/// Pure.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace dibs::stats {

inline constexpr std::size_t variables_max = 3;

/// A place, in coordinates from -1 to 1; only the first `variables` of them count.
using place = std::array<double, variables_max>;

struct located_minimum {
  place at{};  ///< within the box
  /// Ends of the 95 % interval of each variable, the others where they are least then; beyond the
  /// box too, and infinite if it is not shown that anything bends upwards.
  place low{};
  place high{};
  place bend{};         ///< of each variable, in its standard errors
  bool inside = false;  ///< a true minimum between the ends in every variable
  int order = 2;        ///< of the box's width, with which a misfit moves the place
  double misfit = 0;    ///< the most by which a point's mean is off the curve, in standard errors
};

/// `samples[p]` are the replications at `points[p]`, as many at all of them, on common seeds.
/// Nothing if the design does not determine a quadratic. Requires: 1 to 3 variables, two
/// replications.
[[nodiscard]] std::optional<located_minimum> minimise_quadratic(
    std::span<const place> points,
    std::span<const std::vector<double>> samples,
    std::size_t variables);

}  // namespace dibs::stats
