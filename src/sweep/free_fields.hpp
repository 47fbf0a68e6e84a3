/// Which fields of a study are its dimensions. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dibs::sweep {

/// The places of those fields that vary and do not follow from the free ones before them, as one
/// that was derived or zipped does. `points`: the values of each point, in the same order.
[[nodiscard]] std::vector<std::size_t> free_fields(
    const std::vector<std::vector<std::string>>& points);

}  // namespace dibs::sweep
