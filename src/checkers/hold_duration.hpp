/// How long a driver can be held: a lease stands no longer than it says, clean-up and drift added
/// (B4), and one whose holder is dead no longer than that (B5). With lazy clean-up B4 says that
/// nothing that has run out stands after the manager's next answer to an acquire.
#pragma once

#include "checkers/event_context.hpp"
#include "events/facts.hpp"
#include "lease/deadlines.hpp"

namespace dibs::checkers {

class holds {
 public:
  void judge(const events::lease_ended&, const event_context& s) const { judge_length(s); }
  void judge(const events::trip_committed&, const event_context& s) const { judge_length(s); }
  void judge(const events::lease_granted& f, const event_context& s);
  void judge(const events::lease_renewed& f, const event_context& s);
  void judge(const events::lease_reset& f, const event_context& s);
  void judge(const events::lease_denied& f, const event_context& s);

 private:
  static void judge_length(const event_context& s);
  void note(token_id token, driver_id d, local_time expires, const event_context& s);
  void judge_standing(const event_context& s);

  lease::deadlines<sim_time> outlived_;  ///< surely run out by then, unless prolonged
};

}  // namespace dibs::checkers
