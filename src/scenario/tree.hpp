/// What a YAML text says, before anyone knows what it means: scalars, lists and mappings, each with
/// its place. Small (see `yaml_reader.hpp` for the limits), at most 64 levels deep, without
/// aliases.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::scenario {

/// Where something was written. Source 0 is the file, source k the k-th `--set`.
struct place {
  int source = 0;
  int line = 0;    ///< from 1; 0 is the file as a whole
  int column = 0;  ///< from 1, in bytes
};

struct node {
  enum class form : std::uint8_t {
    nothing,  ///< an empty value, `~` or `null`
    scalar,
    list,
    mapping,
    unreadable,  ///< already complained about: says nothing
  };

  struct key {
    std::string text;
    place at;
  };

  form what = form::nothing;
  bool quoted = false;   ///< a scalar in quotes or a block scalar: text, whatever it looks like
  bool in_line = false;  ///< written between braces
  place at;
  std::string text;         ///< of a scalar
  std::vector<key> keys;    ///< of a mapping, in the order of the text
  std::vector<node> items;  ///< of a list, or the values of a mapping's keys

  [[nodiscard]] bool is(form f) const { return what == f; }

  /// The value of a mapping's key, or null.
  [[nodiscard]] const node* find(std::string_view wanted) const {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys[i].text == wanted) {
        return &items[i];
      }
    }
    return nullptr;
  }

  [[nodiscard]] node* find(std::string_view wanted) {
    return const_cast<node*>(static_cast<const node&>(*this).find(wanted));
  }

  /// Adds a pair to a mapping.
  node& add(std::string k, node value, place where = {}) {
    what = form::mapping;
    keys.push_back({std::move(k), where});
    items.push_back(std::move(value));
    return items.back();
  }
};

inline node plain(std::string text) {
  node n;
  n.what = node::form::scalar;
  n.text = std::move(text);
  return n;
}

inline node quoted(std::string text) {
  node n = plain(std::move(text));
  n.quoted = true;
  return n;
}

inline node empty_list() {
  node n;
  n.what = node::form::list;
  return n;
}

inline node empty_mapping() {
  node n;
  n.what = node::form::mapping;
  return n;
}

}  // namespace dibs::scenario
