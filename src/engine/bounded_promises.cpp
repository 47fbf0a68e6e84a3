#include "engine/bounded_promises.hpp"

#include "checkers/clock_drift.hpp"
#include "engine/run.hpp"
#include "engine/worst_case.hpp"
#include "lease/protocol.hpp"
#include "scenario/trace_source.hpp"
#include "sim/clocks.hpp"
#include "sim/triggers.hpp"
#include "world/geography.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <variant>

namespace dibs::engine {
namespace {

using lease::invariant;

/// The lease manager's clocks, as this run draws them: of several entries the last counts.
sim::node_clock manager_clock(const scenario::scenario& s, std::uint64_t seed) {
  std::array<std::uint32_t, node_kinds> counts{};
  counts[static_cast<std::size_t>(node_kind::lease_manager)] = 1;
  return sim::clocks(s.clocks, counts, seed).of({node_kind::lease_manager, 0});
}

/// Whether the manager that follows always hears of its leader in time.
bool never_follows(const scenario::scenario& s, const scenario::standby_options& standby) {
  const worst_case worst(s);
  const sim_duration silent =
      sum({standby.heartbeat, worst.delay(node_kind::lease_manager, node_kind::lease_manager)});
  return s.faults.empty() && s.clocks.empty() && silent < standby.after;
}

/// What the protocol promises, less what the scenario gives up: a manager that measures time by its
/// wall clock, and phones that confirm by a name, which may turn the next lease into the old trip.
/// What a manager forgets when it comes back, or leads in place of another, counts only where it
/// may. And what every run promises.
std::uint32_t promises_of(const scenario::scenario& s, const sim::node_clock& manager) {
  scenario::lease_options met = s.lease;
  if (met.standby && never_follows(s, *met.standby)) {
    met.standby.reset();
  }
  if (!met.standby && !worst_case(s).may_crash(node_kind::lease_manager)) {
    met.restart = {};
  }
  const lease::rules rules = met.rules();
  const bool by_wall = manager.timers == sim::timebase::wall;
  const bool phones_by_name =
      s.lease.confirm_by == scenario::confirmer::driver && rules.known_by != lease::identity::token;
  const std::uint32_t given_up =
      (by_wall ? bit(invariant::steps_change_nothing) : 0U) |
      (phones_by_name ? bit(invariant::one_live_lease) | bit(invariant::seconds_conserved) : 0U);
  const bool tokens_recur = rules.leases && !met.restart.keeps_tokens;
  return (rules.promises & ~given_up) | (tokens_recur ? 0U : bit(invariant::offers_answered_once));
}

/// Whose messages carry the word of a trip and that of its driver's arrival, all but the ledger's
/// own: a commit at the manager has to reach the ledger first.
bool bears_word_of_trips(node_kind kind, const scenario::scenario& s) {
  return kind == node_kind::driver || kind == node_kind::rider ||
         (kind == node_kind::lease_manager && s.lease.commit == scenario::commit_at::manager);
}

/// Whether such messages may take longer because of the fault.
bool holds_word_up(const scenario::fault& f, const scenario::scenario& s) {
  if (const auto* slow = std::get_if<scenario::slow_fault>(&f.what)) {
    return std::ranges::any_of(slow->between, [&s](const auto& side) {
      return std::ranges::any_of(
          side.nodes, [&s](const auto& node) { return bears_word_of_trips(node.kind, s); });
    });
  }
  const auto* delay = std::get_if<scenario::delay_fault>(&f.what);
  constexpr std::array<std::string_view, 3> harmless{"acquire", "confirm", "write"};
  return delay != nullptr &&
         std::ranges::find(harmless, sim::message_words[*delay->when.message]) == harmless.end();
}

/// Whether whoever did not come in time was not only late to hear of it.
bool outwaits_delays(const scenario::scenario& s) {
  sim_duration delays{};
  for (const scenario::link_options& l : s.network) {
    const bool matters = bears_word_of_trips(l.from.kind, s) || bears_word_of_trips(l.to.kind, s);
    delays = sum({delays, matters ? longest_on(l) : sim_duration::zero()});
  }
  return delays < s.riders.no_show_after &&
         std::ranges::none_of(s.faults,
                              [&s](const scenario::fault& f) { return holds_word_up(f, s); });
}

// -- what the checkers do not follow --------------------------------------------------------------

bool keeps_given_back(const scenario::lease_options& l) {
  return l.hold_min > sim_duration::zero();
}

bool leases_end_early(const scenario::lease_options& l) {
  return l.zones || l.cleanup.by == scenario::sweep_clock::sweeper || l.judges_by_other_clocks() ||
         l.sweeps_stale_reads() || keeps_given_back(l);
}

bool leases_stretch(const scenario::scenario& s) {
  const bool comes_back_as_it_was = s.lease.restart.leases == scenario::after_restart::kept ||
                                    !worst_case(s).may_crash(node_kind::lease_manager);
  return !comes_back_as_it_was || s.lease.judges_by_other_clocks();
}

/// Whether a copy of an old renewal may come after a newer one and count for one of its own.
bool late_copies_renew(const scenario::scenario& s) {
  return s.lease.renewal.kind != lease::renewal::none && !s.lease.renewal.numbered &&
         !worst_case(s).is_exact(node_kind::matcher, node_kind::lease_manager);
}

/// Whether a lease of this scenario lasts no longer than it says, from its grant or last renewal
/// on: nothing lengthens it, or keeps what was given back.
bool leases_last_no_longer(const scenario::scenario& s) {
  return !leases_stretch(s) && !s.lease.standby && s.lease.release_frees &&
         !keeps_given_back(s.lease) && s.lease.cleanup.lag == sim_duration::zero();
}

/// The same, and no shorter: nothing ends it with something else, as the end of a zone does.
bool leases_are_plain(const scenario::scenario& s) {
  return leases_last_no_longer(s) && !leases_end_early(s.lease);
}

/// Whether a lease that is over ends within a time that can be told: not where the clock that finds
/// out may be set or run as it likes, nor where a sweep may leave some for later.
bool ends_in_time(const scenario::scenario& s, const sim::node_clock& manager) {
  return manager.timers == sim::timebase::monotonic && !s.lease.cleanup.most &&
         s.lease.cleanup.by == scenario::sweep_clock::manager &&
         s.lease.cleanup.lag == sim_duration::zero() &&
         s.lease.clock == scenario::expiry_clock::manager;
}

bool ends_on_read(const scenario::lease_options& l) {
  return l.rules().expires && l.cleanup.kind == scenario::cleanup::lazy;
}

/// How long a driver who has accepted may wait for the rider's word.
sim_duration rider_decides(const scenario::scenario& s) {
  return s.riders.confirm ? s.riders.confirm->within : sim_duration::zero();
}

// -- the bounds ----------------------------------------------------------------------------------

/// The delays and clocks that a lease meets, for one scenario.
struct bounds {
  explicit bounds(const scenario::scenario& s)
      : of(s),
        worst(s),
        granted(worst.delay(node_kind::lease_manager, node_kind::matcher)),
        offered(worst.delay(node_kind::matcher, node_kind::driver)),
        written(worst.delay(node_kind::matcher, node_kind::ledger)),
        told(worst.sure_delay(node_kind::ledger, node_kind::lease_manager)),
        manager_ppm(worst.drift_ppm(node_kind::lease_manager)),
        driver_ppm(worst.drift_ppm(node_kind::driver)),
        matcher_ppm(worst.drift_ppm(node_kind::matcher)) {
    const bool by_driver = s.lease.confirm_by == scenario::confirmer::driver;
    answered = by_driver ? worst.delay(node_kind::driver, node_kind::lease_manager)
                         : sum({worst.delay(node_kind::driver, node_kind::matcher),
                                asked_rider(),
                                worst.delay(node_kind::matcher, node_kind::lease_manager)});
  }

