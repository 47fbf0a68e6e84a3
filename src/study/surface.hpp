/// A quadratic in up to three variables through noisy figures, and where it is least.
///
/// Fitted by least squares to the means at the points of a design; the same design gives the least
/// place of every replication left out in turn, so the place gets a jackknife interval of its own.
/// Pure.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace dibs::study {

inline constexpr std::size_t variables_max = 3;

/// A place, in coordinates from -1 to 1; only the first `variables` of them count.
using place = std::array<double, variables_max>;

struct least_place {
  place at{};
  /// Half widths of its 95 % interval, in the same coordinates.
  place half_width{};
  bool inside = false;  ///< a true minimum between the ends in every variable
};

/// `samples[p]` are the replications at `points[p]`, as many at all of them, on common seeds.
/// Nothing if the design does not determine a quadratic. Requires: 1 to 3 variables, two
/// replications.
[[nodiscard]] std::optional<least_place> find_least(std::span<const place> points,
                                                    std::span<const std::vector<double>> samples,
                                                    std::size_t variables);

}  // namespace dibs::study
