#include "scenario/overrides.hpp"

#include "scenario/file_text.hpp"
#include "scenario/yaml_reader.hpp"
#include "text/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace dibs::scenario {

namespace {

/// A place in the tree and what belongs there.
struct spot {
  node* value = nullptr;
  const field_description* about = nullptr;
};

class walk {
 public:
  walk(const override_value& o, int source, diagnostic_log& log)
      : set_(o), source_(source), log_(log) {}

  /// Follows the path, creating mappings on its way; nothing after a diagnostic.
  std::optional<spot> follow(node& root, const field_description& table) {
    spot here{&root, &table};
    std::size_t begin = 0;
    while (begin <= set_.path.size()) {
      const bool takes_rest = here.about->what == field_description::form::bounds;
      const std::size_t dot = takes_rest ? std::string::npos : set_.path.find('.', begin);
      const std::string step = set_.path.substr(begin, dot - begin);
      const bool found = here.about->what == field_description::form::list
                             ? enter_list(here, step, begin)
                             : enter_mapping(here, step, begin);
      if (!found) {
        return std::nullopt;
      }
      if (dot == std::string::npos) {
        return here;
      }
      begin = dot + 1;
    }
    return std::nullopt;
  }

 private:
  place at(std::size_t offset) const { return {source_, 1, static_cast<int>(offset) + 1}; }

  bool refuse(text::parse_error what, std::size_t offset) {
    log_.add(std::move(what), at(offset), set_.path, set_.path);
    return false;
  }

  bool enter_list(spot& here, const std::string& step, std::size_t offset) {
    std::vector<node>& entries = here.value->items;
    const std::string& entry_key = here.about->entry_key;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const node* name = entries[i].find(entry_key);
      names.push_back(name != nullptr ? name->text : std::string());
      if (step == names.back() || step == std::to_string(i + 1)) {
        here = {&entries[i], here.about->element.get()};
        return true;
      }
    }
    const std::string near = text::closest_spelling(step, names);
    return refuse(
        {"E-REFERENCE",
         fmt::format(
             "there is no entry {} in this list of {}", text::display_text(step), entries.size()),
         near.empty() ? "entries count from 1" + named(names) : "did you mean `" + near + "`?"},
        offset);
  }

  /// `; these are prompt, slow`; the first few of many.
  static std::string named(const std::vector<std::string>& names) {
    constexpr std::size_t shown_max = 8;
    std::string all;
    std::size_t count = 0;
    for (const std::string& name : names) {
      if (!name.empty() && count++ < shown_max) {
        all += (all.empty() ? "; these are " : ", ") + text::display_text(name, 40);
      }
    }
    return all + (count > shown_max ? ", ..." : "");
  }

  bool enter_mapping(spot& here, const std::string& step, std::size_t offset) {
    std::vector<std::string> known;
    const field_description* about = shape_of(*here.about, *here.value, step, known);
    if (about == nullptr) {
      if (known.empty()) {
        return refuse({"E-UNKNOWN", "the field before this has no parts"}, offset);
      }
      const std::string near = text::closest_spelling(step, known);
      std::string all;
      for (const std::string& key : known) {
        all += (all.empty() ? "" : ", ") + key;
      }
      return refuse({"E-UNKNOWN",
                     fmt::format("there is no field {}", text::display_text(step)),
                     near.empty() ? "known: " + all : "did you mean `" + near + "`?"},
                    offset);
    }
    if (!here.value->is(node::form::mapping)) {
      *here.value = empty_mapping();
      here.value->at = at(0);
    }
    node* value = here.value->find(step);
    if (value == nullptr) {
      node fresh;
      fresh.at = at(0);
      value = &here.value->add(step, std::move(fresh), at(offset));
    }
    here = {value, about};
    return true;
  }

  /// The shape of a mapping's field, or null; also lists what is known there.
  static const field_description* shape_of(const field_description& mapping,
                                           const node& value,
                                           const std::string& step,
                                           std::vector<std::string>& known) {
    static const field_description leaf;
    if (mapping.what == field_description::form::bounds) {
      return &leaf;
    }
    const field_description* found = nullptr;
    const auto consider = [&](const std::vector<member_description>& members) {
      for (const member_description& m : members) {
        known.push_back(m.key);
        found = m.key == step && found == nullptr ? m.value.get() : found;
      }
    };
    if (!mapping.tag.empty()) {
      known.push_back(mapping.tag);
      found = step == mapping.tag ? &leaf : nullptr;
    }
    consider(mapping.members);
    const node* tag = mapping.tag.empty() ? nullptr : value.find(mapping.tag);
    for (const alternative_shape& a : mapping.alternatives) {
      if (tag == nullptr || tag->text == a.name) {
        consider(a.members);
        const bool fits = a.key_value != nullptr && step.starts_with('p');
        found = fits && found == nullptr ? a.key_value.get() : found;
      }
    }
    return found;
  }

  const override_value& set_;
  int source_;
  diagnostic_log& log_;
};

/// Moves the places of a parsed value behind `path=`; a value of nothing stands there too.
void shift(node& n, int columns) {
  if (n.at.line <= 1) {
    n.at.column = std::max(n.at.column, 1) + columns;
    n.at.line = 1;
  }
  for (node::key& k : n.keys) {
    k.at.column += k.at.line <= 1 ? columns : 0;
  }
  for (node& item : n.items) {
    shift(item, columns);
  }
}

}  // namespace

std::string text_of(const override_value& o) { return o.path + "=" + o.value; }

void apply_override(node& root,
                    const field_description& table,
                    const override_value& o,
                    int source,
                    diagnostic_log& log) {
  constexpr std::size_t path_max = 256;
  if (o.path.empty() || o.path.size() > path_max) {
    log.add({"E-UNKNOWN", "expected path=value, such as lease.ttl=10s"},
            {source, 1, 1},
            "",
            text::display_text(o.path));
    return;
  }
  const auto columns = static_cast<int>(o.path.size()) + 1;
  // A comparison such as `>= 0.85` opens with what YAML takes for a block of text.
  const bool is_comparison = o.value.starts_with('<') || o.value.starts_with('>');
  std::optional<node> value;
  diagnostic_log own;
  if (is_comparison) {
    value = quoted(o.value);
    value->at = {source, 1, 1};
  } else {
    const std::string text = normalised_text(o.value, source, own);
    value = own.empty() ? parse_yaml(text, source, own) : std::nullopt;
  }
  log.take(own, columns, o.path);
  if (!value) {
    return;
  }
  shift(*value, columns);
  value->at.source = source;
  if (const std::optional<spot> there = walk(o, source, log).follow(root, table)) {
    *there->value = std::move(*value);
  }
}

}  // namespace dibs::scenario
