/// Leases on things that matchers hold for longer than a try: rides as work, and zones of the map.
///
/// Pure: `now`, on the lease manager's clock, comes in with every question. A claim by who holds
/// the thing renews it. Half-open: a claim is over at its deadline.
///
/// Any number may share a thing, and who does not share it has it alone: shared claims and others
/// exclude each other. Who was turned away by sharers comes next: until it has had the thing, or
/// has not come back for as long as its claim would have lasted, no shared claim is given or
/// prolonged.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"

#include <tsl/hopscotch_map.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace dibs::lease {

class claim_table {
 public:
  struct given {
    local_time expires{};
    bool renewed = false;  ///< the claimant had it already
    /// Whose claim had run out, if nobody has held the thing since.
    std::optional<matcher_id> after;
  };
  struct taken {
    matcher_id holder;
  };
  using outcome = std::variant<given, taken>;

  [[nodiscard]] outcome claim(
      std::uint32_t thing, matcher_id by, local_time now, sim_duration ttl, bool shared = false);

  /// Whether `by` holds the thing at `now`.
  [[nodiscard]] bool holds(std::uint32_t thing, matcher_id by, local_time now) const;

  /// The claimant is done with it; false if it did not hold it.
  bool release(std::uint32_t thing, matcher_id by);

  /// Ends the claims to the thing that are over at `now`; whose they were.
  [[nodiscard]] std::vector<matcher_id> expire(std::uint32_t thing, local_time now);

  /// Who held the thing last, where its claim ran out and nobody has claimed it since.
  [[nodiscard]] std::optional<matcher_id> orphan_of(std::uint32_t thing) const;

  /// Who should take a thing over from `orphan`, at the nth attempt from 0: one after another of
  /// the others, but nobody who let a claim run out and has claimed nothing since, unless all did.
  /// Requires: at least two claimants.
  [[nodiscard]] matcher_id heir_of(matcher_id orphan,
                                   std::uint32_t nth,
                                   std::uint32_t claimants) const;

  /// The deadlines of all claims, for timers that a crash has voided; in the order of the things.
  struct due {
    std::uint32_t thing = 0;
    local_time when{};
  };
  [[nodiscard]] std::vector<due> pending() const;

  void clear() {
    things_.clear();
    silent_.clear();
  }

 private:
  struct claim_of {
    matcher_id holder;
    local_time due{};
    bool is_shared = false;
  };
  struct turn {
    matcher_id whose;
    local_time until{};
  };
  struct entry {
    std::vector<claim_of> claims;
    std::optional<turn> next;  ///< who was turned away by sharers
    std::optional<matcher_id> orphaned_by;
  };

  [[nodiscard]] bool is_silent(matcher_id m) const;
  void set_silent(matcher_id m, bool is_silent);

  tsl::hopscotch_map<std::uint32_t, entry> things_;
  std::vector<bool> silent_;  ///< by claimant: a claim ran out, and it has claimed nothing since
};

}  // namespace dibs::lease
