/// Grants exclusive, time-limited leases over drivers.
///
/// Reads no clock, draws no randomness, does no I/O: `now`, on the lease manager's own monotonic
/// clock, comes in with every command, and what happened goes out as an outcome.
///
/// Invariants
///   1. At most one lease per driver is live at any `now`, and none while she is on a trip that
///      the manager knows of.
///   2. Tokens strictly increase, over all drivers.
///   3. A lease is over when `now >= expires + grace`: the instant of expiry belongs to nobody.
///   4. A confirm stops the expiry until the ledger's outcome arrives or `confirm_hold` is over.
///   5. A command that names a token which is not current changes nothing (unless the protocol
///      knows holders by less than a token).
///
///     available --acquire--> leased --confirm--> confirmed --taken--> on trip --> available
///                              |                     |
///                              +-- expire, release --+-- refused, hold over --> available
///
/// With `commit: manager` a confirm leads from leased to on trip at once.
#pragma once

#include "base/block_table.hpp"
#include "base/ids.hpp"
#include "base/prefetch.hpp"
#include "base/time.hpp"
#include "events/facts.hpp"
#include "lease/protocol.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace dibs::lease {

struct machine_options {
  rules protocol;
  sim_duration ttl{15s};  ///< `forever` is allowed
  sim_duration grace{};
  sim_duration confirm_hold{30s};
  sim_duration lock_delay{};  ///< after an expiry nobody gets the driver for so long
  bool commit_on_confirm = false;
  /// Whether a command that meets an expired lease ends it on the spot (clean-up by timer, or
  /// lazily), or leaves it to the sweep.
  bool ends_on_sight = true;
  /// A renewal is a conditional update on the count of renewals so far.
  bool numbers_renewals = false;
  sim_duration jitter{};    ///< by so much may one grant or renewal be longer than another
  sim_duration hold_min{};  ///< what is given back sooner keeps its driver so long from its grant
};

/// A lease that has just ended without becoming a trip.
struct ended {
  token_id token;
  driver_id driver;
  ride_id ride;
  matcher_id holder;
  events::lease_ending cause{};
};

struct granted {
  token_id token;
  sim_duration ttl{};             ///< what is left of the lease, from now
  local_time expires{};           ///< local_time::max() for a lease without end
  std::optional<ended> previous;  ///< an expired lease that this command ended on sight
  bool repeated = false;          ///< the same lease to a retry; nothing changed
};

struct denied {
  events::denial cause{};
  std::optional<ended> previous;
};

using acquire_outcome = std::variant<granted, denied>;

struct confirmed {
  bool repeated = false;   ///< the same answer to a retry; nothing changed
  bool committed = false;  ///< with `commit: manager`, unless repeated
  matcher_id holder;
  token_id lease;  ///< the one that is kept: not the confirm's own where any holder's word counts
  local_time hold_until{};  ///< with `commit: ledger`: when the confirmed lease is freed unwritten
  std::optional<ended> other{};  ///< the lease in whose name an old one was committed
};

/// With `commit: manager`: the trip that a ride has.
struct trip_of_ride {
  token_id token;
  driver_id driver;
};

struct refused {
  events::confirm_refusal cause{};
  std::optional<ended> previous;
  trip_of_ride holder{};  ///< for `ride_taken`
};

using confirm_outcome = std::variant<confirmed, refused>;

struct renewed {
  token_id token;  ///< of the lease that was extended
  sim_duration ttl{};
  local_time expires{};
};

using renew_outcome = std::variant<renewed, refused>;

class machine {
 public:
  machine(const machine_options& options, std::uint32_t drivers);

  /// `request` names this request of the holder, so that a retry of it gets the same lease for as
  /// long as it is live and unconfirmed; 0 for one that will not be retried. `longer` is added to
  /// the TTL, here and in `renew`.
  [[nodiscard]] acquire_outcome acquire(driver_id d,
                                        ride_id r,
                                        matcher_id holder,
                                        local_time now,
                                        std::uint32_t request = 0,
                                        sim_duration longer = {});

  /// `by` counts where holders are known by name; none is the driver herself.
  [[nodiscard]] confirm_outcome confirm(driver_id d,
                                        token_id token,
                                        local_time now,
                                        matcher_id by = matcher_id::none());

