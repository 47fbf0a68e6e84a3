/// The lowest and highest value that a metric can have, at which its interval is cut. Pure.
#pragma once

#include "metrics/catalogue.hpp"
#include "stats/confidence_interval.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace dibs::metrics {

/// Of a figure over so many replications, which is a ratio of sums with `per` below its line; 0 for
/// one that is no ratio. No metric of the catalogue is ever below 0.
[[nodiscard]] stats::possible_range limits_of(const metrics::entry& e,
                                              std::size_t replications,
                                              double per);

/// Of a ratio of sums with `per` below its line: one case more of a count adds 1/per to it, if what
/// it is divided by is counted too.
[[nodiscard]] stats::possible_range limits_of_ratio(std::span<const std::string> numerators,
                                                    std::span<const std::string> denominators,
                                                    double per);

}  // namespace dibs::metrics
