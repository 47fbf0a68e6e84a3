/// `dibs bench`.
#pragma once

#include "commands/requests.hpp"

namespace dibs::bench {

/// Measures, prints and returns the exit code.
[[nodiscard]] int run_benchmark(const commands::bench_request& r);

}  // namespace dibs::bench
