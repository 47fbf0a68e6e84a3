/// `dibs bench lease --store`: what stores give, beside the lease machine, in one table.
#pragma once

#include "commands/requests.hpp"

namespace dibs::bench {

/// Measures and prints; returns the exit code.
[[nodiscard]] int bench_store(const commands::bench_request& r);

}  // namespace dibs::bench
