/// The fields of a scenario by the paths that `--set` takes, with their values as it takes them.
///
/// Every field that the scenario has is there, written or not, and so is every mapping and list as
/// a whole. Entries of lists stand under what names them and under their number.
#pragma once

#include "scenario/scenario.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::scenario {

/// One field with its value in each of two scenarios; empty where one does not have it.
struct field_difference {
  std::string path;
  std::string a;
  std::string b;
};

/// Whether the path is this one or one of its parts: `lease.restart.tokens` of `lease.restart`.
[[nodiscard]] bool is_within(std::string_view path, std::string_view whole);

class field_values {
 public:
  explicit field_values(const scenario& s);

  /// `15s`; nothing if there is no such field. A word that stands for the field beside it, as `ttl`
  /// does in `lease.offer_window`, gives the value of that field.
  [[nodiscard]] std::optional<std::string> find(const std::string& path) const;

  /// Fields that differ, each as deep as it says so, and not `name`, `question` and `seed`. Entries
  /// of a list stand under what names them, else under their number.
  [[nodiscard]] std::vector<field_difference> differences(const field_values& other) const;

  /// The path nearest to a misspelt one; empty if none is near.
  [[nodiscard]] std::string nearest(const std::string& path) const;

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace dibs::scenario
