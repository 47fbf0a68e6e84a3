#include "shrink/tree_parts.hpp"

#include "scenario/fields.hpp"
#include "text/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
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

void keep_within(node& n, const std::string& kind, std::uint64_t count) {
  if (n.is(node::form::scalar) && n.text.starts_with(kind + "/")) {
    const auto index = text::read_whole(n.text.substr(kind.size() + 1));
    if (index && *index > count) {
      n.text = fmt::format("{}/{}", kind, count);
    }
  }
  for (node& item : n.items) {
    keep_within(item, kind, count);
  }
}

/// `{kind: burst, at: 17s, rides: 1}`
node burst(sim_duration at, std::uint32_t rides) {
  node b = scenario::empty_mapping();
  b.add("kind", scenario::plain("burst"));
  b.add("at", of(at));
  b.add("rides", scenario::plain(std::to_string(rides)));
  return b;
}

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

node with(const node& root, std::string_view section, node value) {
  node changed = root;
  put(changed, section, std::move(value));
  return changed;
}

node of(sim_duration d) { return scenario::plain(text::print_duration(d)); }

std::optional<sim_duration> duration_in(const node* n) {
  if (n == nullptr || !n->is(node::form::scalar)) {
    return std::nullopt;
  }
  const auto read = text::read_duration(n->text);
  return read ? std::optional(*read) : std::nullopt;
}

bool is_instant(const tree_part& part) {
  constexpr std::array<std::string_view, 4> names{"at", "from", "since", "until"};
  return std::ranges::find(names, part.key) != names.end() && part.about != nullptr &&
         part.about->type == "duration";
}

node bursts(const std::vector<sim_time>& requests) {
  node all = scenario::empty_list();
  for (std::size_t i = 0; i < requests.size();) {
    std::size_t end = i;
    while (end < requests.size() && requests[end] == requests[i]) {
      ++end;
    }
    all.items.push_back(burst(requests[i].time_since_epoch(), static_cast<std::uint32_t>(end - i)));
    i = end;
  }
  return all;
}

void put_number(node& root, const tree_part& part, std::uint64_t number) {
  *find(root, part.path) = scenario::plain(std::to_string(number));
  if (part.key == "count") {
    const bool is_of_matchers = root.keys[part.path.front()].text == "matchers";
    keep_within(root, is_of_matchers ? "matcher" : "driver", number);
  }
}

}  // namespace dibs::shrink
