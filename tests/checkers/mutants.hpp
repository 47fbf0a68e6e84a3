/// Ways to break a legal history, each with the invariant that must catch it.
#pragma once

#include "base/random.hpp"
#include "random_history.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace dibs::checkers::test {

struct mutant {
  std::string_view name;
  lease::invariant caught_by{};
  /// Nothing if the history has no place for it.
  std::optional<std::vector<events::event>> (*breaks)(const story& s, stream& random);
};

[[nodiscard]] std::span<const mutant> mutants();

}  // namespace dibs::checkers::test
