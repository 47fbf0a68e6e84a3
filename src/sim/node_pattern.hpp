/// One node, or all of a kind: how links, clocks and faults say whom they mean.
#pragma once

#include "base/ids.hpp"

#include <cstdint>
#include <optional>

namespace dibs::sim {

/// `matcher/2`, `driver/*`, `lease_manager`. Numbers count from 0 here and from 1 in files.
struct node_pattern {
  node_kind kind{};
  std::optional<std::uint32_t> index;  ///< all of the kind if absent

  [[nodiscard]] constexpr bool covers(node_id n) const {
    return n.kind() == kind && (!index || *index == n.index());
  }
};

}  // namespace dibs::sim
