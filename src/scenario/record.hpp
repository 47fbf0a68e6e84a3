/// Mappings with known keys. Each key is declared once, with how its value is read and written, its
/// sentence, and the default that the struct itself gives.
#pragma once

#include "base/ensure.hpp"
#include "scenario/untyped_record.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace dibs::scenario {

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
  /// A field; `where` is a member pointer, or a projection that gives a reference into the mapping.
  template <class Where, class V>
  record& field(std::string key, Where where, const field_type<V>& k, std::string doc) {
    all_.add(std::move(key), std::move(doc), without_type(k), offset_of<V>(where), &standard());
    return *this;
  }

  /// A field that has one value until more of it exists; nothing is stored.
  template <class V>
  record& fixed(std::string key, const field_type<V>& k, V only, std::string doc) {
    untyped_record::member m;
    field_description about = *k.about;
    m.about = {std::move(key), std::move(doc), nullptr, k.write(only), false, {}};
    about.range = "only " + m.about.standard->text;
    about.schema = json{{"enum", json::array({as_json(*m.about.standard)})}};
    m.about.value = std::make_shared<const field_description>(std::move(about));
    m.read = [k, only, text = m.about.standard->text](reader& r, const node& n, void*) {
      V value = only;
      k.read(r, n, value);
      if (!(value == only)) {
        r.complain({"E-RANGE",
                    fmt::format("must be {} (got {})", text, describe_node(n)),
                    "nothing else exists yet"},
                   n.at);
      }
    };
    m.write = [node = *m.about.standard](const void*) { return node; };
    all_.members.push_back(std::move(m));
    return *this;
  }

  /// The field just declared must be given.
  record& required() {
    all_.members.back().about.required = true;
    all_.members.back().about.standard.reset();
    return *this;
  }

  /// The default of the field just declared is worked out later (see `complete`).
  record& without_default() {
    all_.members.back().about.standard.reset();
    return *this;
  }

  /// The field just declared may only be given where `applies`.
  record& only(std::string where, std::function<bool(const T&)> applies) {
    all_.members.back().about.only = std::move(where);
    all_.members.back().applies = [applies = std::move(applies)](const void* of) {
      return applies(value_at(of));
    };
    return *this;
  }

  /// The field just declared has an effect only where this is met. It may be given all the same.
  record& needs(need what) {
    all_.members.back().about.needs.push_back(std::move(what));
    return *this;
  }

  /// The same of every field declared so far, but `others`.
  record& all_need(const need& what, std::initializer_list<std::string_view> others = {}) {
    for (untyped_record::member& m : all_.members) {
      if (std::ranges::find(others, m.about.key) == others.end()) {
        m.about.needs.push_back(what);
      }
    }
    return *this;
  }

  /// A rule over several fields of this mapping; see `reader::is_clean`.
  record& check(std::function<void(reader&, const node&, const T&)> rule) {
    all_.rules.emplace_back([rule = std::move(rule)](reader& r, const node& n, const void* of) {
      rule(r, n, value_at(of));
    });
    return *this;
  }

  record& further(pattern_members<T> p) {
    all_.further = {std::move(p.pattern),
                    std::move(p.doc),
                    std::move(p.value),
                    [read = std::move(p.read)](
                        reader& r, const node::key& key, const node& n, void* into) -> bool {
                      return read(r, key, n, value_at(into));
                    },
                    [finish = std::move(p.finish)](reader& r, const node& n, void* into) {
                      finish(r, n, value_at(into));
                    },
                    [write = std::move(p.write)](const void* from, node& into) {
                      write(value_at(from), into);
                    }};
    return *this;
  }

  /// The key that chooses between mappings; alternatives follow with `alternative`.
  record& tag(std::string key, std::string doc) {
    all_.tag = std::move(key);
    all_.tag_doc = std::move(doc);
    return *this;
  }

  /// One choice: the record of `Part`, one of the types of the variant at `where`.
  template <class Part, class Where>
  record& alternative(std::string name, Where where, const record<Part>& part, std::string doc) {
    untyped_record::choice c;
    c.about = {std::move(name),
               std::move(doc),
               part.all_.member_shapes(),
               part.all_.further.pattern,
               part.all_.further.doc,
               part.all_.further.value};
    c.part = std::make_shared<const untyped_record>(part.all_);
    c.make = [where](void* into) -> void* {
      return &std::invoke(where, value_at(into)).template emplace<Part>();
    };
    c.find = [where](const void* from) -> const void* {
      return std::get_if<Part>(&std::invoke(where, value_at(from)));
    };
    all_.choices.push_back(std::move(c));
    return *this;
  }

  /// `name` is given to records that occur in several places; `in_line` writes them in braces.
  [[nodiscard]] field_type<T> as_kind(std::string name = {}, bool in_line = false) const {
    field_type<T> k;
    k.about = all_.shape_named(std::move(name));
    const auto self = std::make_shared<const untyped_record>(all_);
    k.read = [self](reader& r, const node& n, T& into) { self->read(r, n, &into); };
    k.write = [self, in_line](const T& from) {
      node n = self->write(&from);
      n.in_line = in_line;
      return n;
    };
    return k;
  }

 private:
  template <class>
  friend class record;

  /// How many bytes from its beginning a mapping has what `where` gives.
  template <class V, class Where>
  static std::ptrdiff_t offset_of(Where where) {
    static_assert(std::is_same_v<std::invoke_result_t<Where, T&>, V&>);
    static_assert(std::is_same_v<std::invoke_result_t<Where, const T&>, const V&>);
    const auto address = [](const auto& value) {
      return reinterpret_cast<const std::byte*>(std::addressof(value));
    };
    const auto offset = address(std::invoke(where, standard())) - address(standard());
    ensure(offset >= 0 && offset + std::ptrdiff_t{sizeof(V)} <= std::ptrdiff_t{sizeof(T)},
           "a field is a part of its mapping");
    return offset;
  }

  static T& value_at(void* place) { return *static_cast<T*>(place); }
  static const T& value_at(const void* place) { return *static_cast<const T*>(place); }

  static const T& standard() {
    static const T value{};
    return value;
  }

  untyped_record all_;
};

}  // namespace dibs::scenario
