/// Mappings with known keys. Each key is declared once, with how its value is read and written, its
/// sentence, and the default that the struct itself gives.
#pragma once

#include "scenario/kind.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dibs::scenario {

/// One declared field of `T`.
template <class T>
struct member {
  member_shape about;
  std::function<void(reader&, const node&, T&)> read;
  std::function<node(const T&)> write;
  std::function<bool(const T&)> applies;  ///< empty: always
};

/// Further keys that follow a pattern. `read` says whether the key fits.
template <class T>
struct pattern_members {
  std::string pattern;
  std::string doc;
  shape_ptr value;
  std::function<bool(reader&, const node::key&, const node&, T&)> read;
  std::function<void(reader&, const node&, T&)> finish;
  std::function<void(const T&, node&)> write;
};

template <class T>
class record {
 public:
  /// A field; `where` is a member pointer or a projection that gives a reference.
  template <class Where, class V>
  record& field(std::string key, Where where, const kind<V>& k, std::string doc) {
    member<T> m;
    m.about = {std::move(key), std::move(doc), k.about, std::nullopt, false, {}};
    const T standard{};
    if (k.about->what == shape::form::leaf || !k.about->word.empty() || k.about->name != "") {
      m.about.standard = k.write(std::invoke(where, standard));
    }
    m.read = [where, read = k.read](reader& r, const node& n, T& into) {
      read(r, n, std::invoke(where, into));
    };
    m.write = [where, write = k.write](const T& from) { return write(std::invoke(where, from)); };
    members_.push_back(std::move(m));
    return *this;
  }

  /// A field that has one value until more of it exists; nothing is stored.
  template <class V>
  record& fixed(std::string key, const kind<V>& k, V only, std::string doc) {
    member<T> m;
    shape about = *k.about;
    m.about = {std::move(key), std::move(doc), nullptr, k.write(only), false, {}};
    about.range = "only " + m.about.standard->text;
    about.schema = json{{"enum", json::array({as_json(*m.about.standard)})}};
    m.about.value = std::make_shared<const shape>(std::move(about));
    m.read = [k, only, text = m.about.standard->text](reader& r, const node& n, T&) {
      V value = only;
      k.read(r, n, value);
      if (!(value == only)) {
        r.complain({"E-RANGE",
                    fmt::format("must be {} (got {})", text, found(n)),
                    "nothing else exists yet"},
                   n.at);
      }
    };
    m.write = [node = *m.about.standard](const T&) { return node; };
    members_.push_back(std::move(m));
    return *this;
  }

  /// The field just declared must be given.
  record& required() {
    members_.back().about.required = true;
    members_.back().about.standard.reset();
    return *this;
  }

  /// The default of the field just declared is worked out later (see `complete`).
  record& without_default() {
    members_.back().about.standard.reset();
    return *this;
  }

  /// The field just declared may only be given where `applies`.
  record& only(std::string where, std::function<bool(const T&)> applies) {
    members_.back().about.only = std::move(where);
    members_.back().applies = std::move(applies);
    return *this;
  }

  /// A rule over several fields of this mapping; see `reader::is_clean`.
  record& check(std::function<void(reader&, const node&, const T&)> rule) {
    rules_.push_back(std::move(rule));
    return *this;
  }

  record& further(pattern_members<T> p) {
    pattern_ = std::move(p);
    return *this;
  }

  /// The key that chooses between mappings; alternatives follow with `alternative`.
  record& tag(std::string key, std::string doc) {
    tag_ = std::move(key);
    tag_doc_ = std::move(doc);
    return *this;
  }

