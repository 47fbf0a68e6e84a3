/// A matcher: hears what comes, asks `match::search_machine` what follows, and does it.
///
/// It decides nothing itself. It knows the world of which the machine is told: where rides and
/// drivers are, whom the view shows, and how deadlines travel.
#pragma once

#include "actors/machine_actor.hpp"
#include "match/search_machine.hpp"
#include "messages/messages.hpp"
#include "runtime/context.hpp"

namespace dibs::actors {

class matcher : private machine_actor {
 public:
  using context = runtime::context;
  using inbox = messages::message_list<messages::want_ride,
                                       messages::withdraw_ride,
                                       messages::lease_given,
                                       messages::lease_refused,
                                       messages::lease_over,
                                       messages::rider_confirmed,
                                       messages::confirm_taken,
                                       messages::confirm_denied,
                                       messages::lease_converted,
                                       messages::release_seen,
                                       messages::offer_answer,
                                       messages::write_taken,
                                       messages::write_denied,
                                       messages::search_timeout_due,
                                       messages::retry_due,
                                       messages::try_timeout_due,
                                       messages::reply_timeout_due,
                                       messages::lease_extended,
                                       messages::renewal_denied,
                                       messages::renew_due,
                                       messages::renewal_timeout_due,
                                       messages::phone_there,
                                       messages::ping_timeout_due,
                                       messages::leader_is,
                                       messages::claim_given,
                                       messages::claim_refused,
                                       messages::take_over,
                                       messages::claim_heartbeat_due,
                                       messages::zone_given,
                                       messages::zone_refused,
                                       messages::zone_renewal_due,
                                       messages::zone_over,
                                       messages::zone_reply_timeout_due,
                                       messages::someone_free,
                                       messages::resume_step>;

  explicit matcher(const match::matcher_rules& rules) : search_(rules) {}

  template <class M>
  void on(context& x, const M& m) {
    decide(x, [&](match::turn& t) { search_.on(t, m); });
  }
  void on(context& x, const messages::want_ride& m) { on_ride(x, m); }
  void on(context& x, const messages::take_over& m) { on_ride(x, m); }
  void on(context& x, const messages::lease_given& m) { on_deadline(x, m); }
  void on(context& x, const messages::lease_extended& m) { on_deadline(x, m); }
  void on(context& x, const messages::zone_renewal_due& m);
  void on(context& x, const messages::resume_step& m);

  void crash() { search_.crash(); }

 private:
  template <class M>
  void on_ride(context& x, const M& m) {
    decide(x, [&](match::turn& t) { search_.on(t, m, facts_of(x, m.ride)); });
  }
  /// What has travelled as an instant becomes what is left until then.
  template <class M>
  void on_deadline(context& x, M m) {
    if (search_.rules().lease.is_absolute() && m.deadline != forever) {
      m.deadline -= x.wall_for(m.ride, m.driver).time_since_epoch();
    }
    decide(x, [&](match::turn& t) { search_.on(t, m); });
  }

  /// One turn of the machine, carried out.
  template <class Decision>
  void decide(context& x, Decision decision) {
    match::turn t(x.now());
    decision(t);
    carry_out(x, t);
  }

  void carry_out(context& x, const match::turn& t);
  using machine_actor::carry_out;
  static void carry_out(context& x, match::message<messages::offer> m);
  static void carry_out(context& x, const match::call_line& c) {
    x.acts_after(c.wait, messages::someone_free{});
  }
  static void carry_out(context& x, const messages::unserved& m) {
    x.send(x.world().rides.at(m.ride).rider, m);
  }
  static void carry_out(context& x, const messages::confirm_wanted& m) {
    x.send(x.world().rides.at(m.ride).rider, m);
  }
  static void carry_out(context& x, const match::tell_of_driver& m);
  void carry_out(context& x, const match::try_ride& next) {
    decide(x, [&](match::turn& t) { search_.called(t, next); });
  }
  void carry_out(context& x, const match::find_driver& question);
  void carry_out(context& x, const match::find_drivers& question);
  void carry_out(context& x, const match::join_waiting_line& question);
  void carry_out(context& x, const match::take_step& question);

  /// Whether the ride may not be offered to the driver.
  [[nodiscard]] bool is_excluded(const context& x,
                                 const match::ride_search& p,
                                 driver_id d,
                                 local_time now) const {
    return !search_.may_try(p, d, now) ||
           (search_.rules().lease.zones && !search_.holds(zone_of(x, d), now));
  }
  /// Of her record, where the ledger compares it.
  [[nodiscard]] static std::uint32_t version_of(const context& x, driver_id d);
  void go_on_after(context& x, match::ride_search& p, sim::life_step here, sim_duration left);
  [[nodiscard]] match::ride_facts facts_of(const context& x, ride_id r) const;
  /// None where zones are not leased.
  [[nodiscard]] zone_id zone_of(const context& x, driver_id d) const;

  match::search_machine search_;
};

}  // namespace dibs::actors
