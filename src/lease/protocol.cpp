#include "lease/protocol.hpp"

#include "base/ensure.hpp"

#include <array>
#include <cstddef>

namespace dibs::lease {
namespace {

constexpr std::uint32_t everything = (1U << static_cast<unsigned>(invariants)) - 1;

struct description {
  std::string_view code;
  std::string_view sentence;
};

/// In the order of the enumeration.
constexpr std::array<description, invariants> descriptions{{
    {"S1", "a driver is held by at most one lease at a time"},
    {"S2", "the tokens of a driver strictly increase"},
    {"S3", "a confirm is taken exactly if its lease is current and has not expired"},
    {"S4", "no driver is on two trips at once, and no ride has two drivers"},
    {"S5", "a token commits at most once, and a retry gets the same answer"},
    {"S6", "a command with a token that is not current changes nothing"},
    {"S7", "every lease ends exactly once"},
    {"S8", "a driver moves only from available to leased, on trip and available again"},
    {"S9", "a lease expires by a monotonic clock: no step of a clock cuts it short"},
    {"S10", "a token that has ended never becomes current again"},
    {"S11", "every second of a driver is counted once"},
    {"S12",
     "a rider is told only of a driver who is committed to the ride, and comes unless a fault "
     "keeps her or her word away"},
    {"S14",
     "every accept in time became a trip, was no longer wanted before it was decided, or was lost"},
    {"L", "what clients were told fits one order of their calls"},
    {"B1", "within bounds, no two offers meet on a phone and no two accepts bind a driver"},
    {"B2", "within bounds, no lease runs out under an accept that was in time"},
    {"B3", "within bounds, no driver is on two trips at once, whatever the ledger checks"},
    {"B4", "within bounds, no lease holds a driver longer than it says"},
    {"B5", "within bounds, no dead holder holds a driver longer than that"},
    {"B6", "after the last fault no orphaned lease stays and no ride is overlooked"},
    {"S15", "an offer is answered at most once, however often it comes"},
}};

/// What `none` keeps: nobody asked for a lease, so nothing about leases can be promised.
constexpr std::uint32_t without_leases =
    bit(invariant::one_commit_per_token) | bit(invariant::seconds_conserved) |
    bit(invariant::promised_after_confirm) | bit(invariant::accepts_accounted);

/// What a manager keeps that lets one holder at a time have a driver, but knows it by name alone.
constexpr std::uint32_t by_name =
    bit(invariant::one_live_lease) | bit(invariant::tokens_increase) |
    bit(invariant::steps_change_nothing) | bit(invariant::seconds_conserved) |
    bit(invariant::promised_after_confirm) | bit(invariant::accepts_accounted);

/// What goes with the token.
constexpr std::uint32_t needs_token =
    bit(invariant::one_order_of_calls) | bit(invariant::phones_kept_apart) |
    bit(invariant::accepts_outlast_expiry) | bit(invariant::commits_kept_apart) |
    bit(invariant::holds_bounded) | bit(invariant::zombies_bounded) |
    bit(invariant::service_recovers) | bit(invariant::confirm_only_live) |
    bit(invariant::stale_changes_nothing) | bit(invariant::ends_once) |
    bit(invariant::legal_transitions) | bit(invariant::ended_stays_ended);

/// What goes with the look at the expiry.
constexpr std::uint32_t needs_expiry = bit(invariant::confirm_only_live) |
                                       bit(invariant::one_order_of_calls) |
                                       bit(invariant::commits_kept_apart);

/// What clients see of a manager, and what needs bounds.
constexpr std::uint32_t seen_or_bounded =
    bit(invariant::one_order_of_calls) | bit(invariant::phones_kept_apart) |
    bit(invariant::accepts_outlast_expiry) | bit(invariant::commits_kept_apart) |
    bit(invariant::holds_bounded) | bit(invariant::zombies_bounded) |
    bit(invariant::service_recovers);

/// What goes with a manager that is one and remembers; S5, since the retry of a confirm may meet
/// one that knows nothing of the first.
constexpr std::uint32_t needs_one_memory =
    seen_or_bounded | bit(invariant::one_live_lease) | bit(invariant::confirm_only_live) |
    bit(invariant::one_commit_per_token) | bit(invariant::stale_changes_nothing) |
    bit(invariant::ends_once) | bit(invariant::legal_transitions) |
    bit(invariant::ended_stays_ended) | bit(invariant::seconds_conserved);

/// One row per protocol, in the order of the enumeration; why each promises what it does is told
/// at `rules::promises`.
constexpr std::array<rules, 7> table{{
    {.which = protocol::none,
     .name = "none",
     .summary = "offers at once without a lease; the ledger takes whatever comes",
     .promises = without_leases},
    // The reservation of "Reservation and hold system": the user's name is the key, a confirm does
    // not look at the expiry, and a second confirm finds no hold.
    {.which = protocol::hold,
     .name = "hold",
     .summary = "reserved under the matcher's name, checked by name at a confirm that does not "
                "look at the expiry; the ledger takes whatever comes",
     .leases = true,
     .known_by = identity::holder,
     .repeats = false,
     .promises = by_name},
    {.which = protocol::lease,
     .name = "lease",
     .summary = "the lease manager checks the token; the ledger takes whatever comes",
     .leases = true,
     .checks_expiry = true,
     .promises = everything & ~bit(invariant::no_double_commit)},
    {.which = protocol::fenced,
     .name = "fenced",
     .summary = "as `lease`, and the ledger refuses old tokens, busy drivers and taken rides",
     .leases = true,
     .checks_expiry = true,
     .ledger = ledger_rule::fence,
     .promises = everything},
    {.which = protocol::optimistic,
     .name = "optimistic",
     .summary = "offers at once; the driver's version is read at the pick, and the ledger takes a "
                "write only if nobody was written since",
     .ledger = ledger_rule::compare_and_set,
     .promises = without_leases & ~bit(invariant::one_commit_per_token)},
    {.which = protocol::pessimistic,
     .name = "pessimistic",
     .summary = "a lock without expiry that its owner alone frees, known by name; the ledger takes "
                "whatever comes",
     .leases = true,
     .known_by = identity::holder,
     .expires = false,
     .repeats = false,
     .promises = by_name},
    {.which = protocol::idempotent,
     .name = "idempotent",
     .summary = "as `none`, and the ride is the key: the ledger gives a ride no second driver",
     .ledger = ledger_rule::per_ride,
     .promises = without_leases},
}};

constexpr bool rows_follow_the_enumeration() {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (static_cast<std::size_t>(table[i].which) != i) {
      return false;
    }
  }
  return true;
}
static_assert(rows_follow_the_enumeration());

}  // namespace

