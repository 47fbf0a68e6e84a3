/// A driver and her phone: sees offers, decides on each on its own, and drives.
///
/// How she answers an offer depends on (seed, driver, ride, k-th offer of that ride to her) alone.
/// She thinks, drives and works in true time; only the deadline on her phone runs on its clock.
/// What her phone shows is `world::driver_phone`, and what she drives `world::driver_trips`; this
/// core tells others of it.
#pragma once

#include "messages/messages.hpp"
#include "runtime/context.hpp"
#include "world/driver_phone.hpp"
#include "world/driver_trips.hpp"

#include <cstdint>

namespace dibs::actors {

class alignas(64) driver {
 public:
  using context = runtime::context;
  using inbox = messages::message_list<messages::offer,
                                       messages::answer_seen,
                                       messages::withdraw_offer,
                                       messages::drive,
                                       messages::boarded,
                                       messages::trip_off,
                                       messages::answer_due,
                                       messages::screen_over,
                                       messages::at_pickup,
                                       messages::at_drop_off,
                                       messages::shift_over,
                                       messages::greet,
                                       messages::connection_lost,
                                       messages::connection_back>;

  // driver.cpp: her phone
  void on(context& x, const messages::offer& m);
  void on(context&, const messages::answer_seen&) {}
  void on(context& x, const messages::withdraw_offer& m);
  void on(context& x, const messages::greet& m) {
    x.answer(messages::phone_there{m.ride, m.token});
  }
  void on(context& x, const messages::answer_due& m);
  void on(context& x, const messages::screen_over& m);

  // driver_work.cpp: her trips, and when she works and has a connection
  void on(context& x, const messages::drive& m);
  void on(context& x, const messages::boarded& m);
  void on(context& x, const messages::trip_off& m);
  void on(context& x, const messages::at_pickup& m);
  void on(context& x, const messages::at_drop_off& m);
  /// Also how a driver first comes to work.
  void on(context& x, const messages::shift_over& m);
  void on(context& x, const messages::connection_lost& m);
  void on(context& x, const messages::connection_back& m);

  /// The phone forgets what it showed; she goes on driving.
  void crash() { phone_.clear(); }

 private:
  [[nodiscard]] bool admits(context& x);
  void dismiss_all(context& x, events::dismissal cause);
  void decide(context& x, const messages::offer& m, sim_duration window);
  void send_answer(context& x, const world::driver_phone::shown_offer& o);
  /// What may go wrong around the offer that she has just seen, the `nth` of its ride to her, which
  /// she accepts after so long; `forever` if she does not.
  void schedule_mishaps(context& x,
                        const messages::offer& m,
                        std::uint32_t nth,
                        sim_duration accepts_after);

  void set_out(context& x, world::driver_trip t);
  void end_trip(context& x);
  /// She is where she is by now, on her way to a pick-up.
  void stop_on_the_way(context& x);
  void leave_if_due(context& x);
  void come_to_work(context& x);
  void reconnect(context& x);

  world::driver_phone phone_;
  world::driver_trips trips_;
  std::uint32_t person_ = 0;  ///< the how-manieth at this wheel
  std::uint8_t driver_class_ = 0;
  bool leaving_ = false;
  bool cut_off_ = false;  ///< at work, but without a connection
};
static_assert(sizeof(driver) <= 128, "a driver lies in two lines of the cache");

}  // namespace dibs::actors
