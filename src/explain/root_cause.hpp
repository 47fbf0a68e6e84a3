/// What there is to learn from a breach: what decided it, and which feature of a protocol would
/// have prevented it.
#pragma once

#include "explain/harm.hpp"
#include "explain/remedies.hpp"

#include <optional>
#include <string>
#include <vector>

namespace dibs::show {

struct lesson {
  /// When the last act or fault that made it was there, as the events tell; nothing if they do not.
  /// From when on it was unavoidable, branches of the run say (`point_of_no_return.hpp`).
  std::optional<sim_time> decided;
  std::string because;  ///< a sentence
  /// Made by a clock that goes wrong all along, so that it is decided at no act of anybody.
  bool by_clock = false;
  std::string then{};            ///< what is due at `decided`, where no event says so
  std::vector<remedy> remedies;  ///< that go for the cause
  std::vector<remedy> further;   ///< that may help where none of these does
};

[[nodiscard]] lesson lesson_of(const chronicle& c, const breach& b);

}  // namespace dibs::show
