/// The lease manager: hears what comes, asks `lease::manager_machine` what follows, and does it.
///
/// It decides nothing itself. It knows how deadlines travel, and when the record of who is
/// available shows that a lease has run out.
#pragma once

#include "actors/machine_actor.hpp"
#include "lease/manager_machine.hpp"
#include "messages/messages.hpp"
#include "runtime/context.hpp"

#include <cstdint>

namespace dibs::actors {

class lease_manager : private machine_actor {
 public:
  using context = runtime::context;
  using inbox = messages::message_list<messages::acquire,
                                       messages::confirm,
                                       messages::release,
                                       messages::renew,
                                       messages::write_outcome,
                                       messages::trip_closed,
                                       messages::lease_due,
                                       messages::sweep_due,
                                       messages::sweep,
                                       messages::checkpoint_due,
                                       messages::claim_ride,
                                       messages::claim_done,
                                       messages::claim_due,
                                       messages::claim_zone,
                                       messages::zone_due,
                                       messages::follow_lease,
                                       messages::follow_trip,
                                       messages::lead_heartbeat,
                                       messages::heartbeat_due,
                                       messages::leader_silent,
                                       messages::catch_up,
                                       messages::revoke,
                                       messages::lease_in_doubt>;

  explicit lease_manager(const lease::manager_rules& rules) : decisions_(rules) {}

  template <class M>
  void on(context& x, const M& m) {
    decide(x, [&](lease::turn& t) { decisions_.on(t, m); });
  }
  void on(context& x, const messages::acquire& m) { on_request(x, m); }
  void on(context& x, const messages::confirm& m) { on_request(x, m); }
  void on(context& x, const messages::renew& m) { on_request(x, m); }
  void on(context& x, const messages::release& m) { on_request(x, m); }
  void on(context& x, const messages::sweep& m);

  /// The table outlives a crash, as far as the scenario says; the timers do not.
  void restart(context& x) {
    decide(x, [&](lease::turn& t) { decisions_.restart(t); });
  }
  /// The timers of a manager that begins to work.
  void start(context& x) {
    decide(x, [&](lease::turn& t) { decisions_.start(t); });
  }

  /// Prefetches the record of the driver's lease.
  void fetch(driver_id d) const { decisions_.fetch(d); }

 private:
  template <class M>
  void on_request(context& x, const M& m) {
    const lease::asker by{x.sender(),
                          decisions_.rules().draws() ? x.world().rides.at(m.ride).key : 0};
    decide(x, [&](lease::turn& t) { decisions_.on(t, m, by); });
  }

  /// One turn of the machine, carried out.
  template <class Decision>
  void decide(context& x, Decision decision) {
    lease::turn t(x.now());
    decision(t);
    carry_out(x, t);
  }

  void carry_out(context& x, const lease::turn& t);
  using machine_actor::carry_out;
  void carry_out(context& x, const lease::answer<messages::lease_given>& a) {
    answer_with_deadline(x, a.what);
  }
  void carry_out(context& x, const lease::answer<messages::lease_extended>& a) {
    answer_with_deadline(x, a.what);
  }
  static void carry_out(context& x, const lease::lapse& l);

  /// What is left of a lease travels so, or as the instant on the wall clock until which it is.
  template <class M>
  void answer_with_deadline(context& x, M m) {
    if (decisions_.rules().lease.is_absolute() && m.deadline != forever) {
      m.deadline += x.wall_for(m.ride, m.driver).time_since_epoch();
    }
    x.answer(m);
  }

  lease::manager_machine decisions_;
};

}  // namespace dibs::actors
