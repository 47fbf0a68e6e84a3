/// Letting time pass.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"

#include <atomic>

namespace dibs::torment {

/// The thread sleeps.
void let_pass(sim_duration d);

/// Until `machine_time` is `t`. Errors (exit code 130): `stop`, if there is one, was set.
[[nodiscard]] result<void> wait_until(sim_duration t, const std::atomic<bool>* stop);

}  // namespace dibs::torment
