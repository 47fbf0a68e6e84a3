// Parts that it does not take.

#include "scenario/tree.hpp"
#include "shrink/ddmin.hpp"
#include "shrink/passes.hpp"
#include "shrink/tree_parts.hpp"

#include <algorithm>
#include <utility>

namespace dibs::shrink {
namespace {

using scenario::node;

/// Takes out the parts on these ways. Requires: they are in the order of the tree, and none is
/// within another.
node without(node root, const std::vector<tree_path>& dropped) {
  for (auto it = dropped.rbegin(); it != dropped.rend(); ++it) {
    const std::size_t i = it->back();
    node* parent = find(root, tree_path(it->begin(), it->end() - 1));
    if (parent->is(node::form::mapping)) {
      parent->keys.erase(parent->keys.begin() + static_cast<std::ptrdiff_t>(i));
    }
    parent->items.erase(parent->items.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return root;
}

/// What makes the world smaller by being there.
bool is_of_world(const tree_part& part) { return part.key == "world" || part.key == "geography"; }

}  // namespace

node without_the_map(node changed) {
  const node* world = changed.find("world");
  node without_map = scenario::empty_mapping();
  const node* trip = world == nullptr ? nullptr : world->find("trip");
  without_map.add("geography", scenario::plain("none"));
  without_map.add("trip", trip == nullptr ? scenario::plain("20s") : *trip);
  put(changed, "world", std::move(without_map));
  return changed;
}

void leave_the_map(trials& t) { t.take(without_the_map(t.best())); }

void leave_out_parts(trials& t, bool whole_world) {
  bool is_deeper = true;
  for (std::size_t depth = 1; is_deeper && !t.is_over(); ++depth) {
    const node whole = t.best();
    std::vector<tree_path> optional;
    is_deeper = false;
    for (const tree_part& part : parts_of(whole)) {
      is_deeper = is_deeper || part.depth > depth;
      if (part.depth == depth && part.may_be_absent && (whole_world || !is_of_world(part))) {
        optional.push_back(part.path);
      }
    }
    // What became of it does not matter: `trials` keeps the smallest.
    static_cast<void>(ddmin(optional.size(), [&](const std::vector<std::size_t>& kept) {
      std::vector<tree_path> dropped;
      for (std::size_t i = 0; i < optional.size(); ++i) {
        if (!std::ranges::binary_search(kept, i)) {
          dropped.push_back(optional[i]);
        }
      }
      return t.take(without(whole, dropped));
    }));
  }
}

void keep_one_class(trials& t) {
  const node* drivers = t.best().find("drivers");
  const node* classes = drivers == nullptr ? nullptr : drivers->find("classes");
  if (classes == nullptr || classes->items.size() < 2) {
    return;
  }
  const std::vector<node> all = classes->items;
  for (node one : all) {
    take_out(one, "share");
    node candidate = t.best();
    candidate.find("drivers")->find("classes")->items = {std::move(one)};
    if (t.take(std::move(candidate))) {
      return;
    }
  }
}

}  // namespace dibs::shrink
