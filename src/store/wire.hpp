/// What goes to a store and what comes back, in the form that PostgreSQL and Redis share: an
/// operation with whole numbers, answered by one row.
///
/// Times on the wire are whole microseconds. A length is rounded up to them, so that no lease is
/// shorter than it was said to be; the end of all time is the greatest number.
#pragma once

#include "base/time.hpp"
#include "lease/commands.hpp"
#include "store/terms.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace dibs::store {

/// No number on the wire: by the store's own clock.
inline constexpr std::int64_t no_number = INT64_MIN;
inline constexpr std::int64_t never = INT64_MAX;

struct operation {
  std::string_view name;  ///< as `lease::name_of`
  int parameters = 0;     ///< the last one is the time, or `no_number`
};

/// One for each alternative of `lease::any_command`, in their order.
[[nodiscard]] std::span<const operation> operations();

struct wire_command {
  std::size_t operation = 0;  ///< its place among `operations()`
  std::array<std::int64_t, 8> numbers{};
  std::size_t size = 0;
};

/// `now`: the time that the command is given; nothing: by the store's own clock.
[[nodiscard]] wire_command to_wire(const lease::any_command& c,
                                   const terms& t,
                                   std::optional<local_time> now);

/// One row. What the numbers mean depends on the operation; see `from_wire`.
struct wire_row {
  char code = '?';
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::int64_t c = 0;
  std::int64_t ended = no_number;  ///< the token of a lease that the command ended, if it did
  std::int64_t ended_ride = no_number;
  std::int64_t ended_holder = no_number;
  std::int64_t clock = 0;  ///< what the store's clock read
};

/// What the row answers. Nothing: no store may answer so.
[[nodiscard]] std::optional<lease::any_outcome> from_wire(const lease::any_command& c,
                                                          const wire_row& row);

/// As a time of the store's clock. Requires: no `no_number`.
[[nodiscard]] local_time time_of(std::int64_t on_the_wire);

}  // namespace dibs::store
