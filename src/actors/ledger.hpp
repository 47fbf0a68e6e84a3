/// The ledger: takes or refuses writes, starts and closes trips, and tells the lease manager.
#pragma once

#include "lease/known_leader.hpp"
#include "lease/ledger_machine.hpp"
#include "messages/messages.hpp"
#include "runtime/context.hpp"

namespace dibs::actors {

class ledger {
 public:
  using context = runtime::context;
  using inbox = messages::message_list<messages::write,
                                       messages::raise_fence,
                                       messages::record_commit,
                                       messages::trip_done,
                                       messages::call_off,
                                       messages::whose_trip,
                                       messages::ledger_leader_is>;

  explicit ledger(lease::ledger record) : record_(std::move(record)) {}

  void on(context& x, const messages::write& m);
  void on(context& x, const messages::raise_fence& m);
  void on(context& x, const messages::record_commit& m);
  void on(context& x, const messages::trip_done& m);
  void on(context& x, const messages::call_off& m);
  void on(context& x, const messages::whose_trip& m);
  void on(context&, const messages::ledger_leader_is& m) { leader_.hear(m.manager, m.term); }

  /// Prefetches the record of the driver's trip.
  void fetch(driver_id d) const { record_.fetch(d); }

 private:
  void tell_manager(context& x, const messages::write& m, bool taken);
  void tell_manager_closed(context& x, ride_id r, driver_id d, token_id token);

  lease::ledger record_;
  lease::known_leader leader_;
};

}  // namespace dibs::actors
