/// A map over two fields, for a terminal.
#pragma once

#include "sweep/region.hpp"
#include "text/terminal.hpp"

#include <string>

namespace dibs::study {

/// At most 100 columns: the map, and what the difference is.
[[nodiscard]] std::string text_of(const region& r, const report::look& l);

}  // namespace dibs::study