  /// Extends a live, unconfirmed lease to a full TTL from `now`, and never takes from it what a
  /// longer jitter gave it before. `by` as for `confirm`. `nth`, from 1, counts only where renewals
  /// are numbered: a renewal is refused that is not the next.
  [[nodiscard]] renew_outcome renew(driver_id d,
                                    token_id token,
                                    local_time now,
                                    matcher_id by = matcher_id::none(),
                                    std::uint32_t nth = 0,
                                    sim_duration longer = {});

  /// The holder gives the lease back. Nothing if it does not hold it, as far as the manager can
  /// tell.
  [[nodiscard]] std::optional<ended> release(driver_id d,
                                             token_id token,
                                             events::lease_ending cause,
                                             matcher_id by = matcher_id::none());

  /// The same at `now`: a lease that is given back sooner after its grant than `hold_min` keeps the
  /// driver until then, and is nobody's. Nothing, and see `just_kept`.
  [[nodiscard]] std::optional<ended> give_back(driver_id d,
                                               token_id token,
                                               events::lease_ending cause,
                                               local_time now,
                                               matcher_id by = matcher_id::none());

  /// A timer says that the lease may be over. Nothing if it is not, or if the token is not current.
  [[nodiscard]] std::optional<ended> expire(driver_id d, token_id token, local_time now);

  /// Ends every lease that is over at `now`, in the order of the drivers; at most so many.
  [[nodiscard]] std::vector<ended> sweep(local_time now, std::size_t at_most = SIZE_MAX);
  /// The driver's lease alone, if it is that one and over.
  [[nodiscard]] std::optional<ended> sweep_one(driver_id d, token_id token, local_time now);
  /// The same, whatever lease is there and however long it has left.
  [[nodiscard]] std::optional<ended> sweep_whatever(driver_id d);

  /// A lease that was given back and keeps the driver for a while.
  struct kept {
    token_id token;
    local_time until{};
  };
  /// That of the driver, if she has one.
  [[nodiscard]] std::optional<kept> just_kept(driver_id d) const;

  /// The ledger took a write. A lease of the driver for another ride that is not confirmed ends:
  /// she is no longer there to be had.
  [[nodiscard]] std::optional<ended> trip_began(driver_id d, token_id token);

  /// The ledger refused a write.
  [[nodiscard]] std::optional<ended> write_refused(driver_id d, token_id token);

  /// Whether the driver was on that trip until now.
  bool trip_ended(driver_id d, token_id token, ride_id r);

  /// What is live and when it is due, for timers that a crash has voided; in driver order.
  struct due {
    driver_id driver;
    token_id token;
    matcher_id holder;
    local_time when{};
    bool confirmed = false;  ///< or given back, and kept for a while: nobody's to end
  };
  [[nodiscard]] std::vector<due> pending() const;
  /// The same of those that are over; at most so many.
  [[nodiscard]] std::vector<due> over_at(local_time now, std::size_t at_most) const;

  /// The trips that the manager knows of, in driver order.
  struct open_trip {
    driver_id driver;
    ride_id ride;  ///< none if it is not that of her last lease
    token_id token;
  };
  [[nodiscard]] std::vector<open_trip> trips() const;

  // -- what survives a failure of the manager

  /// Gives every live, unconfirmed lease a whole TTL from `now`, and `extra`. One that is over
  /// stays over, here and below.
  void extend_all(local_time now, sim_duration extra = {});
  /// Notes how long every live lease has left.
  void take_checkpoint(local_time now);
  /// Gives every live lease from `now` what it had left at the last checkpoint; a whole TTL if it
  /// is younger than that.
  void restore_checkpoint(local_time now);
  /// Ends every lease and forgets every trip. Without its counter, tokens start from 1 again.
  [[nodiscard]] std::vector<ended> forget(bool keeps_counter);
  /// A new leader's tokens are above those that any leader of an earlier term can issue.
  void begin_term(std::uint32_t term);
  /// The term that the newest token it knows of was issued in, by whomever.
  [[nodiscard]] std::uint32_t newest_term() const;

  /// One driver's lease and trip, for a manager that follows this one.
  struct entry {
    token_id token;
    token_id trip;
    local_time due{};
    ride_id ride;
    matcher_id holder;
    std::uint8_t state = 0;
    bool was_committed = false;
  };
  [[nodiscard]] entry entry_of(driver_id d) const;
  void adopt_lease(driver_id d, const entry& e);
  /// She is on this trip and no other; none: on none.
  void adopt_trip(driver_id d, token_id trip);

