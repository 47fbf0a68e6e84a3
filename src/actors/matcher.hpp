/// A matcher: pursues a driver for each ride it was asked for, one candidate after another.
///
/// Its memory of its rides dies with a crash; riders ask again.
#pragma once

#include "lease/renewal.hpp"
#include "match/ride_search.hpp"
#include "match/waiting_line.hpp"
#include "messages/messages.hpp"
#include "runtime/context.hpp"

#include <tsl/hopscotch_map.h>
#include <tsl/hopscotch_set.h>

#include <boost/container/flat_map.hpp>
#include <cstdint>
#include <vector>

namespace dibs::actors {

class matcher {
 public:
  using context = runtime::context;
  using inbox = message_list<want_ride,
                             withdraw_ride,
                             lease_given,
                             lease_refused,
                             lease_over,
                             confirm_taken,
                             confirm_denied,
                             lease_converted,
                             release_seen,
                             offer_answer,
                             write_taken,
                             write_denied,
                             wait_over,
                             look_again,
                             try_over,
                             no_word,
                             lease_extended,
                             renewal_denied,
                             renew_due,
                             renewal_silent,
                             phone_there,
                             no_greeting,
                             leader_is,
                             claim_given,
                             claim_refused,
                             take_over,
                             claim_heartbeat_due,
                             zone_given,
                             zone_refused,
                             zone_renewal_due,
                             zone_over,
                             no_word_of_zone,
                             someone_free,
                             go_on>;

  void on(context& x, const want_ride& m);
  void on(context& x, const withdraw_ride& m);
  void on(context& x, const lease_given& m);
  void on(context& x, const lease_refused& m);
  void on(context& x, const lease_over& m);
  void on(context&, const release_seen&) {}
  void on(context& x, const offer_answer& m);
  void on(context& x, const wait_over& m);
  void on(context& x, const look_again& m);
  void on(context& x, const try_over& m);
  void on(context& x, const no_word& m);
  void on(context& x, const go_on& m);

  // matcher_commit.cpp
  void on(context& x, const confirm_taken& m);
  void on(context& x, const confirm_denied& m);
  void on(context& x, const lease_converted& m);
  void on(context& x, const write_taken& m);
  void on(context& x, const write_denied& m);

  // matcher_renewal.cpp
  void on(context& x, const lease_extended& m);
  void on(context& x, const renewal_denied& m);
  void on(context& x, const renew_due& m);
  void on(context& x, const renewal_silent& m);
  void on(context& x, const phone_there& m);
  void on(context& x, const no_greeting& m);
  void on(context& x, const leader_is& m);

  // matcher_claims.cpp
  void on(context& x, const claim_given& m);
  void on(context& x, const claim_refused& m);
  void on(context& x, const take_over& m);
  void on(context& x, const claim_heartbeat_due& m);
  void on(context& x, const zone_given& m);
  void on(context& x, const zone_refused& m);
  void on(context& x, const zone_renewal_due& m);
  void on(context& x, const zone_over& m);
  void on(context& x, const no_word_of_zone& m);
  void on(context& x, const someone_free& m);

  void crash();

 private:
  using pursuit = match::pursuit;

  /// Whether that wait of the ride, or a later one, ended with a driver here.
  [[nodiscard]] bool was_served(ride_id r, std::uint32_t wait) const;
  void begin(context& x, const want_ride& m);
  /// The ride is this matcher's to serve.
  void pursue(context& x, pursuit& p);
  /// The next try, once its overhead has passed and its batch has come.
  void try_next(context& x, pursuit& p);
  void try_now(context& x, pursuit& p);
  /// Nobody is there to be tried.
  void come_back_later(context& x, pursuit& p);
  void stand_in_line(context& x, pursuit& p);
  /// The same after a try that failed, as soon as the scenario lets it.
  void try_again(context& x, pursuit& p);
  [[nodiscard]] driver_id choose(context& x, pursuit& p);
  /// How many of those that were asked for the ride at once come before this matcher.
  [[nodiscard]] static std::uint32_t place_among_asked(const context& x, ride_id r);
  /// Begins a try for the driver who was picked.
  void go_for(context& x, pursuit& p);
  /// Whether a fault stops the matcher here; then the caller returns, and `p` may be gone.
  [[nodiscard]] bool is_stopped(context& x,
                                pursuit& p,
                                sim::life_step here,
                                sim_duration left = {});
  /// `left`: how long the lease lasts from now, on this matcher's clock.
  void send_offer(context& x, pursuit& p, sim_duration left);
  void accept(context& x, pursuit& p);
  void confirm_or_write(context& x, pursuit& p);
  void confirmed(context& x, pursuit& p);
  void write_it(context& x, pursuit& p);

  // renewals and the handshake
  void greet_phone(context& x, pursuit& p, sim_duration left);
  /// Sets the timers of an open offer whose lease lasts for `left` from now, unless it is renewed.
  void keep(context& x, pursuit& p, sim_duration left);
  /// By this matcher's clock; without leases, or if they do not expire, a TTL from now all the
  /// same.
  [[nodiscard]] static local_time end_of_lease(context& x, sim_duration left);
  /// When an answer must have arrived: the offer was on the screen, and the answer under way.
  [[nodiscard]] static local_time latest_answer(context& x,
                                                const pursuit& p,
                                                local_time lease_ends);
  void schedule_renewal(context& x, pursuit& p, sim_duration ttl);
  /// Whether a driver who still sees the offer is told that its lease is lost.
  [[nodiscard]] static bool takes_offer_back(const context& x, const pursuit& p);
  void lost_lease(context& x, pursuit& p);

