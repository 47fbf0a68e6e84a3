/// A mapping with known keys, whatever type it is read into: what `record` of each type is made of.
/// It knows that type by address only, so that it is compiled once and not for each.
#pragma once

#include "scenario/field_type.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dibs::scenario {

/// A kind whose type is known by address only.
struct untyped_field_type {
  shape_ptr about;
  std::function<void(reader&, const node&, void*)> read;
  std::function<node(const void*)> write;
};

template <class V>
untyped_field_type without_type(const field_type<V>& k) {
  return {
      k.about,
      [read = k.read](reader& r, const node& n, void* into) { read(r, n, *static_cast<V*>(into)); },
      [write = k.write](const void* from) { return write(*static_cast<const V*>(from)); }};
}

struct untyped_record {
  /// One declared field.
  struct member {
    member_description about;
    std::function<void(reader&, const node&, void*)> read;  ///< given the place at `offset`
    std::function<node(const void*)> write;                 ///< likewise
    std::ptrdiff_t offset = 0;  ///< where the mapping has it, in bytes from its beginning
    std::function<bool(const void*)> applies;  ///< empty: always

    void read_into(void* mapping, reader& r, const node& n) const {
      read(r, n, static_cast<std::byte*>(mapping) + offset);
    }
    [[nodiscard]] node write_from(const void* mapping) const {
      return write(static_cast<const std::byte*>(mapping) + offset);
    }
  };

  /// Further keys that follow a pattern. `read` says whether the key fits; empty: there are none.
  struct further_members {
    std::string pattern;
    std::string doc;
    shape_ptr value;
    std::function<bool(reader&, const node::key&, const node&, void*)> read;
    std::function<void(reader&, const node&, void*)> finish;
    std::function<void(const void*, node&)> write;
  };

  /// One of several mappings, chosen by the value of the tag.
  struct choice {
    alternative_shape about;
    std::shared_ptr<const untyped_record> part;
    std::function<void*(void*)> make;              ///< where the part is to be read into
    std::function<const void*(const void*)> find;  ///< where it is; null: another one was chosen
  };

  /// Declares a field; `standard` is a mapping with the default.
  void add(std::string key,
           std::string doc,
           untyped_field_type value,
           std::ptrdiff_t offset,
           const void* standard);

  std::vector<member> members;
  further_members further;
  std::vector<std::function<void(reader&, const node&, const void*)>> rules;
  std::string tag;  ///< empty: there are no choices
  std::string tag_doc;
  std::vector<choice> choices;

  [[nodiscard]] std::vector<member_description> member_shapes() const;
  [[nodiscard]] shape_ptr shape_named(std::string name) const;

  /// Complains about what it cannot read and leaves that alone.
  void read(reader& r, const node& n, void* into) const;
  [[nodiscard]] node write(const void* from) const;

 private:
  void read_members(reader& r, const node& n, void* into, std::vector<bool>& used) const;
  void write_members(const void* from, node& into, std::size_t first = 0) const;
  const choice* choose(reader& r, const node& n, std::vector<bool>& used) const;
  const choice* choice_of(reader& r, const node& value) const;
  [[nodiscard]] std::vector<std::string> known_keys(const choice* chosen) const;
  void complain_about_unknown(reader& r,
                              const node& n,
                              const std::vector<bool>& used,
                              const choice* chosen) const;
};

}  // namespace dibs::scenario
