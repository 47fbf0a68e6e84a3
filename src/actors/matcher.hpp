/// A matcher: pursues a driver for each ride it was asked for, one candidate after another.
///
/// Its memory of its rides dies with a crash; riders ask again.
#pragma once

#include "actors/messages.hpp"
#include "actors/runtime/context.hpp"
#include "match/pursuit.hpp"

#include <tsl/hopscotch_map.h>
#include <tsl/hopscotch_set.h>

#include <cstdint>

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
                             no_word>;

  void on(context& x, const want_ride& m);
  void on(context& x, const withdraw_ride& m);
  void on(context& x, const lease_given& m);
  void on(context& x, const lease_refused& m);
  void on(context& x, const lease_over& m);
  void on(context& x, const confirm_taken& m);
  void on(context& x, const confirm_denied& m);
  void on(context& x, const lease_converted& m);
  void on(context&, const release_seen&) {}
  void on(context& x, const offer_answer& m);
  void on(context& x, const write_taken& m);
  void on(context& x, const write_denied& m);
  void on(context& x, const wait_over& m);
  void on(context& x, const look_again& m);
  void on(context& x, const try_over& m);
  void on(context& x, const no_word& m);

  void crash();

 private:
  using pursuit = match::pursuit;

  void try_next(context& x, pursuit& p);
  [[nodiscard]] driver_id choose(context& x, pursuit& p);
  /// `left`: how long the lease lasts from now, on this matcher's clock.
  void send_offer(context& x, pursuit& p, sim_duration left);
  void accept(context& x, pursuit& p);
  void write_it(context& x, pursuit& p);

  /// Closes the try under way and looks for another driver.
  void next_after(context& x, pursuit& p, events::try_ending cause);
  void close_try(context& x, pursuit& p, events::try_ending cause);
  void give_back(context& x, const pursuit& p, events::lease_ending cause);
  void withdraw(context& x, pursuit& p);

  /// Both end the pursuit: `p` is gone afterwards.
  void settle(context& x, pursuit& p, driver_id d, token_id token);
  void fail(context& x, pursuit& p, events::abandonment cause);
  /// Tells the rider of a driver.
  void promise(context& x, ride_id r, driver_id d, token_id token);

  /// The pursuit of a ride, or none; with token and stage, only if its try under way is that one.
  [[nodiscard]] pursuit* find(ride_id r);
  [[nodiscard]] pursuit* find(ride_id r, token_id token, match::stage stage);

  tsl::hopscotch_map<ride_id, pursuit, std::hash<ride_id>> pursuits_;
  tsl::hopscotch_set<driver_id, std::hash<driver_id>> engaged_;  ///< with one of its own rides
  std::uint64_t unleased_tries_ = 0;  ///< numbers made up so far; survives a crash
  std::uint32_t requests_ = 0;        ///< to the lease manager so far; survives a crash
};

}  // namespace dibs::actors
