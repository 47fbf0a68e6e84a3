#include "drawn/draw_node.hpp"

#include "drawn/drawn_leaf.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::drawn {
namespace {

using scenario::alternative_shape;
using scenario::field_description;
using scenario::member_description;
using scenario::node;
using scenario::plain;

void add_members(const std::vector<member_description>& members, node& into, dice& d) {
  for (const member_description& m : members) {
    if (m.required || d.gives()) {
      into.add(m.key, draw_node(*m.value, d));
    }
  }
}

/// What must not fall: `min` and `max`, and quantiles.
void put_in_order(node& n, const std::vector<std::string>& keys) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (std::size_t k = i + 1; k < keys.size(); ++k) {
      node* low = n.find(keys[i]);
      node* high = n.find(keys[k]);
      if (low != nullptr && high != nullptr && is_greater(low->text, high->text)) {
        std::swap(low->text, high->text);
      }
    }
  }
}

void add_quantiles(const field_description& value, node& into, dice& d) {
  std::vector<std::string> keys{"p0"};
  for (const char* key : {"p0.5", "p50", "p99.999"}) {
    if (d.happens(0.5)) {
      keys.emplace_back(key);
    }
  }
  keys.emplace_back("p100");
  for (const std::string& key : keys) {
    into.add(key, draw_leaf(value, d));
  }
  put_in_order(into, keys);
}

node draw_record(const field_description& about, dice& d) {
  node n = scenario::empty_mapping();
  if (!about.alternatives.empty()) {
    const alternative_shape& a = d.one_of(about.alternatives);
    n.add(about.tag, plain(a.name));
    add_members(about.members, n, d);
    add_members(a.members, n, d);
    if (a.key_value != nullptr) {
      add_quantiles(*a.key_value, n, d);
    }
  } else {
    add_members(about.members, n, d);
  }
  put_in_order(n, {"min", "max"});
  return n;
}

node draw_list(const field_description& about, dice& d) {
  node n = scenario::empty_list();
  const std::size_t entries = d.below(3) + (about.may_be_empty ? 0 : 1);
  for (std::size_t i = 0; i < entries; ++i) {
    n.items.push_back(draw_node(*about.element, d));
  }
  return n;
}

/// The member of a mapping, as it is, that a key stands for.
const member_description* member_of(const field_description& about,
                                    const node& mapping,
                                    const std::string& key) {
  const auto in = [&](const std::vector<member_description>& all) {
    const auto it = std::find_if(
        all.begin(), all.end(), [&](const member_description& m) { return m.key == key; });
    return it == all.end() ? nullptr : &*it;
  };
  if (const member_description* own = in(about.members)) {
    return own;
  }
  const node* tag = about.tag.empty() ? nullptr : mapping.find(about.tag);
  for (const alternative_shape& a : about.alternatives) {
    if (tag != nullptr && tag->text == a.name) {
      return in(a.members);
    }
  }
  return nullptr;
}

std::size_t entry_of(const node& list, const field_description& about, const std::string& step) {
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const node* name = list.items[i].find(about.entry_key);
    if (step == std::to_string(i + 1) || (name != nullptr && name->text == step)) {
      return i;
    }
  }
  return list.items.size();
}

/// Mends below `n`; false if `n` itself has to be drawn anew.
bool mend_in(node& n,
             const field_description& about,
             const std::vector<std::string>& steps,
             std::size_t at,
             dice& d) {
  if (at == steps.size()) {
    return false;
  }
  if (n.is(node::form::list) && about.element != nullptr) {
    const std::size_t i = entry_of(n, about, steps[at]);
    if (i == n.items.size()) {
      return false;
    }
    if (!mend_in(n.items[i], *about.element, steps, at + 1, d)) {
      if (d.happens(0.5) && (about.may_be_empty || n.items.size() > 1)) {
        n.items.erase(n.items.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        n.items[i] = draw_node(*about.element, d);
      }
    }
    return true;
  }
  const member_description* m =
      n.is(node::form::mapping) ? member_of(about, n, steps[at]) : nullptr;
  if (m == nullptr) {
    return false;
  }
  node* value = n.find(m->key);
  if (value == nullptr) {
    n.add(m->key, draw_node(*m->value, d));
  } else if (!mend_in(*value, *m->value, steps, at + 1, d)) {
    if (m->required || d.happens(0.3)) {
      *value = draw_node(*m->value, d);
    } else {
      const auto i = value - n.items.data();
      n.items.erase(n.items.begin() + i);
      n.keys.erase(n.keys.begin() + i);
    }
  }
  return true;
}

}  // namespace

node draw_node(const field_description& about, dice& d) {
  if (!about.word.empty() && d.happens(0.3)) {
    return plain(about.word);
  }
  switch (about.what) {
    case field_description::form::leaf:
      return draw_leaf(about, d);
    case field_description::form::record:
      return about.short_form != nullptr && d.happens(0.3) ? draw_leaf(*about.short_form, d)
                                                           : draw_record(about, d);
    case field_description::form::list:
      return draw_list(about, d);
    case field_description::form::bounds:
      break;
  }
  return draw_bounds(d);
}

void mend(node& root, const field_description& about, const std::string& path, dice& d) {
  std::vector<std::string> steps;
  for (std::string_view rest = path; !rest.empty();) {
    const std::size_t dot = rest.find('.');
    steps.emplace_back(rest.substr(0, dot));
    rest.remove_prefix(dot == std::string_view::npos ? rest.size() : dot + 1);
  }
  if (!steps.empty() && steps.back() == "file") {
    steps.pop_back();  // there is one file: without a map, or far from it, the source has to go
  }
  if (!mend_in(root, about, steps, 0, d)) {
    root = draw_node(about, d);
  }
}

}  // namespace dibs::drawn
