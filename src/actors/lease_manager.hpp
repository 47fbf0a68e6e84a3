/// The lease manager: asks the lease machine, answers, records, and keeps the expiry timers.
#pragma once

#include "actors/messages.hpp"
#include "actors/runtime/context.hpp"
#include "lease/lease_machine.hpp"

namespace dibs::actors {

class lease_manager {
 public:
  using context = runtime::context;
  using inbox =
      message_list<acquire, confirm, release, write_outcome, trip_closed, lease_due, sweep_due>;

  explicit lease_manager(lease::machine leases) : leases_(std::move(leases)) {}

  void on(context& x, const acquire& m);
  void on(context& x, const confirm& m);
  void on(context& x, const release& m);
  void on(context& x, const write_outcome& m);
  void on(context& x, const trip_closed& m);
  void on(context& x, const lease_due& m);
  void on(context& x, const sweep_due& m);

  /// The table outlives a crash; the timers do not.
  void restart(context& x);

 private:
  void grant(context& x, const acquire& m, const lease::granted& g);
  void answer(context& x, const acquire& m, const lease::granted& g);
  void accept(context& x, const confirm& m, const lease::confirmed& c);
  void report(context& x, const lease::ended& e, bool to_holder);
  void watch(context& x, driver_id d, token_id token, local_time due);

  lease::machine leases_;
};

}  // namespace dibs::actors
