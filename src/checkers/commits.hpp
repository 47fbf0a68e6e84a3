/// The commit: no driver on two trips and no ride with two drivers (S4; within bounds, and whatever
/// the ledger checks, no driver on two trips: B3), and one commit per token, with the same answer
/// to every retry (S5).
#pragma once

#include "checkers/event_context.hpp"
#include "events/facts.hpp"

#include <vector>

namespace dibs::checkers {

class commits {
 public:
  void judge(const events::trip_committed& f, const event_context& s);
  void judge(const events::write_refused& f, const event_context& s) const;
  void judge(const events::confirm_accepted& f, const event_context& s) const;
  void judge(const events::confirm_refused& f, const event_context& s) const;

  /// The instant is over, and true time moves on: what is open now lasts longer than nothing.
  void judge_instant(const observed_state& so_far, violation_log& violations) {
    if (!possible_.empty()) {
      report_certain(so_far, violations);
    }
  }

 private:
  /// Two trips that are open at one instant, and share a driver or a ride.
  struct possible_violation {
    record_index first = no_record;
    token_id second;
    driver_id second_driver;
    ride_id ride;  ///< of the second
    sim_time t{};
    std::uint64_t index = 0;
  };

  void report_certain(const observed_state& so_far, violation_log& violations);
  void suspect(record_index other, const events::trip_committed& f, const event_context& s);

  std::vector<possible_violation> possible_;
};

}  // namespace dibs::checkers
