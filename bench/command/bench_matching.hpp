/// `dibs bench matching`.
#pragma once

#include "commands/requests.hpp"

namespace dibs::bench {

/// Measures, prints and returns the exit code.
[[nodiscard]] int bench_matching(const commands::bench_request& r);

}  // namespace dibs::bench
