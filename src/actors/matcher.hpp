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

  explicit matcher(const match::matcher_rules& rules) : search_(rules) {}

  template <class M>
  void on(context& x, const M& m) {
    decide(x, [&](match::turn& t) { search_.on(t, m); });
  }
  void on(context& x, const want_ride& m) { on_ride(x, m); }
  void on(context& x, const take_over& m) { on_ride(x, m); }
  void on(context& x, const lease_given& m) { on_deadline(x, m); }
  void on(context& x, const lease_extended& m) { on_deadline(x, m); }
  void on(context& x, const zone_renewal_due& m);
  void on(context& x, const go_on& m);

  void crash() { search_.crash(); }

 private:
  template <class M>
  void on_ride(context& x, const M& m) {
    decide(x, [&](match::turn& t) { search_.on(t, m, facts_of(x, m.ride)); });
  }
  /// What has travelled as an instant becomes what is left until then.
  template <class M>
  void on_deadline(context& x, M m) {
    if (search_.rules().is_absolute && m.deadline != forever) {
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
  static void carry_out(context& x, match::message<offer> m);
  static void carry_out(context& x, const match::call_line& c) {
    x.acts_after(c.wait, someone_free{});
  }
  static void carry_out(context& x, const unserved& m) {
    x.send(x.world().rides.at(m.ride).rider, m);
  }
  static void carry_out(context& x, const match::tell_of_driver& m);
  void carry_out(context& x, const match::try_ride& next) {
    decide(x, [&](match::turn& t) { search_.called(t, next); });
  }
  void carry_out(context& x, const match::find_driver& question);
  void carry_out(context& x, const match::stand_in_line& question);
  void carry_out(context& x, const match::take_step& question);

  void go_on_after(context& x, match::pursuit& p, sim::life_step here, sim_duration left);
  [[nodiscard]] match::ride_facts facts_of(const context& x, ride_id r) const;
  /// None where zones are not leased.
  [[nodiscard]] zone_id zone_of(const context& x, driver_id d) const;

  match::search_machine search_;
};

/// What matcher `self` is to do in this world.
[[nodiscard]] match::matcher_rules matcher_rules_of(const surroundings& world, matcher_id self);

}  // namespace dibs::actors