  /// One choice: the record of `Part`, one of the types of the variant at `where`.
  template <class Part, class Where>
  record& alternative(std::string name, Where where, const record<Part>& part, std::string doc) {
    choice c;
    c.about = {std::move(name),
               std::move(doc),
               part.member_shapes(),
               part.pattern_.pattern,
               part.pattern_.doc,
               part.pattern_.value};
    const auto shared = std::make_shared<const record<Part>>(part);
    c.read = [where, shared](reader& r, const node& n, T& into, std::vector<bool>& used) {
      shared->read_members(r, n, std::invoke(where, into).template emplace<Part>(), used);
    };
    c.write = [where, shared](const T& from, node& into) {
      shared->write_members(std::get<Part>(std::invoke(where, from)), into);
    };
    c.is = [where](const T& value) {
      return std::holds_alternative<Part>(std::invoke(where, value));
    };
    choices_.push_back(std::move(c));
    return *this;
  }

  /// `name` is given to records that occur in several places; `in_line` writes them in braces.
  [[nodiscard]] kind<T> as_kind(std::string name = {}, bool in_line = false) const {
    shape about;
    about.what = shape::form::record;
    about.type = name.empty() ? "mapping" : name;
    about.name = std::move(name);
    about.members = member_shapes();
    about.tag = tag_;
    about.tag_doc = tag_doc_;
    for (const choice& c : choices_) {
      about.alternatives.push_back(c.about);
    }
    kind<T> k;
    k.about = std::make_shared<const shape>(std::move(about));
    const auto self = std::make_shared<const record>(*this);
    k.read = [self](reader& r, const node& n, T& into) { self->read(r, n, into); };
    k.write = [self, in_line](const T& from) {
      node n = self->write(from);
      n.in_line = in_line;
      return n;
    };
    return k;
  }

 private:
  template <class>
  friend class record;

  struct choice {
    alternative_shape about;
    std::function<void(reader&, const node&, T&, std::vector<bool>&)> read;
    std::function<void(const T&, node&)> write;
    std::function<bool(const T&)> is;
  };

  [[nodiscard]] std::vector<member_shape> member_shapes() const {
    std::vector<member_shape> all;
    for (const member<T>& m : members_) {
      all.push_back(m.about);
    }
    return all;
  }

  void read(reader& r, const node& n, T& into) const {
    if (n.is(node::form::unreadable)) {
      return;
    }
    if (!n.is(node::form::mapping)) {
      r.complain({"E-TYPE",
                  "expected a mapping (got " + found(n) + ")",
                  "with the keys " + listed(known_keys(nullptr))},
                 n.at);
      return;
    }
    std::vector<bool> used(n.keys.size(), false);
    const choice* chosen = nullptr;
    if (!tag_.empty()) {
      chosen = choose(r, n, used);
      if (chosen == nullptr) {
        return;
      }
    }
    read_members(r, n, into, used);
    if (chosen != nullptr) {
      chosen->read(r, n, into, used);
    }
    complain_about_unknown(r, n, used, chosen);
  }

  void read_members(reader& r, const node& n, T& into, std::vector<bool>& used) const {
    for (const member<T>& m : members_) {
      const auto it = std::find_if(
          n.keys.begin(), n.keys.end(), [&](const node::key& k) { return k.text == m.about.key; });
      if (it != n.keys.end()) {
        const auto i = static_cast<std::size_t>(it - n.keys.begin());
        used[i] = true;
        const reader::scope in(r, m.about.key, m.about.key, n.items[i].at);
        m.read(r, n.items[i], into);
      } else if (m.about.required) {
        r.complain_at(m.about.key, {"E-MISSING", "the field is missing", m.about.doc}, n.at);
      }
    }
    for (const member<T>& m : members_) {
      const node* value = n.find(m.about.key);
      if (value != nullptr && m.applies && !m.applies(into)) {
        r.complain_at(m.about.key, {"E-CONFLICT", "has a meaning only " + m.about.only}, value->at);
      }
    }
    if (pattern_.read) {
      for (std::size_t i = 0; i < n.keys.size(); ++i) {
        if (!used[i]) {
          const reader::scope in(r, n.keys[i].text, n.keys[i].text, n.items[i].at);
          used[i] = pattern_.read(r, n.keys[i], n.items[i], into);
        }
      }
      pattern_.finish(r, n, into);
    }
    for (const auto& rule : rules_) {
      rule(r, n, into);
    }
  }

