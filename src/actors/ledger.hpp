/// The ledger: takes or refuses writes, starts and closes trips, and tells the lease manager.
#pragma once

#include "actors/messages.hpp"
#include "actors/runtime/context.hpp"
#include "lease/ledger_machine.hpp"

namespace dibs::actors {

class ledger {
 public:
  using context = runtime::context;
  using inbox = message_list<write, raise_fence, record_commit, trip_done, call_off>;

  explicit ledger(lease::ledger record) : record_(std::move(record)) {}

  void on(context& x, const write& m);
  void on(context& x, const raise_fence& m);
  void on(context& x, const record_commit& m);
  void on(context& x, const trip_done& m);
  void on(context& x, const call_off& m);

 private:
  void tell_manager(context& x, const write& m, bool taken);
  void tell_manager_closed(context& x, ride_id r, driver_id d, token_id token);

  lease::ledger record_;
};

}  // namespace dibs::actors
