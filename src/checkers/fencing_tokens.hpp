/// What fencing tokens are for: they only grow (S2), a command that names an old one changes
/// nothing (S6), and an ended one never comes back (S10).
#pragma once

#include "checkers/event_context.hpp"
#include "events/facts.hpp"

namespace dibs::checkers {

class tokens {
 public:
  void judge(const events::lease_granted& f, const event_context& s) const;
  void judge(const events::lease_renewed& f, const event_context& s) const;
  void judge(const events::lease_reset& f, const event_context& s) const;
  void judge(const events::lease_ended& f, const event_context& s) const;
  void judge(const events::confirm_accepted& f, const event_context& s) const;
  void judge(const events::trip_committed& f, const event_context& s) const;
};

}  // namespace dibs::checkers
