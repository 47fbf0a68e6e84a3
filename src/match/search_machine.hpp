/// A matcher's decisions: it pursues a driver for each ride that it was asked for, one candidate
/// after another.
///
/// Reads no clock and sends nothing. Each call is one turn: what is to be done goes into the turn's
/// list, to be carried out before the next call. A draw is from a stream that its ride and try
/// alone determine. Its memory of its rides dies with a crash; riders ask again.
///
/// Invariants
///   1. A ride has one search, and a search no more tries at a time than `offers.open` says, each
///      with a driver of its own. One of them at most has an accept.
///   2. A timer or an answer that belongs to an earlier step of its try changes nothing.
///   3. A lease that no try is about any more, and under which nothing was written, is given back.
///   4. The last thing in a list about a ride may be a question (`turn.hpp`). Whatever follows from
///      the answer is decided when that is there, so no state runs ahead of an interruption.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/facts.hpp"
#include "lease/known_leader.hpp"
#include "match/lease_keeping.hpp"
#include "match/matcher_rules.hpp"
#include "match/ride_search.hpp"
#include "match/turn.hpp"
#include "match/waiting_line.hpp"
#include "match/zone_holdings.hpp"
#include "messages/messages.hpp"
#include "sim/triggers.hpp"

#include <tsl/hopscotch_map.h>
#include <tsl/hopscotch_set.h>

#include <algorithm>
#include <boost/container/flat_map.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace dibs::match {

/// What a matcher is told of a ride besides.
struct ride_facts {
  std::uint64_t key = 0;  ///< of its draws
  zone_id zone;           ///< where zones are leased
};

/// Whom a ride of a batch is given; nobody: none is left for it.
struct found_driver {
  ride_id ride;
  driver_id driver;
  std::uint32_t version = 0;  ///< of her record
};

class search_machine {
 public:
  explicit search_machine(const matcher_rules& rules)
      : rules_(std::make_unique<const matcher_rules>(rules)), lease_(*rules_), zones_(*rules_) {}

  [[nodiscard]] const matcher_rules& rules() const { return *rules_; }

  // search_machine.cpp: asked for a ride, looking for a driver, the offer, and the end of a try
  void on(turn& t, const messages::want_ride& m, const ride_facts& of);
  void on(turn& t, const messages::withdraw_ride& m);
  void on(turn& t, const messages::search_timeout_due& m);
  void on(turn& t, const messages::retry_due& m);
  void on(turn& t, const messages::someone_free& m);
  /// `deadline`: what is left of the lease, however it has travelled.
  void on(turn& t, const messages::lease_given& m);
  void on(turn& t, const messages::lease_refused& m);
  void on(turn& t, const messages::lease_over& m);
  void on(turn& t, const messages::reply_timeout_due& m);
  void on(turn& t, const messages::offer_answer& m);
  void on(turn& t, const messages::try_timeout_due& m);

  // search_machine.cpp: the answers to its questions
  /// One of the answers to `find_drivers`.
  void found(turn& t, const found_driver& one);
  /// Nobody: none is there. `version`: of her record.
  void found(turn& t, ride_search& p, driver_id d, std::uint32_t version);
  /// Whether the ride joins the line; false if it stands there already.
  [[nodiscard]] bool joins_line(ride_search& p) { return line_.join(p); }
  /// `seen`: when the view will show something new.
  void joins_waiting_line(turn& t, ride_search& p, sim_time now, std::optional<sim_time> seen);
  /// Its turn has come, in line or by its zone.
  void called(turn& t, const try_ride& next);
  /// Nothing stopped the matcher. `zone`: of the driver, where zones are leased.
  void go_on(turn& t, ride_search& p, sim::life_step here, sim_duration left, zone_id zone);
  /// An error stopped it, and the ride is forgotten.
  void break_off(turn& t, ride_search& p, bool is_tidy);
  /// The search of a ride of the batch that is being looked at; null: it has come to an end.
  [[nodiscard]] const ride_search* in_batch(ride_id r) const;
  /// The search that was stopped there, if it still stands where it stood.
  [[nodiscard]] ride_search* stopped(const messages::resume_step& m);

