/// What a case needs of the machine that it runs on.
#pragma once

#include "base/result.hpp"
#include "torment/cases.hpp"

namespace dibs::torment {

/// Errors (exit code 6): a package is missing (and named), or this program may not do what the case
/// takes.
[[nodiscard]] result<void> check_needs(const real_case& c);

}  // namespace dibs::torment