  /// Prefetches the record of the driver.
  void fetch(driver_id d) const {
    if (d.value < records_.size()) {
      fetch_whole(records_[d.value]);
    }
  }

 private:
  /// `kept`: given back sooner after its grant than a lease may be.
  enum class phase : std::uint8_t { free, leased, confirmed, kept };

  /// One line of the cache: at random drivers, each line more is waited for.
  struct alignas(64) record {
    token_id token;      ///< of the lease if not free; else of the last one
    token_id trip;       ///< that the driver is on, if any: of several the last heard of
    token_id last_trip;  ///< the newest that was heard of; under a fence older words are copies
    local_time due{};  ///< leased: expiry plus grace; confirmed: end of the hold; free: end of the
                       ///< lock; kept: its end
    sim_duration left{};  ///< at the last checkpoint; 0: the lease is younger
    ride_id ride;
    matcher_id holder;
    std::uint32_t request = 0;
    std::uint32_t renewals = 0;
    std::uint32_t words = 0;  ///< of trips, the last to be heard, from 1; only where nothing fences
    phase state = phase::free;
    bool was_committed = false;    ///< the last token became a trip: its confirm may be repeated
    std::uint16_t more_trips = 0;  ///< that she is on besides; only where nothing fences
  };
  static_assert(sizeof(record) == 64);

  /// Of a trip, and the word about the same driver that was heard before it, from 1; 0: none.
  struct word {
    token_id trip;
    std::uint32_t before = 0;
    bool is_open = false;
  };

  [[nodiscard]] static bool is_retry(const record& r,
                                     ride_id ride,
                                     matcher_id holder,
                                     std::uint32_t request);
  [[nodiscard]] bool is_held_by(const record& r, token_id token, matcher_id by) const;
  [[nodiscard]] bool is_over(const record& r, local_time now) const;
  /// Why it ends when it is over; `leased`: if it was.
  [[nodiscard]] static events::lease_ending cause_of_end(const record& r,
                                                         events::lease_ending leased);
  /// Its last token became a trip.
  static void convert(record& r);
  [[nodiscard]] std::optional<ended> end_on_sight(driver_id d, record& r, local_time now);
  /// `at`: when it ends, if not at its deadline.
  [[nodiscard]] ended end(driver_id d,
                          record& r,
                          events::lease_ending cause,
                          std::optional<local_time> at = std::nullopt);
  [[nodiscard]] local_time expiry_of_renewal(const record& r,
                                             local_time now,
                                             sim_duration longer) const;
  [[nodiscard]] record& of(driver_id d);
  void restart_clock(record& r, local_time now, sim_duration left) const;
  /// No token where the ride has none, or the ledger is no fence.
  [[nodiscard]] trip_of_ride trip_of(ride_id r) const;
  /// Whether this token became a trip; under a fence, the driver's last one.
  [[nodiscard]] bool is_trip(const record& r, token_id token) const;
  /// Whether the word of this trip, or a newer one, has been heard before.
  [[nodiscard]] bool is_old_word(const record& r, token_id token) const;
  void note_trip(record& r, token_id token);
  /// Which of the words is about this trip, from 1; 0: none, as always under a fence.
  [[nodiscard]] std::uint32_t word_of(const record& r, token_id token) const;
  /// She is on this trip from now on.
  void enter_trip(record& r, token_id token);
  /// She is on no trip that a word told of.
  void leave_all(record& r);
  /// Whether she was on it until now.
  [[nodiscard]] bool leave_trip(record& r, token_id token);
  /// Of the trips that she is on, the last that was heard of.
  [[nodiscard]] token_id last_open(const record& r) const;
  void commit(driver_id d, record& r, token_id token);

  machine_options options_;
  std::vector<record> records_;
  std::vector<local_time> kept_until_;  ///< by driver: of her last lease, where there is a least
  block_table<trip_of_ride> trip_of_ride_;  ///< with `commit: manager` under a fence only
  block_table<word> words_;                 ///< only where nothing fences
  std::uint64_t last_token_ = 0;
};

}  // namespace dibs::lease
