/// Rules of the scenario's own that do harm, told apart from each other.
#pragma once

#include "base/result.hpp"
#include "check/study.hpp"

#include <span>

namespace dibs::check {

/// Of several rules that do harm one may be felt through the others: leases that end too early are
/// no herd, though a jitter that lengthens them helps. So all but the worst are weighed again where
/// that one is right, and survive if nothing is left. Requires: the worst first.
[[nodiscard]] result<void> tell_rules_apart(const study& of, std::span<befallen> all);

}  // namespace dibs::check
