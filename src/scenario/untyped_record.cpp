#include "scenario/untyped_record.hpp"

#include "text/spelling.hpp"

#include <algorithm>
#include <utility>

namespace dibs::scenario {

namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) {
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

}  // namespace

void untyped_record::add(std::string key,
                         std::string doc,
                         untyped_field_type value,
                         std::ptrdiff_t offset,
                         const void* standard) {
  member m{{std::move(key), std::move(doc), std::move(value.about), std::nullopt, false, {}},
           std::move(value.read),
           std::move(value.write),
           offset,
           {}};
  const field_description& about = *m.about.value;
  if (about.what == field_description::form::leaf || !about.word.empty() || !about.name.empty()) {
    m.about.standard = m.write_from(standard);
  }
  members.push_back(std::move(m));
}

std::vector<member_description> untyped_record::member_shapes() const {
  std::vector<member_description> all;
  for (const member& m : members) {
    all.push_back(m.about);
  }
  return all;
}

shape_ptr untyped_record::shape_named(std::string name) const {
  field_description about;
  about.what = field_description::form::record;
  about.type = name.empty() ? "mapping" : name;
  about.name = std::move(name);
  about.members = member_shapes();
  about.tag = tag;
  about.tag_doc = tag_doc;
  for (const choice& c : choices) {
    about.alternatives.push_back(c.about);
  }
  return std::make_shared<const field_description>(std::move(about));
}

void untyped_record::read(reader& r, const node& n, void* into) const {
  if (n.is(node::form::unreadable)) {
    return;
  }
  if (!n.is(node::form::mapping)) {
    r.complain({"E-TYPE",
                "expected a mapping (got " + describe_node(n) + ")",
                "with the keys " + listed(known_keys(nullptr))},
               n.at);
    return;
  }
  std::vector<bool> used(n.keys.size(), false);
  const choice* chosen = nullptr;
  if (!tag.empty()) {
    chosen = choose(r, n, used);
    if (chosen == nullptr) {
      return;
    }
  }
  read_members(r, n, into, used);
  if (chosen != nullptr) {
    chosen->part->read_members(r, n, chosen->make(into), used);
  }
  complain_about_unknown(r, n, used, chosen);
}

void untyped_record::read_members(reader& r,
                                  const node& n,
                                  void* into,
                                  std::vector<bool>& used) const {
  for (const member& m : members) {
    const auto it = std::ranges::find(n.keys, m.about.key, &node::key::text);
    if (it != n.keys.end()) {
      const auto i = static_cast<std::size_t>(it - n.keys.begin());
      used[i] = true;
      const reader::scope in(r, m.about.key, m.about.key, n.items[i].at);
      m.read_into(into, r, n.items[i]);
    } else if (m.about.required) {
      r.complain_at(m.about.key, {"E-MISSING", "the field is missing", m.about.doc}, n.at);
    }
  }
  for (const member& m : members) {
    const node* value = n.find(m.about.key);
    if (value != nullptr && m.applies && !m.applies(into)) {
      r.complain_at(m.about.key, {"E-CONFLICT", "has a meaning only " + m.about.only}, value->at);
    }
  }
  if (further.read) {
    for (std::size_t i = 0; i < n.keys.size(); ++i) {
      if (!used[i]) {
        const reader::scope in(r, n.keys[i].text, n.keys[i].text, n.items[i].at);
        used[i] = further.read(r, n.keys[i], n.items[i], into);
      }
    }
    further.finish(r, n, into);
  }
  for (const auto& rule : rules) {
    rule(r, n, into);
  }
}

node untyped_record::write(const void* from) const {
  node n = empty_mapping();
  std::size_t first = 0;
  // What names an entry of a list comes first, then what kind it is.
  if (!tag.empty() && !members.empty() && members[0].about.key == "id") {
    n.add("id", members[0].write_from(from));
    first = 1;
  }
  for (const choice& c : choices) {
    if (c.find(from) != nullptr) {
      n.add(tag, plain(c.about.name));
    }
  }
  write_members(from, n, first);
  for (const choice& c : choices) {
    if (const void* part = c.find(from)) {
      c.part->write_members(part, n);
    }
  }
  return n;
}

void untyped_record::write_members(const void* from, node& into, std::size_t first) const {
  for (std::size_t i = first; i < members.size(); ++i) {
    if (!members[i].applies || members[i].applies(from)) {
      into.add(members[i].about.key, members[i].write_from(from));
    }
  }
  if (further.write) {
    further.write(from, into);
  }
}

const untyped_record::choice* untyped_record::choose(reader& r,
                                                     const node& n,
                                                     std::vector<bool>& used) const {
  for (std::size_t i = 0; i < n.keys.size(); ++i) {
    if (n.keys[i].text == tag) {
      used[i] = true;
      return choice_of(r, n.items[i]);
    }
  }
  std::vector<std::string> names;
  for (const choice& c : choices) {
    names.push_back(c.about.name);
  }
  r.complain_at(tag, {"E-MISSING", "the field is missing", "one of " + listed(names)}, n.at);
  return nullptr;
}

/// The alternative that the tag's value names; complains if there is none.
const untyped_record::choice* untyped_record::choice_of(reader& r, const node& value) const {
  const bool is_word = value.is(node::form::scalar);
  std::vector<std::string> names;
  for (const choice& c : choices) {
    if (is_word && value.text == c.about.name) {
      return &c;
    }
    names.push_back(c.about.name);
  }
  if (!value.is(node::form::unreadable)) {
    const std::string near = is_word ? text::closest_spelling(value.text, names) : std::string();
    r.complain_at(tag,
                  {is_word ? "E-RANGE" : "E-TYPE",
                   "expected one of " + listed(names) + " (got " + describe_node(value) + ")",
                   near.empty() ? "" : "did you mean `" + near + "`?"},
                  value.at);
  }
  return nullptr;
}

std::vector<std::string> untyped_record::known_keys(const choice* chosen) const {
  std::vector<std::string> keys;
  if (!tag.empty()) {
    keys.push_back(tag);
  }
  for (const member& m : members) {
    keys.push_back(m.about.key);
  }
  if (chosen != nullptr) {
    for (const member_description& m : chosen->about.members) {
      keys.push_back(m.key);
    }
  }
  return keys;
}

void untyped_record::complain_about_unknown(reader& r,
                                            const node& n,
                                            const std::vector<bool>& used,
                                            const choice* chosen) const {
  for (std::size_t i = 0; i < n.keys.size() && !r.is_full(); ++i) {
    if (used[i]) {
      continue;
    }
    const std::string& key = n.keys[i].text;
    std::string message = "there is no such field";
    for (const choice& other : choices) {
      for (const member_description& m : other.about.members) {
        if (&other != chosen && m.key == key) {
          message = fmt::format("the field belongs to `{}: {}`", tag, other.about.name);
        }
      }
    }
    const std::vector<std::string> keys = known_keys(chosen);
    const std::string near = r.log().only_counts() ? "" : text::closest_spelling(key, keys);
    std::string hint = near.empty() ? "known: " + listed(keys) : "did you mean `" + near + "`?";
    if (key == "<<") {
      hint = "merge keys have no use here; write the fields out";
    }
    const std::string step = text::display_text(key);
    const reader::scope in(r, step, step, n.keys[i].at);
    r.complain({"E-UNKNOWN", message, hint}, n.keys[i].at);
  }
}

}  // namespace dibs::scenario
