/// Who holds a driver: one lease at a time (S1), and no step but along the arrows (S8):
/// available -> leased -> on trip or available, on trip -> available.
#pragma once

#include "checkers/event_context.hpp"
#include "events/facts.hpp"

namespace dibs::checkers {

class holding {
 public:
  void judge(const events::lease_granted& f, const event_context& s) const;
  void judge(const events::lease_ended& f, const event_context& s) const;
  void judge(const events::trip_committed& f, const event_context& s) const;
  void judge(const events::trip_ended& f, const event_context& s) const;
};

}  // namespace dibs::checkers
