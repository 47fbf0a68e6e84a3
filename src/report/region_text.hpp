/// A map over two fields, for a terminal.
#pragma once

#include "sweep/region.hpp"
#include "text/terminal.hpp"

#include <string>

namespace dibs::report {

/// At most 100 columns: the map, and what the difference is.
[[nodiscard]] std::string text_of(const sweep::region& r, const text::terminal_style& l);

}  // namespace dibs::report
