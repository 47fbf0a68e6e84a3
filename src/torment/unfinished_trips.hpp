/// What a matcher process that was killed has left behind: rides that it had asked for, and trips
/// that were written, or may have been, and not closed.
#pragma once

#include "base/ids.hpp"
#include "events/facts.hpp"

#include <cstdint>
#include <vector>

namespace dibs::torment {

struct unfinished_trip {
  matcher_id matcher;
  driver_id driver;
  ride_id ride;
  token_id token;
  bool was_taken = false;  ///< by the ledger, as far as the process knew
  bool is_over = false;    ///< and the process had begun to close it

  friend bool operator==(const unfinished_trip&, const unfinished_trip&) = default;
};

/// The last trip of each matcher, unless its write was refused.
[[nodiscard]] std::vector<unfinished_trip> unfinished_of(const std::vector<events::event>& all);

/// How many rides each of `lanes` lanes, which number their rides in turn, has begun at most.
[[nodiscard]] std::uint32_t rides_begun(const std::vector<events::event>& all, std::uint32_t lanes);

}  // namespace dibs::torment