  /// How long after an accept a matcher may hear that the rider takes the driver.
  [[nodiscard]] sim_duration asked_rider() const {
    return of.riders.confirm
               ? sum({worst.delay(node_kind::matcher, node_kind::rider),
                      checkers::longest(rider_decides(of), worst.drift_ppm(node_kind::rider)),
                      worst.delay(node_kind::rider, node_kind::matcher)})
               : sim_duration::zero();
  }

  /// The latest instant, counted from the grant, at which an offer leaves the screen. With absolute
  /// deadlines it is the skew that counts, however long the offer was on its way.
  [[nodiscard]] sim_duration last_shown() const {
    const sim_duration window = checkers::longest(of.lease.shown_window(), driver_ppm);
    return of.lease.is_absolute()
               ? sum({window, worst.skew(node_kind::lease_manager), worst.skew(node_kind::driver)})
               : sum({granted, greeted(), offered, driver_ppm > 0 ? window : exactly_shown()});
  }

  /// The earliest instant, counted from the grant, at which the lease may end for want of time.
  [[nodiscard]] sim_duration first_over() const {
    const sim_duration length = sum({of.lease.granted_ttl(), of.lease.grace});
    const double ppm = std::max(manager_ppm, matcher_ppm);
    return ppm > 0 ? checkers::shortest(length, ppm) : length;
  }

