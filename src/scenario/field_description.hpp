/// What a field looks like from outside: its type, range, default and sentence. The JSON schema,
/// the reference page, `--set` and the starter walk these; values are read and written by
/// `field_type.hpp`, which builds the shapes from the same declarations.
#pragma once

#include "scenario/scenario.hpp"
#include "scenario/tree.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dibs::scenario {

using json = nlohmann::ordered_json;

struct field_description;
using shape_ptr = std::shared_ptr<const field_description>;

/// What a field needs in order to have an effect, and why it has none otherwise, after "changed
/// nothing: ".
struct need {
  std::function<bool(const scenario&)> is_met;
  std::string otherwise;
};

/// One field of a mapping.
struct member_description {
  std::string key;
  std::string doc;
  shape_ptr value;
  std::optional<node> standard;  ///< the default; none for required fields and for mappings
  bool required = false;
  std::string only;           ///< "where `kind` is `periodic`", for fields that need another one
  std::vector<need> needs{};  ///< all of them; where one is not met, the field changes no run
};

/// One of several mappings, chosen by the value of a key (`kind: burst`).
struct alternative_shape {
  std::string name;
  std::string doc;
  std::vector<member_description> members;
  /// Further keys by pattern (`p50`), all of one shape.
  std::string key_pattern;
  std::string key_doc;
  shape_ptr key_value;
};

// NOLINTNEXTLINE(bugprone-exception-escape): to be moved its members need no memory
struct field_description {
  enum class form : std::uint8_t {
    leaf,
    record,  ///< a mapping with known keys
    list,
    bounds,  ///< a mapping from metric names to comparisons
  };

  form what = form::leaf;
  std::string type;   ///< "duration"
  std::string range;  ///< "at least 1ms"
  json schema;        ///< of a leaf

  shape_ptr short_form;  ///< of a record: what a scalar in its place is (a duration: constant)

  std::string word;          ///< a word in the place of the value: `none`
  std::string word_meaning;  ///< "no retries"

  std::string name;                         ///< of a record that occurs in several places
  std::vector<member_description> members;  ///< of a record
  std::string tag;                          ///< the key that chooses an alternative
  std::string tag_doc;
  std::vector<alternative_shape> alternatives;

  shape_ptr element;      ///< of a list
  std::string entry_key;  ///< the key whose value names an entry of a list
  bool may_be_empty = true;
};

/// A tree as JSON: unquoted numbers as numbers, all other scalars as strings.
[[nodiscard]] json as_json(const node& n);

}  // namespace dibs::scenario
