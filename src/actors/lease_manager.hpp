/// The lease manager: hears what comes, asks `lease::manager_machine` what follows, and does it.
///
/// It decides nothing itself. It knows how deadlines travel, and when the record of who is
/// available shows that a lease has run out.
///
/// In a live run the table of leases may be a store outside. Then a message about a lease is
/// handled in two halves: the store is asked, and what follows waits for its answer. The manager
/// never does.
#pragma once

#include "actors/machine_actor.hpp"
#include "actors/stored_leases.hpp"
#include "lease/manager_machine.hpp"
#include "messages/messages.hpp"
#include "runtime/context.hpp"

#include <memory>
#include <optional>
#include <type_traits>

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
                                       messages::sweep_acts_due,
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
                                       messages::lease_in_doubt,
                                       messages::lease_store_answered,
                                       messages::lease_store_retry_due>;

  explicit lease_manager(const lease::manager_rules& rules) : decisions_(rules) {}
  /// With its table of leases in a store outside.
  lease_manager(const lease::manager_rules& rules, const store_access& leases)
      : decisions_(rules), stored_(std::make_unique<stored_leases>(leases, rules.drivers)) {}

  template <class M>
  void on(context& x, const M& m) {
    if constexpr (is_about_lease<M>) {
      if (stored_ != nullptr) {
        ask_store(x, m, {});
        return;
      }
    }
    decide(x, [&](lease::turn& t) { decisions_.on(t, m); });
  }
  void on(context& x, const messages::acquire& m) { on_request(x, m); }
  void on(context& x, const messages::confirm& m) { on_request(x, m); }
  void on(context& x, const messages::renew& m) { on_request(x, m); }
  void on(context& x, const messages::release& m) { on_request(x, m); }
  void on(context& x, const messages::sweep& m);
  void on(context& x, const messages::lease_store_answered& m);
  void on(context& x, const messages::lease_store_retry_due& m);

  /// The table outlives a crash, as far as the scenario says; the timers do not.
  void restart(context& x);
  /// The timers of a manager that begins to work.
  void start(context& x) {
    decide(x, [&](lease::turn& t) { decisions_.start(t); });
  }

  /// Prefetches the record of the driver's lease.
  void fetch(driver_id d) const { decisions_.fetch(d); }

 private:
  /// What the ledger and timers say about a lease.
  template <class M>
  static constexpr bool is_about_lease =
      std::is_same_v<M, messages::write_outcome> || std::is_same_v<M, messages::trip_closed> ||
      std::is_same_v<M, messages::lease_due>;

  [[nodiscard]] lease::asker asker_of(const context& x, ride_id r) const {
    const lease::manager_rules& rules = decisions_.rules();
    return {x.sender(),
            rules.draws() ? x.world().rides.at(r).key : 0,
            rules.lease.clock == lease::expiry_clock::requester
                ? std::optional(x.wall_of(x.sender()))
                : std::nullopt};
  }

  template <class M>
  void ask_store(context& x, const M& m, const lease::asker& by) {
    std::optional<lease::any_command> c;
    decide(x, [&](lease::turn& t) { c = decisions_.command_for(t, m, by); });
    if (c) {
      stored_->requests.ask(x, m, *c, is_about_lease<M>);
    }
  }

  template <class M>
  void on_request(context& x, const M& m) {
    const lease::asker by = asker_of(x, m.ride);
    if (stored_ != nullptr) {
      ask_store(x, m, by);
      return;
    }
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
  std::unique_ptr<stored_leases> stored_;  ///< null: the table is the machine's own
};

}  // namespace dibs::actors
