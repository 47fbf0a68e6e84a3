/// What riders are told is true: a driver is promised only once she is committed, and a promised
/// driver fails to come only if she was sent to two riders or cut off by a fault (S12). Such a
/// fault breaks the promise to the rider, and is counted (`promises.broken_rate`); no protocol
/// could keep it.
#pragma once

#include "checkers/event_context.hpp"
#include "events/facts.hpp"

namespace dibs::checkers {

class promises {
 public:
  void judge(const events::ride_promised& f, const event_context& s) const;
  void judge(const events::assignment_revoked& f, const event_context& s) const;
};

}  // namespace dibs::checkers
