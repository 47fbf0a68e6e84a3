/// What a metric cannot pass, whatever its interval. Pure.
#pragma once

#include "metrics/catalogue.hpp"
#include "report/interval.hpp"

#include <cstddef>

namespace dibs::report {

/// Of a figure over so many replications, which is a ratio of sums with `per` below its line; 0 for
/// one that is no ratio. No metric of the catalogue is ever below 0.
[[nodiscard]] limits limits_of(const metrics::entry& e, std::size_t replications, double per);

}  // namespace dibs::report
