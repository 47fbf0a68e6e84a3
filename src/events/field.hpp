/// How a fact names its members, so that one writer, one reader and one hash do for all facts.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>

namespace dibs::events {

/// The names of a fact's members, one for each, in their order.
template <class... Text>
constexpr std::array<std::string_view, sizeof...(Text)> names(const Text&... text) {
  return {text...};
}

/// All members of a fact, in their order. Requires: as many as it has names, at most seven.
template <class Fact>
constexpr auto members_of(Fact& of) {
  constexpr std::size_t count = Fact::fields.size();
  if constexpr (count == 1) {
    auto& [a] = of;
    return std::tie(a);
  } else if constexpr (count == 2) {
    auto& [a, b] = of;
    return std::tie(a, b);
  } else if constexpr (count == 3) {
    auto& [a, b, c] = of;
    return std::tie(a, b, c);
  } else if constexpr (count == 4) {
    auto& [a, b, c, d] = of;
    return std::tie(a, b, c, d);
  } else if constexpr (count == 5) {
    auto& [a, b, c, d, e] = of;
    return std::tie(a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto& [a, b, c, d, e, f] = of;
    return std::tie(a, b, c, d, e, f);
  } else {
    auto& [a, b, c, d, e, f, g] = of;
    return std::tie(a, b, c, d, e, f, g);
  }
}

/// Calls `visit(name, member)` for each member of a fact, in their order.
template <class Fact, class Visit>
constexpr void each_field(Fact& of, Visit visit) {
  const auto visit_all = [&](auto&... member) {
    std::size_t i = 0;
    (visit(Fact::fields[i++], member), ...);
  };
  std::apply(visit_all, members_of(of));
}

}  // namespace dibs::events
