#include "shrink/tree_parts.hpp"

#include "scenario/fields.hpp"

#include <algorithm>
#include <utility>

namespace dibs::shrink {
namespace {

using scenario::alternative_shape;
using scenario::field_description;
using scenario::member_description;
using scenario::node;

const member_description* member_in(const std::vector<member_description>& members,
                                    const std::string& key) {
  const auto it = std::ranges::find(members, key, &member_description::key);
  return it == members.end() ? nullptr : &*it;
}

/// What the table says of a mapping's key; null for the key that chooses, and for one by pattern.
const member_description* member_of(const field_description& about,
                                    const node& mapping,
                                    const std::string& key) {
  if (const member_description* m = member_in(about.members, key)) {
    return m;
  }
  const node* tag = about.tag.empty() ? nullptr : mapping.find(about.tag);
  for (const alternative_shape& a : about.alternatives) {
    if (tag != nullptr && tag->text == a.name) {
      return member_in(a.members, key);
    }
  }
  return nullptr;
}

/// A scalar in the place of a mapping is of its short form.
const field_description* shape_of(const field_description* about, const node& n) {
  const bool is_short = about != nullptr && n.is(node::form::scalar) && about->short_form;
  return is_short ? about->short_form.get() : about;
}

class walk {
 public:
  explicit walk(std::vector<tree_part>& into) : into_(into) {}

  void visit(const node& n, const field_description* about, const std::string& key) {
    for (std::size_t i = 0; i < n.items.size(); ++i) {
      path_.push_back(i);
      tree_part part =
          n.is(node::form::list) ? entry(about, key) : member(about, n, n.keys[i].text);
      part.path = path_;
      part.depth = path_.size();
      const field_description* inner = part.about;
      part.about = shape_of(inner, n.items[i]);
      const std::string name = part.key;
      into_.push_back(std::move(part));
      visit(n.items[i], inner, name);
      path_.pop_back();
    }
  }

 private:
  static tree_part entry(const field_description* about, const std::string& list) {
    tree_part part;
    part.about = about == nullptr ? nullptr : about->element.get();
    part.key = list;
    // Sides and the like, which are lists of a fixed length, are no lists to the table.
    part.may_be_absent = about != nullptr && about->what == field_description::form::list;
    return part;
  }

  static tree_part member(const field_description* about, const node& n, const std::string& key) {
    tree_part part;
    part.key = key;
    if (about != nullptr) {
      const member_description* m = member_of(*about, n, key);
      part.about = m == nullptr ? nullptr : m->value.get();
      part.may_be_absent = m != nullptr ? !m->required : key != about->tag;
    }
    return part;
  }

  std::vector<tree_part>& into_;
  tree_path path_;
};

}  // namespace

std::vector<tree_part> parts_of(const node& root) {
  std::vector<tree_part> all;
  walk(all).visit(root, scenario::scenario_kind().about.get(), "");
  return all;
}

const node* find(const node& root, const tree_path& path) {
  const node* here = &root;
  for (const std::size_t i : path) {
    if (i >= here->items.size()) {
      return nullptr;
    }
    here = &here->items[i];
  }
  return here;
}

node* find(node& root, const tree_path& path) {
  return const_cast<node*>(find(std::as_const(root), path));
}

void put(node& mapping, std::string_view key, node value) {
  if (node* there = mapping.find(key)) {
    *there = std::move(value);
  } else {
    mapping.add(std::string(key), std::move(value));
  }
}

void take_out(node& mapping, std::string_view key) {
  for (std::size_t i = 0; i < mapping.keys.size(); ++i) {
    if (mapping.keys[i].text == key) {
      mapping.keys.erase(mapping.keys.begin() + static_cast<std::ptrdiff_t>(i));
      mapping.items.erase(mapping.items.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  }
}

}  // namespace dibs::shrink
