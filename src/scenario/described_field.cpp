#include "scenario/described_field.hpp"

#include "scenario/fields.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <regex>
#include <string>
#include <vector>

namespace dibs::scenario {

namespace {

/// Each pattern of the table is compiled once, which takes longer than to read a scenario.
bool matches(const std::string& key, const std::string& pattern) {
  static std::mutex mutex;
  static std::map<std::string, std::regex> compiled;
  const std::regex* known = nullptr;
  {
    const std::lock_guard lock(mutex);
    auto at = compiled.find(pattern);
    at = at == compiled.end() ? compiled.emplace(pattern, pattern).first : at;
    known = &at->second;
  }
  return std::regex_match(key, *known);
}

}  // namespace

const field_description* member_of(const field_description& mapping, std::string_view key) {
  const auto in = [&](const std::vector<member_description>& members) -> const field_description* {
    const auto it = std::ranges::find(members, key, &member_description::key);
    return it == members.end() ? nullptr : it->value.get();
  };
  if (const field_description* own = in(mapping.members)) {
    return own;
  }
  for (const alternative_shape& a : mapping.alternatives) {
    if (const field_description* found = in(a.members)) {
      return found;
    }
    if (!a.key_pattern.empty() && matches(std::string(key), a.key_pattern)) {
      return a.key_value.get();
    }
  }
  return nullptr;
}

const field_description* described_field(std::string_view path) {
  const field_description* here = scenario_kind().about.get();
  while (here != nullptr && !path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string_view step = path.substr(0, dot);
    path = dot == std::string_view::npos ? "" : path.substr(dot + 1);
    here =
        here->what == field_description::form::list ? here->element.get() : member_of(*here, step);
  }
  return here;
}

std::string sentence_of_field(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  const bool is_nested = dot != std::string_view::npos;
  const field_description* parent = described_field(is_nested ? path.substr(0, dot) : "");
  const std::string_view key = is_nested ? path.substr(dot + 1) : path;
  const auto in = [&](const std::vector<member_description>& members) -> std::string {
    const auto it = std::ranges::find(members, key, &member_description::key);
    return it == members.end() ? "" : it->doc;
  };
  std::string sentence = parent == nullptr ? "" : in(parent->members);
  for (std::size_t i = 0; parent != nullptr && sentence.empty() && i < parent->alternatives.size();
       ++i) {
    sentence = in(parent->alternatives[i].members);
  }
  return sentence;
}

}  // namespace dibs::scenario
