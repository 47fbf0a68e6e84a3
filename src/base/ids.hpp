/// Identities as types: a driver's number and a ride's number do not compare.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace dibs {

/// A number with a meaning. `Tag` keeps the kinds apart; `none()` is no one.
template <class Tag, class Number = std::uint32_t>
struct strong_id {
  Number value{static_cast<Number>(-1)};

  static constexpr strong_id none() { return {}; }
  [[nodiscard]] constexpr bool is_some() const { return value != static_cast<Number>(-1); }
  friend constexpr auto operator<=>(strong_id, strong_id) = default;
};

/// The number that people see: they count from 1.
template <class Tag, class Number>
constexpr Number ordinal(strong_id<Tag, Number> id) {
  return id.value + 1;
}

using driver_id = strong_id<struct driver_tag>;
using ride_id = strong_id<struct ride_tag>;
using matcher_id = strong_id<struct matcher_tag>;
using zone_id = strong_id<struct zone_tag>;  ///< a part of the map that one matcher may hold

/// Names one try for one driver. Under a lease it is the fencing token that the lease manager
/// issued, an integer that only grows. Without a lease it is a number that the matcher made up,
/// with the top bit set, so that every try can be followed through the history all the same.
struct token_id {
  std::uint64_t value = 0;

  static constexpr std::uint64_t unleased_bit = std::uint64_t{1} << 63;

  static constexpr token_id none() { return {}; }

  /// The `n`-th try of a matcher that holds no lease.
  static constexpr token_id unleased(matcher_id m, std::uint64_t n) {
    return {unleased_bit | (std::uint64_t{m.value} << 40) | n};
  }
  [[nodiscard]] constexpr bool is_some() const { return value != 0; }
  [[nodiscard]] constexpr bool is_leased() const {
    return is_some() && (value & unleased_bit) == 0;
  }
  friend constexpr auto operator<=>(token_id, token_id) = default;
};

/// What a node is: the kinds that links, clocks and faults are written for.
enum class node_kind : std::uint8_t {
  driver,
  rider,
  matcher,
  lease_manager,
  ledger,
  demand,
  sweeper,  ///< cleans up expired leases by a clock of its own, where the scenario has one
};
inline constexpr int node_kinds = 7;

/// One node: its kind and its number among its kind, from 0 (people see numbers from 1).
struct node_id {
  std::uint32_t packed = 0;

  constexpr node_id() = default;
  constexpr node_id(node_kind kind, std::uint32_t index)
      : packed(static_cast<std::uint32_t>(kind) << 28 | index) {}
  [[nodiscard]] constexpr node_kind kind() const { return static_cast<node_kind>(packed >> 28); }
  [[nodiscard]] constexpr std::uint32_t index() const { return packed & 0x0fffffffU; }
  friend constexpr auto operator<=>(node_id, node_id) = default;
};

/// A hash for numbers that come in steps, as the rides do that one matcher of many serves: by their
/// lowest bits, which is all that a table looks at, they would lie in one place.
struct spread_hash {
  std::size_t operator()(std::uint64_t number) const noexcept {
    return static_cast<std::size_t>(number * 0x9e3779b97f4a7c15ULL >> 32);
  }
  template <class Tag, class Number>
  std::size_t operator()(strong_id<Tag, Number> id) const noexcept {
    return (*this)(std::uint64_t{id.value});
  }
};

constexpr node_id node_of(driver_id d) { return {node_kind::driver, d.value}; }
constexpr node_id node_of(matcher_id m) { return {node_kind::matcher, m.value}; }
constexpr bool is_manager(node_id n) { return n.kind() == node_kind::lease_manager; }

}  // namespace dibs

template <class Tag, class Number>
struct std::hash<dibs::strong_id<Tag, Number>> {
  std::size_t operator()(dibs::strong_id<Tag, Number> id) const noexcept {
    return std::hash<Number>{}(id.value);
  }
};

template <>
struct std::hash<dibs::token_id> {
  std::size_t operator()(dibs::token_id t) const noexcept {
    return static_cast<std::size_t>((t.value ^ t.value >> 29) * 0x9e3779b97f4a7c15ULL);
  }
};
