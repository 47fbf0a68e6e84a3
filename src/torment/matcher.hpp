/// A matcher that is a process of its own, on a real store: several lanes, each with one ride after
/// the other. It acquires a driver, thinks, looks at its lease, works, writes at the ledger,
/// drives, and closes.
///
/// A trip counts from the answer of the write to before its close is sent, so that an overlap of
/// two trips on record is an overlap. What is written is repeated until the answer is known; a
/// process that begins again after a kill does so first.
#pragma once

#include "base/result.hpp"
#include "events/facts.hpp"
#include "torment/plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dibs::torment {

/// Until the run is over. Errors: a file that cannot be written, an address that cannot be read.
[[nodiscard]] result<void> run_matcher(const matcher_plan& p);

/// Where one life of the process writes its events.
[[nodiscard]] std::string facts_of(const matcher_plan& p, std::uint32_t life);

/// A trip that a killed process has left behind.
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

}  // namespace dibs::torment
