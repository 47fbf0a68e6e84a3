/// The one place that knows yaml-cpp: clean text in, a tree out. No exception leaves it.
///
/// Walks the library's events rather than its tree, so that the bounds hold while it reads: at most
/// 64 levels, 25,000 nodes, one document, no anchors and aliases, no tags, no key twice.
#pragma once

#include "scenario/diagnostics.hpp"
#include "scenario/tree.hpp"

#include <optional>
#include <string_view>

namespace dibs::scenario {

inline constexpr std::size_t depth_max = 64;
inline constexpr std::size_t nodes_max = 25'000;

/// Reads `text` (see `normalised_text`). What is merely forbidden (a key twice, an alias, a tag) is
/// complained about and left out; nothing comes back when the rest makes no sense either.
[[nodiscard]] std::optional<node> parse_yaml(std::string_view text,
                                             int source,
                                             diagnostic_log& log);

}  // namespace dibs::scenario
