/// Judges one run from its events: did the protocol keep what it promised?
///
/// Shares no code with the lease machine or the metrics. It keeps its own record of what the events
/// say (`observed_state.hpp`), and each checker says where the history breaks its invariant. A
/// broken invariant that the protocol promised is a violation. One that it never promised is a harm
/// that the metrics measure.
///
/// | file             | judges                                           |
/// |------------------|--------------------------------------------------|
/// | mutual_exclusion | S1 one live lease, S8 legal transitions          |
/// | zone_exclusion   | S1 a zone has one writer, or readers             |
/// | fencing_tokens   | S2 increase, S6 stale commands, S10 no revival   |
/// | confirms         | S3 only live leases, and every live one          |
/// | commits          | S4 no double commit, S5 one commit per token     |
/// | lease_endings    | S7 every lease ends once, S9 not before its time |
/// | time_accounting  | S11 every second of a driver is counted once     |
/// | rider_promises   | S12 riders are told the truth                    |
/// | accepts          | S14 every accept in time has one fate            |
/// | answers          | S15 an offer is answered at most once            |
/// | client_calls     | L one order of the calls explains every answer   |
/// | phone_bounds     | B1 offers kept apart, B2 accepts outlast expiry  |
/// | commits          | B3 no double commit without a fence              |
/// | hold_duration    | B4 bounded holds, B5 the same of dead holders    |
/// | recovery         | B6 service recovers after the last fault         |
///
/// Where the ledger commits, the manager hears of a commit late, and the ledger of a grant late.
/// Neither is blamed for what it could not know. A lease ends at its commit, or at its end at the
/// manager if that comes first; and the ledger may take a token that the manager has given up. A
/// manager is blamed if it ends a lease of which it must have heard that it became a trip.
#pragma once

#include "events/observer.hpp"
#include "lease/protocol.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dibs::checkers {

// In builds for sanitizers small runs do what otherwise takes a large one.
#ifdef DIBS_JOINS_EARLY
inline constexpr std::size_t joined_min = 64;
#else
inline constexpr std::size_t joined_min = 65'536;
#endif

/// What B6 needs to know of a scenario.
struct recovery_bounds {
  sim_time from{};  ///< the run has recovered from all faults that are known before it begins
  /// How long the run takes to recover from an outage, a message that was tampered with, or an
  /// error.
  sim_duration settling{};
  sim_duration within{};                  ///< a ride near a free driver gets a try within this time
  sim_duration rest = forever;            ///< for so long after a try its driver may be excluded
  std::uint32_t candidates = UINT32_MAX;  ///< how many of the nearest a matcher looks at
  std::optional<double> radius{};         ///< search radius, in metres; absent: no limit
  bool orphans_end = true;                ///< something ends the leases of dead holders
  /// At least so many spells of waiting or being free are written down before they are joined: any
  /// number gives the same result, and a small one takes less memory and more time.
  std::size_t joined_at = joined_min;
};

