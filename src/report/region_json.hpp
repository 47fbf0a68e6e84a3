/// A map over two fields, for programs.
#pragma once

#include "sweep/region.hpp"

#include <string>

namespace dibs::study {

/// All of it, and what `dibs report` reads; null where the bound is no finite time.
[[nodiscard]] std::string json_of(const region& r);

}  // namespace dibs::study
