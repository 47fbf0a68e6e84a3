/// The parts of the table of cases.
#pragma once

#include "torment/cases.hpp"

#include <vector>

namespace dibs::torment {

[[nodiscard]] std::vector<real_case> postgres_cases();
[[nodiscard]] std::vector<real_case> queue_cases();
[[nodiscard]] std::vector<real_case> redis_cases();
[[nodiscard]] std::vector<real_case> redlock_cases();
[[nodiscard]] std::vector<real_case> etcd_cases();

}  // namespace dibs::torment