struct options {
  std::uint32_t promises = 0;  ///< one bit for each `lease::invariant`
  sim_duration grace{};        ///< how long past expiry the manager may still take a confirm
  bool commit_at_manager = false;
  std::uint32_t drivers = 0;
  /// Whether a write comes after a confirm: false with `judge: holder`.
  bool confirms = true;
  /// Under `fence` the ledger never takes a token older than one that it took for the driver.
  lease::ledger_rule ledger = lease::ledger_rule::take_all;
  /// A confirmed lease may be freed for want of a write after this, and not before.
  sim_duration confirm_hold{};
  /// How long a lease that has run out may stand: nothing with clean-up by timer, the period of the
  /// sweep with `periodic`. Absent (`lazy`, `none`): for ever.
  std::optional<sim_duration> overstay = sim_duration::zero();
  /// Whether the manager ends a lease that has run out when it is asked about it (`timer`, `lazy`).
  bool ends_on_sight = true;
  /// Whether something else than its time and its holder may end a lease: a job that sweeps by its
  /// own clock, the loss of the zone that it lives under, a transaction that began long ago.
  bool ends_early = false;
  /// Whether a lease may be good for longer than its holder was told: a crash that gives all of
  /// them time anew, a command that is judged by a clock of the past, a late copy of a renewal.
  bool stretches = false;
  bool release_frees = true;
  /// Whether the manager ends whatever has run out before it answers an acquire (`lazy`).
  bool ends_on_read = false;
  /// Whether riders wait for a promised driver longer than any message of hers may take: only then
  /// does a no-show prove that she does not come.
  bool no_show_tells = true;
  /// Whether the lease manager hears of trips, and may end a lease for one. A service of leases
  /// alone knows nothing of what its holders do.
  bool trips_tell = true;
  /// The longest that the ledger's message about a trip takes to the manager, unless it is lost.
  sim_duration word_takes{};
  /// The longest until the manager surely has that message; `forever` where it may be lost.
  sim_duration word_surely_takes{};
  /// How much faster or slower than true time the manager's clock may run, either way.
  double drift_ppm = 0;
  /// Whether a client that is denied a free driver was told wrong: each call reaches the manager
  /// exactly once, and nobody is kept back after an expiry.
  bool denials_tell = false;
  /// Whether a renewal is refused only for want of the lease, and not for its count.
  bool renewals_tell = false;
  /// Whether a call may reach the manager more than once, each time with an effect of its own.
  bool calls_repeat = false;
  /// How long the message that withdraws an offer may take to the phone.
  sim_duration withdrawal{};
  /// How long a call of a holder may be on its way to the manager before it is heard.
  sim_duration in_flight{};
  std::optional<recovery_bounds> recovery{};
  /// Whether a phone may get an offer more than once.
  bool offers_repeat = true;
  sim_time measured_from{};  ///< accepts from here on are counted
  sim_time measured_until = sim_time::max();
  /// Set to stop the checkers: what they have not decided by then stays undecided.
  const std::atomic<bool>* stop = nullptr;

  [[nodiscard]] bool is_stopped() const {
    return stop != nullptr && stop->load(std::memory_order_relaxed);
  }
};

/// What became of the accepts in time of the measured time.
struct accept_account {
  std::uint64_t in_time = 0;
  std::uint64_t trips = 0;
  std::uint64_t unwanted = 0;
  std::uint64_t lost = 0;

  friend bool operator==(const accept_account&, const accept_account&) = default;
};

struct violation {
  lease::invariant broken{};
  sim_time t{};
  std::uint64_t event_index =
      0;                     ///< in the history, from 0; the number of events for the last checks
  std::string what;          ///< "driver 17 is held by rides 3 and 9"
  bool of_one_ride = false;  ///< of `no_double_commit`: a ride has two drivers, not the reverse
};

struct check_result {
  std::uint32_t judged = 0;           ///< promised invariants, one bit each
  std::uint32_t broken = 0;           ///< those that were broken
  std::vector<violation> violations;  ///< the first 20, in the order of the history
  std::uint64_t violation_count = 0;
  /// Promised, and not decided: drivers with too many calls under way at once to look through.
  std::uint32_t undecided = 0;
  std::uint64_t undecided_drivers = 0;
  bool was_stopped = false;  ///< `options::stop` was set, which may be why

  [[nodiscard]] bool kept() const { return broken == 0; }
};

/// Adds a violation of S14 where the metrics of the run, which ended at `end`, counted other
/// accepts than the checkers.
void compare(check_result& j,
             const accept_account& judged,
             const accept_account& measured,
             sim_time end);

class run_checker final : public events::observer {
 public:
  explicit run_checker(const options& what);
  ~run_checker() override;

  void observe(std::span<const events::event> batch) override;

  /// The last checks (every grant has ended, seconds add up), at the end of the run. Call it once.
  [[nodiscard]] check_result finish(sim_time end);

  /// The accepts of the run, after `finish`.
  [[nodiscard]] const accept_account& account() const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace dibs::checkers
