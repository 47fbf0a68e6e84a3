/// The trip record: takes or refuses writes, and knows which trips are open.
///
/// Pure: reads no clock, draws no randomness, does no I/O.
///
/// Invariants
///   1. A token is taken at most once for one driver and ride; a repeated write gets the answer of
///      the first, also when that was a refusal whose reason has gone since. The same token for
///      another driver or ride is no repeat: some manager has counted twice.
///   2. Under `fence`: no driver has two open trips, no ride has two, and a token below the
///      highest that the ledger knows for its driver is refused.
#pragma once

#include "base/block_table.hpp"
#include "base/ids.hpp"
#include "base/prefetch.hpp"
#include "base/token_index.hpp"
#include "events/facts.hpp"
#include "lease/protocol.hpp"

#include <tsl/hopscotch_map.h>

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace dibs::lease {

struct taken {
  bool repeated = false;
};

struct turned_down {
  events::write_refusal cause{};
  /// For `ride_taken`: the trip that the ride has.
  token_id holder_token{};
  driver_id holder_driver{};
};

using write_outcome = std::variant<taken, turned_down>;

struct trip_record {
  driver_id driver;
  ride_id ride;
  bool open = true;
};

class ledger {
 public:
  ledger(ledger_rule rule, std::uint32_t drivers);

  /// `version` counts under `compare_and_set` only: how often the driver had been assigned when the
  /// writer read her record.
  [[nodiscard]] write_outcome write(token_id token,
                                    driver_id d,
                                    ride_id r,
                                    std::uint32_t version = 0);

  /// With `commit: manager`: the trip is a fact already. False if it is over as well, so that the
  /// manager has taken a confirm too many.
  [[nodiscard]] bool record(token_id token, driver_id d, ride_id r);

  /// The lease manager has granted this token: older ones are refused from now on.
  void raise_fence(driver_id d, token_id token);

  /// A trip is over or was called off. The record, or nothing if it was not open.
  [[nodiscard]] std::optional<trip_record> close(token_id token);

  /// The trip that the driver was last written on, if it is open; else none.
  [[nodiscard]] token_id open_trip_of(driver_id d) const;

  /// Whether a token became a trip that is still open.
  [[nodiscard]] bool is_open(token_id token) const;

  /// Prefetches the record of the driver.
  void fetch(driver_id d) const {
    if (d.value < drivers_.size()) {
      fetch_whole(drivers_[d.value]);
    }
  }

 private:
  struct driver_entry {
    token_id highest;
    token_id trip;
    std::uint32_t version = 0;  ///< how often she was assigned
  };

  [[nodiscard]] std::optional<turned_down> objection(token_id token,
                                                     driver_id d,
                                                     ride_id r,
                                                     std::uint32_t version) const;
  /// What a write is answered that repeats an earlier one, or comes with the token of another.
  [[nodiscard]] std::optional<write_outcome> known(token_id token, driver_id d, ride_id r) const;
  /// From `answered_`.
  [[nodiscard]] std::optional<write_outcome> answered(token_id token, driver_id d, ride_id r) const;
  [[nodiscard]] std::optional<turned_down> ride_taken(ride_id r) const;
  [[nodiscard]] token_id trip_of(ride_id r) const;
  /// The last trip of this token, or null.
  [[nodiscard]] const trip_record* find(token_id token) const;

  ledger_rule rule_;
  std::vector<driver_entry> drivers_;
  block_table<token_id> ride_trips_;
  block_table<trip_record> trips_;
  token_index last_of_;  ///< of the trips of each token
  struct answered_write {
    token_id token;
    driver_id driver;
    write_outcome answer;
  };
  /// Refused writes, and trips whose token another has taken over: by ride, oldest first, since a
  /// token that was given twice is answered for each of them apart.
  tsl::hopscotch_map<ride_id, std::vector<answered_write>, std::hash<ride_id>> answered_;
};

}  // namespace dibs::lease
