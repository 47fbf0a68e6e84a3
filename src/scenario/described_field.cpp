#include "scenario/described_field.hpp"

#include "scenario/fields.hpp"

#include <algorithm>
#include <regex>
#include <vector>

namespace dibs::scenario {

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
    if (!a.key_pattern.empty() && std::regex_match(std::string(key), std::regex(a.key_pattern))) {
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

}  // namespace dibs::scenario
