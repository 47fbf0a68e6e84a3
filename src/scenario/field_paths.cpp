#include "scenario/field_paths.hpp"

#include "scenario/described_field.hpp"
#include "scenario/fields.hpp"
#include "scenario/yaml_writer.hpp"
#include "text/spelling.hpp"

#include <algorithm>
#include <vector>

namespace dibs::scenario {

namespace {

/// A constant distribution is one value, as it can be written.
std::string value_of(const node& n) {
  const node* dist = n.find("dist");
  const node* value = n.find("value");
  if (dist != nullptr && value != nullptr && dist->text == "constant") {
    return value->text;
  }
  return n.is(node::form::scalar) ? n.text : emit_in_line(n);
}

class collector {
 public:
  explicit collector(std::map<std::string, std::string>& into) : into_(into) {}

  void collect(const node& n, const field_description* about, const std::string& path) {
    if (!path.empty()) {
      into_.emplace(path, value_of(n));
    }
    const std::string prefix = path.empty() ? "" : path + ".";
    for (std::size_t i = 0; i < n.items.size(); ++i) {
      const node& item = n.items[i];
      if (n.is(node::form::mapping)) {
        const std::string& key = n.keys[i].text;
        collect(item, about != nullptr ? member_of(*about, key) : nullptr, prefix + key);
        continue;
      }
      const field_description* element = about != nullptr ? about->element.get() : nullptr;
      collect(item, element, prefix + std::to_string(i + 1));
      const node* name = about != nullptr ? item.find(about->entry_key) : nullptr;
      if (name != nullptr) {
        collect(item, element, prefix + name->text);
      }
    }
  }

 private:
  std::map<std::string, std::string>& into_;
};

bool has_members(const std::string& value) { return value[0] == '{' || value[0] == '['; }

/// Whether it goes through an entry of a list by its number.
bool is_numbered(const std::string& path) {
  const auto first = path.find_first_of("0123456789");
  return first != std::string::npos && first > 0 && path[first - 1] == '.';
}

/// Whether the same list has a difference under an entry's name.
bool is_named_too(const std::map<std::string, field_difference>& all, const std::string& path) {
  const std::string list = path.substr(0, path.find_first_of("0123456789"));
  return std::ranges::any_of(all, [&](const auto& each) {
    return each.first.starts_with(list) && !is_numbered(each.first);
  });
}

}  // namespace

field_values::field_values(const scenario& s) {
  collector(values_).collect(scenario_kind().write(s), scenario_kind().about.get(), "");
}

std::optional<std::string> field_values::find(const std::string& path) const {
  const auto own = values_.find(path);
  if (own == values_.end()) {
    return std::nullopt;
  }
  const std::size_t dot = path.rfind('.');
  const auto beside = dot == std::string::npos
                          ? values_.end()
                          : values_.find(path.substr(0, dot + 1) + own->second);
  return beside != values_.end() && beside != own ? beside->second : own->second;
}

std::vector<field_difference> field_values::differences(const field_values& other) const {
  std::map<std::string, field_difference> all;
  const auto add = [&](const std::string& path) {
    const auto here = values_.find(path);
    const auto there = other.values_.find(path);
    const std::string a = here == values_.end() ? "" : here->second;
    const std::string b = there == other.values_.end() ? "" : there->second;
    if (a != b && path != "name" && path != "question" && path != "seed") {
      all.insert({path, {path, a, b}});
    }
  };
  for (const auto& [path, value] : values_) {
    add(path);
  }
  for (const auto& [path, value] : other.values_) {
    add(path);
  }
  std::vector<field_difference> deepest;
  for (const auto& [path, each] : all) {
    const bool is_part = !deepest.empty() && path.starts_with(deepest.back().path + ".");
    const bool has_parts = has_members(each.a) || has_members(each.b);
    const auto next = all.upper_bound(path + ".");
    const bool is_told_by_parts =
        has_parts && next != all.end() && next->first.starts_with(path + ".");
    if (!is_part && !is_told_by_parts && !(is_numbered(path) && is_named_too(all, path))) {
      deepest.push_back(each);
    }
  }
  return deepest;
}

std::string field_values::nearest(const std::string& path) const {
  std::vector<std::string> known;
  for (const auto& [name, value] : values_) {
    known.push_back(name);
  }
  return text::closest_spelling(path, known);
}

bool is_within(std::string_view path, std::string_view whole) {
  return path.starts_with(whole) && (path.size() == whole.size() || path[whole.size()] == '.');
}

}  // namespace dibs::scenario
