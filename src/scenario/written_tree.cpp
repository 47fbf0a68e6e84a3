#include "scenario/written_tree.hpp"

#include "scenario/fields.hpp"
#include "scenario/file_text.hpp"
#include "scenario/overrides.hpp"
#include "scenario/yaml_reader.hpp"
#include "scenario/yaml_writer.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace dibs::scenario {
namespace {

constexpr std::size_t line_max = 90;

/// Its place among the members of a mapping; behind all of them if it is none.
std::size_t place_in(const field_description& about, const std::string& key) {
  const auto it = std::ranges::find(about.members, key, &member_description::key);
  return static_cast<std::size_t>(it - about.members.begin());
}

node in_order(const node& n, const field_description& about) {
  std::vector<std::size_t> places(n.keys.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = i;
  }
  std::ranges::stable_sort(
      places, {}, [&](std::size_t i) { return place_in(about, n.keys[i].text); });
  node sorted = empty_mapping();
  for (const std::size_t i : places) {
    sorted.add(n.keys[i].text, n.items[i]);
  }
  return sorted;
}

/// Puts into braces what fits on a line of its own, `indent` letters and its key before it.
void fold(node& n, std::size_t indent) {
  n.in_line = indent + emit_in_line(n).size() <= line_max;
  for (std::size_t i = 0; i < n.items.size(); ++i) {
    const std::size_t key = n.is(node::form::mapping) ? n.keys[i].text.size() + 2 : 0;
    fold(n.items[i], indent + 2 + key);
  }
}

}  // namespace

written_tree written_in_text(std::string_view text,
                             std::string_view name,
                             const std::vector<override_value>& overrides) {
  diagnostic_log log;
  const std::string clean = normalised_text(text, 0, log);
  std::vector<std::string> set_texts;
  for (const override_value& o : overrides) {
    set_texts.push_back(text_of(o));
  }
  std::optional<node> root = log.empty() ? parse_yaml(clean, 0, log) : std::nullopt;
  if (root && root->is(node::form::mapping)) {
    for (std::size_t i = 0; i < overrides.size(); ++i) {
      apply_override(*root, *scenario_kind().about, overrides[i], static_cast<int>(i) + 1, log);
    }
  } else if (log.empty()) {
    log.add({"E-TYPE", "expected a scenario, a mapping of fields"}, {0, 1, 1}, "", "");
  }
  std::vector<diagnostic_log::source> sources{{std::string(name), clean.empty() ? text : clean}};
  for (const std::string& each : set_texts) {
    sources.push_back({"--set", each});
  }
  return {root ? std::move(*root) : node{}, log.finish(sources)};
}

written_tree written_in(const std::filesystem::path& file,
                        const std::vector<override_value>& overrides) {
  diagnostic_log log;
  const std::string text = read_bytes(file, log);
  if (!log.empty()) {
    return {{}, log.finish({{called(file), {}}})};
  }
  return written_in_text(text, called(file), overrides);
}

std::string readable_yaml(const node& root) {
  node sorted = in_order(root, *scenario_kind().about);
  for (std::size_t i = 0; i < sorted.items.size(); ++i) {
    fold(sorted.items[i], sorted.keys[i].text.size() + 2);
  }
  return write_yaml(sorted);
}

}  // namespace dibs::scenario
