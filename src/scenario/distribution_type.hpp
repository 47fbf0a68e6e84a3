/// Distributions of durations: `{dist: lognormal, median: 4s, sigma: 0.5}`.
#pragma once

#include "base/distribution.hpp"
#include "scenario/field_type.hpp"

namespace dibs::scenario {

/// How long something takes, which may be for ever (`dist: never`).
[[nodiscard]] field_type<distribution> a_wait();
/// How long something takes that does happen.
[[nodiscard]] field_type<distribution> a_delay();
/// How long something lasts, where that is mostly one length: a constant is written as that alone.
[[nodiscard]] field_type<distribution> a_length();
/// A difference, which may be negative.
[[nodiscard]] field_type<signed_distribution> an_offset();
/// How fast a clock runs, as what it gains in a second of true time (`sim::ppm`).
[[nodiscard]] field_type<signed_distribution> a_drift();

}  // namespace dibs::scenario
