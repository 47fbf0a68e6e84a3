#include "scenario/read.hpp"

#include "scenario/cross_field_rules.hpp"
#include "scenario/fields.hpp"
#include "scenario/file_text.hpp"
#include "scenario/overrides.hpp"
#include "scenario/profiles.hpp"
#include "scenario/yaml_reader.hpp"
#include "scenario/yaml_writer.hpp"

#include <algorithm>

namespace dibs::scenario {

namespace {

/// Reads the tree, then judges the whole.
void read_tree(const node& root,
               std::string_view name,
               const std::filesystem::path& folder,
               diagnostic_log& log,
               scenario& into) {
  reader r(log);
  scenario_kind().read(r, root, into);
  complete(into, name);
  check_rules(r, into);
  find_traces(r, into, folder);
  if (log.empty()) {
    check_budget(r, into);
  }
}

/// What `incident.without` says must make a scenario too: each entry is an override.
void check_without(const node& root,
                   std::string_view text,
                   std::string_view name,
                   const std::filesystem::path& folder,
                   std::vector<override_value> overrides,
                   const std::vector<rows_read>& known,
                   diagnostic_log& log) {
  const node* const incident = root.find("incident");
  const node* const without = incident == nullptr ? nullptr : incident->find("without");
  if (without == nullptr || !without->is(node::form::list) || without->items.empty()) {
    return;
  }
  overrides.push_back({"incident", "{}"});
  for (const node& entry : without->items) {
    overrides.push_back(override_of(entry.text));
  }
  const reading calm = read_text(text, name, folder, overrides, known);
  if (calm.ok()) {
    return;
  }
  const diagnostic& why = calm.diagnostics.front();
  const auto said = std::ranges::find(without->items, why.source, &node::text);
  const node& entry = said == without->items.end() ? without->items.back() : *said;
  log.add({"E-RANGE",
           "`" + text::display_text(entry.text) + "` does not make a scenario: " + why.path + ": " +
               why.message,
           why.hint},
          entry.at,
          "incident.without",
          "incident.without");
}

}  // namespace

override_value override_of(std::string_view text) {
  const std::size_t sign = text.find('=');
  return {std::string(text.substr(0, sign)),
          sign == std::string_view::npos ? "" : std::string(text.substr(sign + 1))};
}

reading read_text(std::string_view text,
                  std::string_view name,
                  const std::filesystem::path& folder,
                  const std::vector<override_value>& overrides,
                  const std::vector<rows_read>& known) {
  reading out;
  out.value.rows = known;
  diagnostic_log log;
  const std::string clean = normalised_text(text, 0, log);
  std::vector<std::string> set_texts;
  set_texts.reserve(overrides.size());
  for (const override_value& o : overrides) {
    set_texts.push_back(text_of(o));
  }
  std::vector<std::string> profile_texts;
  std::optional<node> root = log.empty() ? parse_yaml(clean, 0, log) : std::nullopt;
  if (root && !root->is(node::form::mapping) && log.empty()) {
    log.add({"E-TYPE",
             "expected a scenario, a mapping of fields (got " + describe_node(*root) + ")",
             "`dibs init` writes one to start from"},
            {0, std::max(root->at.line, 1), std::max(root->at.column, 1)},
            "",
            "");
  }
  if (root && root->is(node::form::mapping)) {
    for (std::size_t i = 0; i < overrides.size(); ++i) {
      apply_override(*root, *scenario_kind().about, overrides[i], static_cast<int>(i) + 1, log);
    }
    apply_profile(
        *root, *scenario_kind().about, static_cast<int>(overrides.size()) + 1, log, profile_texts);
    read_tree(*root, name, folder, log, out.value);
    if (log.empty()) {
      check_without(*root, text, name, folder, overrides, out.value.rows, log);
    }
  }
  std::vector<diagnostic_log::source> sources{{std::string(name), clean.empty() ? text : clean}};
  for (const std::string& set_text : set_texts) {
    sources.push_back({"--set", set_text});
  }
  for (const std::string& profile_text : profile_texts) {
    sources.push_back({"lease.profile", profile_text});
  }
  out.diagnostics = log.finish(sources);
  return out;
}

reading read_file(const std::filesystem::path& file, const std::vector<override_value>& overrides) {
  diagnostic_log log;
  const std::string text = read_bytes(file, log);
  if (!log.empty()) {
    reading out;
    out.diagnostics = log.finish({{called(file), {}}});
    return out;
  }
  return read_text(text, called(file), file.parent_path(), overrides);
}

std::string dump(const scenario& s) { return write_yaml(scenario_kind().write(s)); }

}  // namespace dibs::scenario
