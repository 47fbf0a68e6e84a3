/// The protocols as data: what each one does at the lease manager and at the ledger, and which
/// invariants it promises. A new protocol is one row.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace dibs::lease {

enum class protocol : std::uint8_t {
  none,
  hold,
  lease,
  fenced,
  optimistic,
  pessimistic,
  idempotent,
};

/// By what the lease manager tells a holder from others, at confirm and release.
enum class identity : std::uint8_t {
  token,   ///< the current lease's token
  holder,  ///< the holder's name: an old lease of the same holder passes for the current one
  anyone,  ///< by nothing
};

/// What the ledger does with a write.
enum class ledger_rule : std::uint8_t {
  take_all,  ///< whatever comes; the last write wins
  fence,     ///< refuses a token older than the highest it knows for the driver, a driver on a
             ///< trip, and a ride that has a driver
  compare_and_set,  ///< refuses a driver who was assigned since her version was read, or is on a
                    ///< trip; remembers no writer, so a repeated write is refused as well
  per_ride,         ///< the ride is the key: a ride that has a driver gets no other
};

/// The invariants that a protocol can promise; `checkers` judges each from events alone.
enum class invariant : std::uint8_t {
  one_live_lease,          ///< S1: at most one live token per driver
  tokens_increase,         ///< S2: tokens strictly increase per driver
  confirm_only_live,       ///< S3: a confirm is taken only for the current, unexpired lease
  no_double_commit,        ///< S4: no driver on two trips, no ride with two drivers
  one_commit_per_token,    ///< S5: a token commits once; a retry gets the same answer
  stale_changes_nothing,   ///< S6: a command with a token that is not current changes nothing
  ends_once,               ///< S7: every grant ends exactly once
  legal_transitions,       ///< S8: available, leased, on trip: only along the arrows
  steps_change_nothing,    ///< S9: a step of the wall clock changes no expiry
  ended_stays_ended,       ///< S10: an ended token never becomes current again
  seconds_conserved,       ///< S11: every driver's seconds add up
  promised_after_confirm,  ///< S12: a rider is told only of a committed driver
  accepts_accounted,       ///< S14: every accept in time became a trip, was unwanted, or was lost
  one_order_of_calls,      ///< L: the answers that clients got fit one order of their calls
  // Only where clocks, delays, pauses and clean-up keep within bounds:
  phones_kept_apart,       ///< B1: no two offers on one phone, and no two accepts that bind
  accepts_outlast_expiry,  ///< B2: no lease runs out under an accept that was in time
  commits_kept_apart,      ///< B3: no driver on two trips, whatever the ledger checks
  holds_bounded,           ///< B4: a lease stands no longer than it says, clean-up added
  zombies_bounded,         ///< B5: nor does that of a holder that is dead
  service_recovers,        ///< B6: after the last fault no orphan stays and no ride is overlooked
  // Of drivers, whatever the protocol:
  offers_answered_once,  ///< S15: an offer is answered at most once, however often it comes
};
inline constexpr int invariants = 21;

/// The invariant's place in a set of them.
[[nodiscard]] constexpr std::uint32_t bit(invariant i) { return 1U << static_cast<unsigned>(i); }

/// "S1" to "S12", "S14", "L", "B1" to "B6", "S15", and a short sentence.
[[nodiscard]] std::string_view code_of(invariant i);
[[nodiscard]] std::string_view sentence_of(invariant i);

struct rules {
  protocol which{};
  std::string_view name;
  std::string_view summary;
  bool leases = false;  ///< matchers acquire before they offer
  identity known_by = identity::token;
  bool checks_expiry = false;  ///< a confirm after expiry is refused
  bool expires = true;         ///< else only its holder or a trip ends a lease
  bool repeats = true;         ///< a repeated confirm gets the answer of the first
  ledger_rule ledger = ledger_rule::take_all;
  bool fences_every_write = true;  ///< the end of a trip names its token too, not the driver alone
  /// One bit for each invariant; B1 to B6 are promised within their bounds alone. `none` has no
  /// leases, so it promises only what needs none: S5, S11, S12 and S14; so do `idempotent` and, but
  /// for S5, `optimistic`. `hold` and `pessimistic` know a holder by its name, so a stale command
  /// of the same holder may do anything to its next lease. `lease` promises all but S4: a holder
  /// that is confirmed, stops for longer than `confirm_hold` and then writes meets a ledger that
  /// takes whatever comes, while the next holder has the driver. `fenced` promises all. Whoever
  /// knows holders by name promises none of B1 to B6: a stale confirm may confirm the next lease.
  /// S15 is no protocol's to keep or to break; it is judged wherever no token is given twice.
  ///
  /// The promises are the same for every judge, but `judge: holder` leaves less for them to cover.
  /// Nobody asks the manager before the write, so S3 has no confirm to judge, and a slow clock, a
  /// pause or a delay lets a write of an expired lease reach the ledger. `lease` takes it, always:
  /// S1, S2 and S6 to S10 hold at the manager and say nothing of the trips. `fenced` takes it too
  /// as long as the ledger knows no newer token, no trip of the driver and none of the ride: she
  /// then drives a ride whose lease had ended, nobody is on two trips (S4), and the next holder's
  /// write is refused. So S4 rests on the fence alone. A lease that the ledger took and that the
  /// manager, not yet told, also let expire has ended once: at the first of the two.
  std::uint32_t promises = 0;

  [[nodiscard]] constexpr bool promises_to(invariant i) const {
    return (promises >> static_cast<unsigned>(i) & 1U) != 0;
  }
};

/// One row per protocol, in the order of the enumeration.
[[nodiscard]] std::span<const rules> all_rules();
[[nodiscard]] const rules& rules_of(protocol which);

/// How a scenario's protocol departs from its row.
struct variation {
  std::optional<identity> known_by;
  std::optional<bool> checks_expiry;
  bool frozen_clock = false;     ///< commands judge by a clock that stood still before they ran
  bool foreign_sweeper = false;  ///< leases are swept by a clock that is not the manager's
  bool stale_sweeper = false;    ///< a sweep ends whatever lease is there, on an older read
  bool forgets_leases = false;   ///< the manager's table does not outlive a crash
  bool forgets_tokens = false;   ///< nor does its counter
  bool splits = false;           ///< two managers may lead at once
  bool records_trips = false;    ///< the manager's table is the record of trips as well
  bool fences_every_write = true;
};

/// A protocol with variations. Promises no more than the protocol, and not what they take away:
/// without the token S3, S5 to S8 and S10; without the expiry S3, L and B3; with a frozen clock S3,
/// S6, S9 and S10; with another clock for the sweeps S9; with a sweep that acts on an older read
/// S3, S6, S8 to S10 and, as the lease of a confirm may be swept, S5; where the manager may forget
/// or split, whatever rests on its knowing who holds what, or whom it confirmed (S1, S3, S5 to S8,
/// S10, S11) and, if the trips are its record too, S4; where it splits S2, S9 and S14 as well,
/// since the old leader still issues tokens of its term and ends leases by its own clock; without
/// its counter S2, S4, S5 and S12, for the fence compares tokens and the ledger takes a token that
/// it has seen for a repeat, and S14 and S15, which know an offer by its token; without the fence
/// on later writes S4, S8 and S11. All but the look at the expiry take B1 to B6 away as well, and
/// all but that and the other clock L.
[[nodiscard]] rules variant_of(protocol which, const variation& v);

}  // namespace dibs::lease
