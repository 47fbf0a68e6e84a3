/// The TTLs around the scenario's own with which all holds that is to hold.
#pragma once

#include "base/result.hpp"
#include "check/study.hpp"

#include <span>
#include <vector>

namespace dibs::check {

/// Goes up and down from the scenario's own TTL until a cause breaks it, or a threshold is missed
/// that its own TTL meets; where it has no thresholds, until riders matched, the time to match, or
/// accepts lost or missed are worse by a tenth. The causes stay as long as they are for its own
/// TTL. Rising; empty where no lease runs out, or a cause breaks the scenario with its own TTL.
/// Requires: the worst first.
[[nodiscard]] result<std::vector<ttl_trial>> ttl_range(const study& of,
                                                       std::span<const befallen> all);

}  // namespace dibs::check
