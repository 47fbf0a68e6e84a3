/// Where a search over a grid may have missed something: values that cost less than those around
/// them, but not the least of all.
///
/// A refinement goes on around the winner alone, and ends where it clearly gets worse. What lies
/// beyond and is lower again has been looked at only where the grid has a value. Reads what the
/// first seeds showed.
#pragma once

#include "tune/search_context.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dibs::study {

/// One sentence for each direction from the winner along each parameter with a range, if there is a
/// value that costs clearly less (by four standard errors, on common seeds) than one between it and
/// the winner, and is worse than the winner by no more than it goes up to one of its neighbours.
[[nodiscard]] std::vector<std::string> valleys_beside(const quest& q, std::uint32_t winner);

}  // namespace dibs::study
