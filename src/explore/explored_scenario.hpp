/// The scenario from which one explores, read once: a file that is edited meanwhile changes nothing
/// on the page.
#pragma once

#include "scenario/field_paths.hpp"
#include "scenario/read.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dibs::explore {

using changes = std::vector<scenario::override_value>;

class explored_scenario {
 public:
  /// With what `--set` changes, and with another seed. Not `ok()` if the scenario is invalid; then
  /// only `diagnostics()` has a meaning.
  explored_scenario(std::filesystem::path file, changes set, std::optional<std::uint64_t> seed);

  [[nodiscard]] bool ok() const { return base_.ok(); }
  [[nodiscard]] const std::vector<scenario::diagnostic>& diagnostics() const {
    return base_.diagnostics;
  }

  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  /// What was typed with `--set`.
  [[nodiscard]] const changes& set() const { return set_; }
  [[nodiscard]] const scenario::scenario& base() const { return base_.value; }
  /// The base's own values, by path.
  [[nodiscard]] const scenario::field_values& fields() const { return *fields_; }

  /// The scenario with further changes. Traces are not read again where they stay the same.
  [[nodiscard]] scenario::reading with(const changes& more) const;

 private:
  std::filesystem::path file_;
  changes set_;
  std::string text_;
  scenario::reading base_;
  std::optional<scenario::field_values> fields_;
};

}  // namespace dibs::explore