  // claims and zones
  /// `must_hold`: only prolongs a claim that is still there.
  void claim(context& x, ride_id r, bool must_hold = false);
  /// The ride is no longer this matcher's to serve.
  void drop(context& x, pursuit& p);
  [[nodiscard]] zone_id zone_of(context& x, ride_id r) const;
  [[nodiscard]] zone_id zone_of(context& x, driver_id d) const;
  /// Whether the ride's zone is held; if not, asks for it and keeps the ride waiting.
  [[nodiscard]] bool has_zone(context& x, pursuit& p);
  [[nodiscard]] bool may_take_from(context& x, driver_id d) const;
  /// A zone that is held stays so for a while.
  void use(context& x, zone_id z);
  void ask_for_zone(context& x, zone_id z);
  /// Whether this matcher holds a driver of the zone.
  [[nodiscard]] bool has_leases_under(context& x, zone_id z) const;
  /// Ends the pursuit here: `p` is gone afterwards.
  void hand_on(context& x, pursuit& p, matcher_id to);
  /// Whether this matcher only looks, and has handed the ride on to one that takes drivers.
  [[nodiscard]] bool is_left_to_writer(context& x, pursuit& p);

  /// The lease manager that leads, as far as this matcher has heard.
  [[nodiscard]] node_id the_lease_manager() const { return {node_kind::lease_manager, leader_}; }
  /// Nothing came back from the lease manager that was asked. Only while it is taken for the leader
  /// does that say anything: of many requests that it let lie, the first makes the matcher turn to
  /// the other one, and the rest must not make it turn back.
  void doubt_leader(context& x, std::uint32_t asked);

  /// Closes the try under way and looks for another driver.
  void next_after(context& x, pursuit& p, events::try_ending cause);
  void close_try(context& x, pursuit& p, events::try_ending cause);
  /// No ride of this matcher is about the driver any more.
  void let_go(context& x, driver_id d);
  void give_back(context& x, const pursuit& p, events::lease_ending cause);
  /// Gives back a lease that no try is about any more, if nothing was written under it.
  void return_unused(
      context& x, ride_id r, driver_id d, token_id token, events::lease_ending cause);
  void withdraw(context& x, pursuit& p, events::try_ending cause);

  /// All end the pursuit: `p` is gone afterwards.
  void settle(context& x, pursuit& p, driver_id d, token_id token);
  /// The same, heard after the matcher had moved on to another driver, if it had.
  void settle_late(context& x, ride_id r, driver_id d, token_id token);
  void fail(context& x, pursuit& p, events::abandonment cause);
  /// The ride has a driver, of whom this matcher had not heard.
  void give_up_to(
      context& x, pursuit& p, events::try_ending cause, driver_id holder, token_id token);
  void close(context& x, ride_id r, bool is_served = false);
  void forget(const pursuit& p);
  /// Tells the rider of a driver.
  void promise(context& x, ride_id r, driver_id d, token_id token);

  /// The pursuit of a ride, or none; with token and stage, only if its try under way is that one.
  [[nodiscard]] pursuit* find(ride_id r);
  [[nodiscard]] pursuit* find(ride_id r, token_id token, match::stage stage);

  tsl::hopscotch_map<ride_id, pursuit, spread_hash> pursuits_;
  tsl::hopscotch_set<driver_id, std::hash<driver_id>> engaged_;  ///< with one of its own rides
  tsl::hopscotch_map<driver_id, token_id, std::hash<driver_id>> written_;  ///< the last for each
  std::uint64_t unleased_tries_ = 0;  ///< numbers made up so far; survives a crash
  std::uint32_t requests_ = 0;        ///< to the lease manager so far; survives a crash
  std::uint32_t steps_ = 0;           ///< beyond all of pursuits that are over; survives a crash
  lease::round_trips to_manager_;
  std::uint32_t leader_ = 0;
  std::uint32_t term_ = 1;

  struct zone_state {
    bool is_held = false;
    bool is_asked_for = false;
    bool is_let_go = false;  ///< held, but not renewed for want of use
    std::uint32_t asks = 0;
    std::uint32_t manager = 0;     ///< who was asked last
    std::uint32_t grants = 0;      ///< that it was told of
    local_time used{};             ///< a ride was last served there
    std::vector<ride_id> waiting;  ///< for the zone
  };
  tsl::hopscotch_map<zone_id, zone_state, std::hash<zone_id>> zones_;
  tsl::hopscotch_map<ride_id, matcher_id, spread_hash> handed_on_;
  /// The latest wait of each rider that ended with a driver here. Of such a ride a matcher hears
  /// again when the rider had asked once more before she was told, or from one that hands rides on.
  /// Rides are served nearly in their order, so the table hardly ever moves what it has.
  boost::container::flat_map<ride_id, std::uint32_t> served_;
  match::waiting_line line_;
};

}  // namespace dibs::actors
