/// Every lease ends exactly once (S7), and for want of time only when its time is over by the
/// manager's own monotonic clock (S9).
#pragma once

#include "checkers/event_context.hpp"
#include "events/facts.hpp"

#include <span>

namespace dibs::checkers {

class endings {
 public:
  void judge(const events::lease_ended& f, const event_context& s) const;
  void judge(const events::trip_committed& f, const event_context& s) const;
  void judge(const events::node_crashed& f, const event_context& s);
  void judge(const events::node_restarted& f, const event_context& s);
  void judge(const events::node_paused& f, const event_context& s);
  void judge(const events::node_resumed& f, const event_context& s);

  /// At the end of the run: which of the leases that are live should have ended?
  void finish(const event_context& s, std::span<const record_index> live) const;

 private:
  void judge_count(const events::lease_ended& f, const event_context& s) const;
  void judge_time(const events::lease_ended& f, const event_context& s) const;

  bool manager_crashed_ = false;
  bool manager_paused_ = false;
};

}  // namespace dibs::checkers
