/// `dibs bench matching`.
#pragma once

#include "commands/requests.hpp"

namespace dibs::cli {

/// Measures, prints and returns the exit code.
[[nodiscard]] int bench_matching(const bench_request& r);

}  // namespace dibs::cli
