/// The ledger: takes or refuses writes, starts and closes trips, and tells the lease manager. In a
/// live run its record may be a store outside, which it asks without waiting.
#pragma once

#include "actors/store_requests.hpp"
#include "lease/known_leader.hpp"
#include "lease/ledger_machine.hpp"
#include "messages/messages.hpp"
#include "runtime/context.hpp"

#include <tsl/hopscotch_map.h>

#include <cstdint>
#include <memory>
#include <optional>

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
                                       messages::ledger_leader_is,
                                       messages::ledger_store_answered,
                                       messages::ledger_store_retry_due>;

  explicit ledger(lease::ledger record) : record_(std::move(record)) {}
  /// With its record in a store outside.
  ledger(lease::ledger record, const store_access& trips)
      : record_(std::move(record)), stored_(std::make_unique<stored_trips>(trips)) {}

  void on(context& x, const messages::write& m);
  void on(context& x, const messages::raise_fence& m);
  void on(context& x, const messages::record_commit& m);
  void on(context& x, const messages::trip_done& m);
  void on(context& x, const messages::call_off& m);
  void on(context& x, const messages::whose_trip& m);
  void on(context& x, const messages::ledger_store_answered& m);
  void on(context& x, const messages::ledger_store_retry_due& m) { stored_->requests.repeat(x, m); }
  void on(context&, const messages::ledger_leader_is& m) { leader_.hear(m.manager, m.term); }

  /// Of the store's answers, the timers and what was under way a crash leaves nothing; what must
  /// happen is asked for again.
  void restart(context& x) {
    if (stored_ != nullptr) {
      stored_->requests.restart(x);
    }
  }

  /// Prefetches the record of the driver's trip.
  void fetch(driver_id d) const { record_.fetch(d); }

 private:
  struct stored_trips {
    explicit stored_trips(const store_access& access) : requests(access) {}

    store_requests<messages::ledger_store_answered,
                   messages::ledger_store_retry_due,
                   messages::write,
                   messages::raise_fence,
                   messages::trip_done,
                   messages::call_off>
        requests;
    /// The trips that were told, by token: a write or an end whose answer was lost is told when its
    /// repeat is answered.
    struct told_trip {
      driver_id driver;
      bool is_open = true;
    };
    tsl::hopscotch_map<std::uint64_t, told_trip> told;

    /// The driver whose trip is told as over now; nothing if it was before, or never began.
    std::optional<driver_id> close(token_id token);
  };

  /// Asks the store; it must happen, since nobody else would ask again.
  template <class M>
  void ask_store(context& x, const M& m, const lease::any_command& c) {
    stored_->requests.ask(x, m, c, true);
  }
  void conclude(context& x, const messages::write& m, lease::write_outcome outcome);
  void conclude(context& x, const messages::trip_done& m, token_id token, bool was_open);
  void conclude(context& x,
                const messages::call_off& m,
                const std::optional<lease::trip_record>& closed);
  void take_answer(context& x, const messages::write& m, const lease::any_outcome& outcome);
  void take_answer(context& x, const messages::trip_done& m, const lease::any_outcome& outcome);
  void take_answer(context& x, const messages::call_off& m, const lease::any_outcome& outcome);
  void take_answer(context&, const messages::raise_fence&, const lease::any_outcome&) {}
  void tell_manager(context& x, const messages::write& m, bool taken);
  void tell_manager_closed(context& x, ride_id r, driver_id d, token_id token);

  lease::ledger record_;
  lease::known_leader leader_;
  std::unique_ptr<stored_trips> stored_;  ///< null: the record is the machine's own
};

}  // namespace dibs::actors