std::string_view code_of(invariant i) {
  ensure(static_cast<int>(i) < invariants, "the invariant is known");
  return descriptions[static_cast<std::size_t>(i)].code;
}

std::string_view sentence_of(invariant i) {
  ensure(static_cast<int>(i) < invariants, "the invariant is known");
  return descriptions[static_cast<std::size_t>(i)].sentence;
}

std::span<const rules> all_rules() { return table; }

const rules& rules_of(protocol which) {
  const auto row = static_cast<std::size_t>(which);
  ensure(row < table.size(), "the protocol has a row");
  return table[row];
}

rules variant_of(protocol which, const variation& v) {
  rules r = rules_of(which);
  const auto lose = [&r](bool lost, std::uint32_t promises) {
    r.promises &= lost ? ~promises : ~0U;
  };
  if (v.known_by && *v.known_by != r.known_by) {
    r.known_by = *v.known_by;
    lose(*v.known_by != identity::token, needs_token | bit(invariant::one_commit_per_token));
  }
  if (v.checks_expiry && *v.checks_expiry != r.checks_expiry) {
    r.checks_expiry = *v.checks_expiry;
    lose(!*v.checks_expiry, needs_expiry);
  }
  lose(v.records_trips && r.known_by != identity::token,
       bit(invariant::one_live_lease) | bit(invariant::no_double_commit) |
           bit(invariant::seconds_conserved) | bit(invariant::promised_after_confirm));
  r.fences_every_write = v.fences_every_write;
  lose(v.frozen_clock,
       seen_or_bounded | bit(invariant::confirm_only_live) | bit(invariant::stale_changes_nothing) |
           bit(invariant::steps_change_nothing) | bit(invariant::ended_stays_ended));
  lose(v.foreign_sweeper,
       (seen_or_bounded & ~bit(invariant::one_order_of_calls)) |
           bit(invariant::steps_change_nothing));
  lose(v.stale_sweeper,
       seen_or_bounded | bit(invariant::confirm_only_live) | bit(invariant::one_commit_per_token) |
           bit(invariant::stale_changes_nothing) | bit(invariant::legal_transitions) |
           bit(invariant::steps_change_nothing) | bit(invariant::ended_stays_ended));
  lose(r.leases && (v.forgets_leases || v.splits), needs_one_memory);
  lose(v.records_trips && (v.forgets_leases || v.splits), bit(invariant::no_double_commit));
  lose(v.splits,
       bit(invariant::tokens_increase) | bit(invariant::steps_change_nothing) |
           bit(invariant::accepts_accounted));
  lose(v.forgets_tokens,
       seen_or_bounded | bit(invariant::tokens_increase) | bit(invariant::no_double_commit) |
           bit(invariant::one_commit_per_token) | bit(invariant::promised_after_confirm) |
           bit(invariant::accepts_accounted) | bit(invariant::offers_answered_once));
  lose(!v.fences_every_write,
       seen_or_bounded | bit(invariant::no_double_commit) | bit(invariant::legal_transitions) |
           bit(invariant::seconds_conserved));
  return r;
}

}  // namespace dibs::lease