  /// Whether the ride may be offered to her.
  [[nodiscard]] bool may_try(const ride_search& p, driver_id d, local_time now) const {
    return (rules_->matching.view == view::blind || !engaged_.contains(d)) && p.may_try(d, now);
  }
  [[nodiscard]] bool holds(zone_id z, local_time now) const { return zones_.holds(z, now); }
  /// Whether there is a try with a lease, or a number of its own, for a driver of whom that is
  /// true.
  template <class Predicate>
  [[nodiscard]] bool has_lease_where(Predicate is_it) const {
    return std::any_of(searches_.begin(), searches_.end(), [&](const auto& each) {
      return each.second.any_try(
          [&](const ride_try& one) { return one.token.is_some() && is_it(one.driver); });
    });
  }

  // search_commit.cpp: from an accept to the assignment
  void on(turn& t, const messages::rider_confirmed& m);
  void on(turn& t, const messages::confirm_taken& m);
  void on(turn& t, const messages::confirm_denied& m);
  void on(turn& t, const messages::lease_converted& m);
  void on(turn& t, const messages::write_taken& m);
  void on(turn& t, const messages::write_denied& m);
  void on(turn&, const messages::release_seen&) {}

  // search_holdings.cpp: the lease of an open offer; claims of rides; zones; the lease manager
  void on(turn& t, const messages::phone_there& m);
  void on(turn& t, const messages::ping_timeout_due& m);
  void on(turn& t, const messages::renew_due& m);
  /// `deadline` as for `lease_given`.
  void on(turn& t, const messages::lease_extended& m);
  void on(turn& t, const messages::renewal_denied& m);
  void on(turn& t, const messages::renewal_timeout_due& m);
  void on(turn& t, const messages::claim_given& m);
  void on(turn& t, const messages::claim_refused& m);
  void on(turn& t, const messages::claim_heartbeat_due& m);
  void on(turn& t, const messages::take_over& m, const ride_facts& of);
  void on(turn& t, const messages::zone_given& m);
  void on(turn& t, const messages::zone_refused& m);
  /// `has_leases`: on drivers of the zone.
  void on(turn& t, const messages::zone_renewal_due& m, bool has_leases);
  void on(turn&, const messages::zone_over& m) { zones_.lost(m.zone); }
  void on(turn& t, const messages::zone_reply_timeout_due& m);
  void on(turn&, const messages::leader_is& m) { leader_.hear(m.manager, m.term); }

  void crash();

 private:
  /// Whether that wait of the ride, or a later one, ended with a driver here.
  [[nodiscard]] bool was_served(ride_id r, std::uint32_t wait) const;
  void begin(turn& t, const messages::want_ride& m, const ride_facts& of);
  /// The ride is this matcher's to serve.
  void pursue(turn& t, ride_search& p);
  /// How long until a driver is looked for, `wait` from now or later.
  [[nodiscard]] sim_duration until_pick(const turn& t, ride_search& p, sim_duration wait) const;
  /// Whether the ride has been offered, or is about to be, as often as it may.
  [[nodiscard]] bool has_no_more_tries(const ride_search& p) const;
  /// The next try, once its overhead has passed and its batch has come.
  void try_next(turn& t, ride_search& p);
  void try_now(turn& t, ride_search& p);
  /// The rides that are due with this one are looked at together.
  void try_batch(turn& t, ride_search& p);
  /// Nobody is there to be tried.
  void retry_later(turn& t, ride_search& p);
  /// The same after a try that failed, as soon as the scenario lets it.
  void try_again(turn& t, ride_search& p);
  /// Begins a try for the driver who was picked.
  void start_try(turn& t, ride_search& p, zone_id zone);
  /// `left`: how long the lease lasts from now, on this matcher's clock.
  void send_offer(turn& t, ride_search& p, sim_duration left);

  void accept(turn& t, ride_search& p);
  /// Whether the holder may not rely on its lease any more, where it judges that itself; then the
  /// try is over.
  [[nodiscard]] bool ends_outlived(turn& t, ride_search& p);
  void ask_rider(turn& t, ride_search& p) const;
  void confirm_or_write(turn& t, ride_search& p);
  void confirmed(turn& t, ride_search& p);
  void write_it(turn& t, ride_search& p);
  /// Tells the rider of a driver.
  static void promise(turn& t, ride_id r, driver_id d, token_id token);

