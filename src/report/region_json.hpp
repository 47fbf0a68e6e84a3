/// A map over two fields, for programs.
#pragma once

#include "sweep/region.hpp"

#include <nlohmann/json_fwd.hpp>

namespace dibs::report {

/// All of it, and what `dibs report` reads; null where the bound is no finite time.
[[nodiscard]] nlohmann::ordered_json json_of(const sweep::region& r);

}  // namespace dibs::report
