/// The parts of a scenario's tree beside what the table of fields says of them.
#pragma once

#include "base/time.hpp"
#include "scenario/field_description.hpp"
#include "scenario/tree.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::shrink {

/// The way to a part from the root: which item of each list and mapping.
using tree_path = std::vector<std::size_t>;

/// One part of a tree.
struct tree_part {
  tree_path path;
  const scenario::field_description* about = nullptr;  ///< null where the table does not know it
  std::string key;            ///< under which a mapping has it, or the list that it is an entry of
  std::size_t depth = 0;      ///< of the root's own fields: 1
  bool may_be_absent = true;  ///< no field that must be given, and no choice between mappings
};

/// All parts but the root, each before its own parts.
[[nodiscard]] std::vector<tree_part> parts_of(const scenario::node& root);

/// The part on that way, or null if the tree has none by now.
[[nodiscard]] const scenario::node* find(const scenario::node& root, const tree_path& path);
[[nodiscard]] scenario::node* find(scenario::node& root, const tree_path& path);

/// Puts a value under a key, in the place of what is there.
void put(scenario::node& mapping, std::string_view key, scenario::node value);
/// Takes a key away, if it is there.
void take_out(scenario::node& mapping, std::string_view key);
/// The tree with a section of that value.
[[nodiscard]] scenario::node with(const scenario::node& root,
                                  std::string_view section,
                                  scenario::node value);

/// A duration as a value, and the one that a value says. None: it is absent, or another one.
[[nodiscard]] scenario::node of(sim_duration d);
[[nodiscard]] std::optional<sim_duration> duration_in(const scenario::node* n);

/// Demand of one ride at each of these instants, in order. Rides of one instant are one burst.
[[nodiscard]] scenario::node bursts(const std::vector<sim_time>& requests);

/// Whether a part says when something happens, begins or ends.
[[nodiscard]] bool is_instant(const tree_part& part);

/// Puts a whole number in the place of a part. Where it is a `count`, no node beyond the first so
/// many of its kind stays named: `matcher/4` of two is `matcher/2`.
void put_number(scenario::node& root, const tree_part& part, std::uint64_t number);

}  // namespace dibs::shrink
