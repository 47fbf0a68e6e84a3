/// Local minima that a search over a grid may have missed: values that cost less than their
/// neighbours, but not the least of all.
///
/// The refinement searches around the winner alone, and ends where costs clearly rise. If they fall
/// again beyond that, only the values of the grid have been tried there. Reads the runs on the
/// first seeds.
#pragma once

#include "tune/search_context.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dibs::tune {

/// One sentence for each direction from the winner along each parameter with a range, if there is a
/// value that costs clearly less (by four standard errors, on common seeds) than one between it and
/// the winner, and is worse than the winner by no more than it goes up to one of its neighbours.
[[nodiscard]] std::vector<std::string> other_local_minima(const search_context& q,
                                                          std::uint32_t winner);

}  // namespace dibs::tune
