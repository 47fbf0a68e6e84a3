/// Delta debugging: which of many parts does it take?
///
/// The algorithm ddmin of A. Zeller and R. Hildebrandt, "Simplifying and Isolating
/// Failure-Inducing Input", IEEE Transactions on Software Engineering 28 (2002).
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace dibs::shrink {

/// Whether it still shows with these parts alone, given by number in ascending order.
using still_shows = std::function<bool(const std::vector<std::size_t>& kept)>;

/// Parts of `0 .. parts-1` with which it shows, none of which can be left out alone (unless `shows`
/// answers differently when it is asked again). Requires: it shows with all of them.
[[nodiscard]] std::vector<std::size_t> ddmin(std::size_t parts, const still_shows& shows);

}  // namespace dibs::shrink