  /// How long the phone may let its matcher wait for the answer to a greeting.
  [[nodiscard]] sim_duration greeted() const {
    const sim_duration wait = of.lease.handshake.value_or(sim_duration::zero());
    return matcher_ppm > 0 && wait > sim_duration::zero() ? checkers::longest(wait, matcher_ppm)
                                                          : wait;
  }

  [[nodiscard]] sim_duration exactly_shown() const { return of.lease.shown_window(); }

  /// B1: the offer is gone before the driver can be granted again, and no accept becomes a trip
  /// after that.
  [[nodiscard]] bool keep_phones_apart() const {
    return !has_errors() && last_shown() <= first_over() && keep_commits_apart();
  }

  /// B2: the manager alone judges, and its grace covers what the answer takes.
  [[nodiscard]] bool outlast_accepts() const {
    const bool absolute = of.lease.is_absolute();
    // The matcher gives up by its own clock, too.
    const sim_duration skew =
        absolute ? sum({worst.skew(node_kind::lease_manager), worst.skew(node_kind::matcher)})
                 : sim_duration::zero();
    return !has_errors() && of.lease.judge == scenario::judge::manager &&
           sum({last_shown(), answered, skew}) <= first_over();
  }

  /// B3: whatever is written arrives while the manager keeps the driver, and the manager hears of
  /// it in time.
  [[nodiscard]] bool keep_commits_apart() const {
    if (of.lease.commit == scenario::commit_at::manager) {
      return of.lease.judge == scenario::judge::manager;
    }
    if (has_errors() || worst.may_crash(node_kind::lease_manager) ||
        worst.may_crash(node_kind::ledger) ||
        worst.may_be_cut(node_kind::ledger, node_kind::lease_manager)) {
      return false;
    }
    const sim_duration after_check =
        sum({written, told, worst.pause(node_kind::ledger), worst.pause(node_kind::lease_manager)});
    const bool by_confirm = sum({after_check, granted, worst.pause(node_kind::matcher)}) <
                            checkers::shortest(of.lease.confirm_hold, manager_ppm);
    return of.lease.judge == scenario::judge::manager
               ? by_confirm
               : by_margin(after_check) && (by_confirm || !asks_manager());
  }

  /// How soon the manager knows of a trip, whatever happens; `forever` if it may never hear.
  [[nodiscard]] sim_duration word_surely_takes() const {
    const bool may_miss = worst.may_crash(node_kind::lease_manager) ||
                          worst.may_be_cut(node_kind::ledger, node_kind::lease_manager);
    return may_miss ? forever : sum({told, worst.pause(node_kind::lease_manager)});
  }

  /// Whether a matcher may fail and forget a ride while its offer or its write goes on: then it
  /// returns the lease, at once or when a copy of the grant arrives, or lets it run out.
  [[nodiscard]] bool has_errors() const {
    return std::ranges::any_of(of.faults, [](const scenario::fault& f) {
      return std::holds_alternative<scenario::throw_fault>(f.what);
    });
  }

  [[nodiscard]] bool asks_manager() const { return of.lease.judge == scenario::judge::both; }

  [[nodiscard]] bool by_margin(sim_duration after_check) const {
    const sim_duration trusted = checkers::longest(
        std::max(of.lease.granted_ttl() - of.lease.margin, sim_duration::zero()), matcher_ppm);
    const sim_duration skew =
        of.lease.is_absolute()
            ? sum({worst.skew(node_kind::lease_manager), worst.skew(node_kind::matcher)})
            : sim_duration::zero();
    const sim_duration paused = worst.pause(node_kind::matcher);
    return sum({trusted, skew, after_check, paused}) <= first_over();
  }

