/// One node, or all of a kind, or several of these: how links, clocks and faults say whom they
/// mean.
#pragma once

#include "base/ids.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace dibs::sim {

/// `matcher/2`, `driver/*`, `lease_manager`. Numbers count from 0 here and from 1 in files.
struct node_pattern {
  node_kind kind{};
  std::optional<std::uint32_t> index;  ///< all of the kind if absent

  [[nodiscard]] constexpr bool covers(node_id n) const {
    return n.kind() == kind && (!index || *index == n.index());
  }
};

/// One side of a partition: a node that any of the patterns covers. Never empty.
struct node_group {
  std::vector<node_pattern> nodes{node_pattern{}};

  node_group() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): one pattern is a group like any other
  node_group(const node_pattern& only) : nodes{only} {}
  explicit node_group(std::vector<node_pattern> all) : nodes(std::move(all)) {}

  [[nodiscard]] bool covers(node_id n) const {
    return std::ranges::any_of(nodes, [n](const node_pattern& p) { return p.covers(n); });
  }
};

}  // namespace dibs::sim