  [[nodiscard]] node write(const T& from) const {
    node n = empty_mapping();
    std::size_t first = 0;
    // What names an entry of a list comes first, then what kind it is.
    if (!tag_.empty() && !members_.empty() && members_[0].about.key == "id") {
      n.add("id", members_[0].write(from));
      first = 1;
    }
    for (const choice& c : choices_) {
      if (c.is(from)) {
        n.add(tag_, plain(c.about.name));
      }
    }
    write_members(from, n, first);
    for (const choice& c : choices_) {
      if (c.is(from)) {
        c.write(from, n);
      }
    }
    return n;
  }

  void write_members(const T& from, node& into, std::size_t first = 0) const {
    for (std::size_t i = first; i < members_.size(); ++i) {
      if (!members_[i].applies || members_[i].applies(from)) {
        into.add(members_[i].about.key, members_[i].write(from));
      }
    }
    if (pattern_.write) {
      pattern_.write(from, into);
    }
  }

  /// The alternative that the tag names; complains if there is none.
  const choice* choose(reader& r, const node& n, std::vector<bool>& used) const {
    std::vector<std::string> names;
    for (const choice& c : choices_) {
      names.push_back(c.about.name);
    }
    for (std::size_t i = 0; i < n.keys.size(); ++i) {
      if (n.keys[i].text != tag_) {
        continue;
      }
      used[i] = true;
      const node& value = n.items[i];
      for (const choice& c : choices_) {
        if (value.is(node::form::scalar) && value.text == c.about.name) {
          return &c;
        }
      }
      if (!value.is(node::form::unreadable)) {
        const bool is_word = value.is(node::form::scalar);
        const std::string near = is_word ? nearest_of(value.text, names) : std::string();
        r.complain_at(tag_,
                      {is_word ? "E-RANGE" : "E-TYPE",
                       "expected one of " + listed(names) + " (got " + found(value) + ")",
                       near.empty() ? "" : "did you mean `" + near + "`?"},
                      value.at);
      }
      return nullptr;
    }
    r.complain_at(tag_, {"E-MISSING", "the field is missing", "one of " + listed(names)}, n.at);
    return nullptr;
  }

  [[nodiscard]] std::vector<std::string> known_keys(const choice* chosen) const {
    std::vector<std::string> keys;
    if (!tag_.empty()) {
      keys.push_back(tag_);
    }
    for (const member<T>& m : members_) {
      keys.push_back(m.about.key);
    }
    if (chosen != nullptr) {
      for (const member_shape& m : chosen->about.members) {
        keys.push_back(m.key);
      }
    }
    return keys;
  }

  void complain_about_unknown(reader& r,
                              const node& n,
                              const std::vector<bool>& used,
                              const choice* chosen) const {
    for (std::size_t i = 0; i < n.keys.size() && !r.is_full(); ++i) {
      if (used[i]) {
        continue;
      }
      const std::string& key = n.keys[i].text;
      std::string message = "there is no such field";
      for (const choice& other : choices_) {
        for (const member_shape& m : other.about.members) {
          if (&other != chosen && m.key == key) {
            message = fmt::format("the field belongs to `{}: {}`", tag_, other.about.name);
          }
        }
      }
      const std::vector<std::string> keys = known_keys(chosen);
      const std::string near = nearest_of(key, keys);
      std::string hint = near.empty() ? "known: " + listed(keys) : "did you mean `" + near + "`?";
      if (key == "<<") {
        hint = "merge keys have no use here; write the fields out";
      }
      const std::string step = shown(key);
      const reader::scope in(r, step, step, n.keys[i].at);
      r.complain({"E-UNKNOWN", message, hint}, n.keys[i].at);
    }
  }

  static std::string listed(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) {
      out += (out.empty() ? "" : ", ") + name;
    }
    return out;
  }

  std::vector<member<T>> members_;
  pattern_members<T> pattern_;
  std::vector<std::function<void(reader&, const node&, const T&)>> rules_;
  std::string tag_;
  std::string tag_doc_;
  std::vector<choice> choices_;
};

}  // namespace dibs::scenario