  const scenario::scenario& of;
  worst_case worst;
  sim_duration granted;
  sim_duration offered;
  sim_duration written;
  sim_duration told;
  sim_duration answered{};
  double manager_ppm;
  double driver_ppm;
  double matcher_ppm;
};

/// Whether a matcher may forget a ride that it serves.
bool forgets_rides(const scenario::scenario& s) {
  return worst_case(s).may_crash(node_kind::matcher) || bounds(s).has_errors();
}

/// How long a message and the answers that follow from it may take.
sim_duration longest_round(const worst_case& worst) {
  using enum node_kind;
  return sum({worst.sure_delay(rider, matcher),
              worst.sure_delay(matcher, lease_manager),
              worst.sure_delay(lease_manager, matcher),
              worst.sure_delay(matcher, rider),
              worst.sure_delay(driver, ledger),
              worst.sure_delay(ledger, lease_manager)});
}

/// How long it takes until nothing is left of a fault that is over.
sim_duration settling_of(const scenario::scenario& s, bool sweeps, sim_duration round) {
  using enum node_kind;
  const worst_case worst(s);
  const bool in_turns = s.lease.cleanup.kind == scenario::cleanup::periodic;
  const double ppm =
      std::max({worst.drift_ppm(lease_manager), worst.drift_ppm(matcher), worst.drift_ppm(rider)});
  return checkers::longest(sum({s.lease.granted_ttl(),
                                s.lease.grace,
                                sweeps && in_turns ? s.lease.cleanup.every : sim_duration::zero(),
                                s.lease.confirm_hold,
                                s.riders.ask_again.value_or(sim_duration::zero()),
                                s.matchers.claims ? s.matchers.claims->ttl : sim_duration::zero(),
                                s.matchers.reply_timeout,
                                rider_decides(s),
                                round}),
                           ppm);
}

/// B6: how long everything takes to come right again, and how long a ride may then go without a
/// try. Nothing where delays have no end.
std::optional<checkers::recovery_bounds> recovery_of(const scenario::scenario& s,
                                                     const world::geography& map) {
  using enum node_kind;
  const worst_case worst(s);
  // Where nothing sweeps, whom a lease keeps for ever is nobody's to be found, and no ride waits
  // for her; but those who are free are seen.
  const auto kind = s.lease.cleanup.kind;
  const bool sweeps =
      kind != scenario::cleanup::lazy && kind != scenario::cleanup::none && !s.lease.cleanup.most;
  const sim_duration round = longest_round(worst);
  // What a matcher has forgotten, or never heard, comes back only with the rider.
  const bool comes_back =
      s.riders.ask_again || !(forgets_rides(s) || worst.may_be_cut(rider, matcher));
  // Drivers whose lease has run out stand among the nearest before the record shows that it ended.
  const bool nearest = match::looks_nearby(s.matchers.policy.kind) && map.is_map();
  const bool is_crowd_known = !nearest || !ends_on_read(s.lease);
  // Of several matchers the second leaves the first choice to the first, which may have given the
  // ride up: it is tried for when the rider asks both again.
  const sim_duration asked_again =
      s.matchers.offers.broadcast > 1 ? s.riders.ask_again.value_or(forever) : sim_duration::zero();
  const sim_duration settling =
      s.faults.empty() ? sim_duration::zero() : settling_of(s, sweeps, round);
  const sim_duration links_well = worst.links_well();
  if (sum({links_well, settling}) == forever || round == forever || asked_again == forever ||
      !s.matchers.look_again || !comes_back || !is_crowd_known ||
      s.matchers.view == scenario::view::blind) {
    return std::nullopt;
  }
  checkers::recovery_bounds b;
  b.orphans_end = sweeps;
  if (const auto& cooldown = s.matchers.offers.cooldown_after_decline) {
    b.rest =
        checkers::longest(std::max(*cooldown, sum({s.matchers.view_lag, *s.matchers.look_again})),
                          worst.drift_ppm(matcher));
  }
  b.settling = settling;
  b.from = links_well > sim_duration::zero() ? at(links_well + settling) : sim_time{};
  const double ppm = worst.drift_ppm(matcher);
  b.within = checkers::longest(sum({s.matchers.view_lag,
                                    *s.matchers.look_again,
                                    *s.matchers.look_again,
                                    s.lease.lock_delay,
                                    s.matchers.batch.value_or(sim_duration::zero()),
                                    s.matchers.overhead,
                                    s.lease.handshake.value_or(sim_duration::zero()),
                                    longest_of(s.matchers.offers.next_try_after),
                                    asked_again,
                                    round}),
                               ppm);
  if (nearest) {
    b.candidates = s.matchers.policy.candidates;
    b.radius = map.chord_of(s.matchers.policy.radius_m);
  }
  return b;
}

}  // namespace

std::uint32_t bounded_promises(const scenario::scenario& s, const sim::node_clock& manager) {
  std::uint32_t all = 0;
  const auto add = [&all](invariant i, bool holds) { all |= holds ? bit(i) : 0; };
  if (leases_are_plain(s)) {
    const bounds b(s);
    add(invariant::phones_kept_apart, b.keep_phones_apart());
    add(invariant::accepts_outlast_expiry, b.outlast_accepts());
    add(invariant::commits_kept_apart, b.keep_commits_apart());
  }
  if (leases_last_no_longer(s)) {
    const bool cleans_up =
        s.lease.rules().expires && worst_case(s).overstay().has_value() && ends_in_time(s, manager);
    const bool is_read_in_time =
        ends_on_read(s.lease) && manager.timers == sim::timebase::monotonic;
    add(invariant::holds_bounded, cleans_up || is_read_in_time);
    add(invariant::zombies_bounded, cleans_up);
  }
  return all;
}

checkers::options checkers_options_of(const scenario::scenario& s, std::uint64_t seed) {
  const lease::rules rules = s.lease.rules();
  const sim::node_clock manager = manager_clock(s, seed);
  const auto recovery = rules.expires && leases_are_plain(s)
                            ? recovery_of(s, scenario::map_of(s.world))
                            : std::nullopt;
  constexpr std::uint32_t needing_bounds =
      bit(invariant::phones_kept_apart) | bit(invariant::accepts_outlast_expiry) |
      bit(invariant::commits_kept_apart) | bit(invariant::holds_bounded) |
      bit(invariant::zombies_bounded) | bit(invariant::service_recovers);
  const std::uint32_t within =
      bounded_promises(s, manager) | (recovery ? bit(invariant::service_recovers) : 0);
  const bounds b(s);
  const std::uint32_t unfollowed = s.lease.standby ? bit(invariant::one_order_of_calls) : 0;
  return {
      .promises = promises_of(s, manager) & (~needing_bounds | within) & ~unfollowed,
      .grace = s.lease.grace,
      .commit_at_manager = s.lease.commit == scenario::commit_at::manager,
      .drivers = s.drivers.count,
      .confirms = s.lease.judge != scenario::judge::holder,
      .ledger = rules.ledger,
      .confirm_hold = rules.expires ? s.lease.confirm_hold : forever,
      .overstay = rules.expires && ends_in_time(s, manager) ? b.worst.overstay() : std::nullopt,
      .ends_on_sight = s.lease.ends_on_sight(),
      .ends_early = leases_end_early(s.lease),
      .stretches = leases_stretch(s) || late_copies_renew(s),
      .release_frees = s.lease.release_frees && !keeps_given_back(s.lease),
      .ends_on_read = ends_on_read(s.lease),
      .no_show_tells = outwaits_delays(s),
      .word_takes = b.worst.delay(node_kind::ledger, node_kind::lease_manager, {"write_outcome"}),
      .word_surely_takes = b.word_surely_takes(),
      .drift_ppm = manager.timers == sim::timebase::wall
                       ? b.manager_ppm
                       : std::abs(static_cast<double>(manager.drift_ppb)) / 1000,
      .denials_tell = s.lease.jitter == sim_duration::zero() &&
                      b.worst.is_exact(node_kind::matcher, node_kind::lease_manager) &&
                      s.lease.lock_delay == sim_duration::zero() && !s.lease.zones,
      .calls_repeat = !b.worst.is_exact(node_kind::matcher, node_kind::lease_manager),
      .withdrawal = sum({b.granted, b.offered}),
      .in_flight = s.lease.confirm_by == scenario::confirmer::driver
                       ? forever
                       : sum({b.worst.delay(node_kind::matcher, node_kind::lease_manager),
                              b.worst.pause(node_kind::lease_manager)}),
      .recovery = recovery,
      .offers_repeat = !b.worst.is_exact(node_kind::matcher, node_kind::driver),
      .measured_from = s.measured_from(),
      .measured_until = s.measured_until()};
}

}  // namespace dibs::engine
