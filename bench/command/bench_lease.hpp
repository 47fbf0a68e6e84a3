/// `dibs bench lease`.
#pragma once

#include "commands/requests.hpp"

namespace dibs::cli {

/// Measures, prints and returns the exit code.
[[nodiscard]] int bench_lease(const bench_request& r);

}  // namespace dibs::cli