  void greet_phone(turn& t, ride_search& p, sim_duration left) const;
  void lost_lease(turn& t, ride_search& p);
  /// `must_hold`: only prolongs a claim that is still there.
  void claim(turn& t, const ride_search& p, bool must_hold) const;
  /// Whether the ride's zone is held; if not, it is asked for, and the ride waits.
  [[nodiscard]] bool has_zone(turn& t, const ride_search& p) {
    return !rules_->lease.zones || zones_.holds_for(t, p.zone, p.ride, leader_.node());
  }
  /// Ends the search here: `p` is gone afterwards.
  void hand_on(turn& t, const ride_search& p, matcher_id to);
  /// Whether this matcher only looks, and has handed the ride on to one that takes drivers.
  [[nodiscard]] bool hand_to_writer(turn& t, const ride_search& p);
  /// Nothing came back from the lease manager that was asked.
  void doubt_leader(node_id asked);

  /// Closes the try under way and looks for another driver.
  void next_after(turn& t, ride_search& p, events::try_ending cause);
  void close_try(turn& t, ride_search& p, events::try_ending cause);
  /// No ride of this matcher is about the driver any more.
  void end_engagement(turn& t, driver_id d);
  void give_back(turn& t, const ride_search& p, events::lease_ending cause) const;
  /// Gives back a lease that no try is about any more, if nothing was written under it.
  void return_unused(turn& t, ride_id r, driver_id d, token_id token, events::lease_ending cause);
  void withdraw_try(turn& t, ride_search& p, events::try_ending cause);
  /// All its tries. The search has to be ended after it.
  void withdraw(turn& t, ride_search& p, events::try_ending cause);

  /// All end the search: `p` is gone afterwards.
  void close_served(turn& t, ride_search& p);
  void commit_trip(turn& t, ride_search& p, driver_id d, token_id token);
  /// The same, heard after the matcher had moved on to another driver, if it had.
  void promise_late(turn& t, ride_id r, driver_id d, token_id token);
  void fail(turn& t, const ride_search& p, events::abandonment cause);
  /// Not while others of its tries go on.
  void fail_try(turn& t, ride_search& p, events::abandonment cause);
  /// The ride has a driver, of whom this matcher had not heard.
  void yield_to(
      turn& t, ride_search& p, events::try_ending cause, driver_id holder, token_id token);
  void close(turn& t, ride_id r, bool is_served = false);
  void forget(const ride_search& p);

  /// The search of a ride, or none.
  [[nodiscard]] ride_search* find(ride_id r);
  /// With a try of it that is so, which is current then; or none.
  template <class Predicate>
  [[nodiscard]] ride_search* find_where(ride_id r, Predicate is_it) {
    ride_search* p = find(r);
    return p != nullptr && p->take_up(is_it) ? p : nullptr;
  }
  [[nodiscard]] ride_search* find(ride_id r, token_id token, match::search_stage stage) {
    return find_where(
        r, [=](const ride_try& one) { return one.token == token && one.stage == stage; });
  }
  [[nodiscard]] ride_search* find_open(ride_id r, token_id token) {
    return find_where(r, [=](const ride_try& one) { return one.token == token && one.is_open(); });
  }
  [[nodiscard]] ride_search* find_at(ride_id r, std::uint32_t step) {
    return find_where(r, [=](const ride_try& one) { return one.step == step; });
  }

  std::unique_ptr<const matcher_rules> rules_;
  tsl::hopscotch_map<ride_id, ride_search, spread_hash> searches_;
  tsl::hopscotch_set<driver_id, std::hash<driver_id>> engaged_;  ///< with one of its own rides
  tsl::hopscotch_map<driver_id, token_id, std::hash<driver_id>> written_;  ///< the last for each
  std::uint64_t unleased_tries_ = 0;  ///< numbers made up so far; survives a crash
  std::uint32_t requests_ = 0;        ///< to the lease manager so far; survives a crash
  std::uint32_t steps_ = 0;           ///< beyond all of searches that are over; survives a crash
  lease::known_leader leader_;        ///< survives a crash
  lease_keeping lease_;
  zone_holdings zones_;
  waiting_line line_;
  tsl::hopscotch_map<ride_id, matcher_id, spread_hash> handed_on_;
  /// The latest wait of each rider that ended with a driver here. Of such a ride a matcher hears
  /// again when the rider had asked once more before she was told, or from one that hands rides on.
  /// Rides are served nearly in their order, so the table hardly ever moves what it has.
  boost::container::flat_map<ride_id, std::uint32_t> served_;
};

}  // namespace dibs::match
