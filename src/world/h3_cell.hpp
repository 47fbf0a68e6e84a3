/// The middle of a cell of H3, the grid of hexagons that many files name places by. The index of a
/// cell says where it lies: no table of cells is needed.
///
/// Source: the standard (https://h3geo.org) and its own program (https://github.com/uber/h3,
/// Apache-2.0), whose tables of the icosahedron and of the 122 coarsest cells stand here too.
#pragma once

#include "world/geography.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace dibs::world {

/// 15 hexadecimal digits, as `8a2a1072b59ffff`, perhaps after a 0 or 0x, or the same number in
/// decimal. Nothing if it is no cell: an edge, a vertex, or no index at all.
[[nodiscard]] std::optional<std::uint64_t> read_h3_cell(std::string_view text);

/// Of hexagons and pentagons of all sixteen resolutions, within a ten-millionth of a degree of
/// what the standard's own program says. Requires: a cell, as read above.
[[nodiscard]] place_in_degrees middle_of_h3_cell(std::uint64_t cell);

}  // namespace dibs::world
