/// A confirm is taken exactly if its lease is current, unconfirmed and in time by the manager's own
/// clock (S3). Both directions count: a manager that refuses every confirm is safe and useless.
///
/// Where the ledger fences, its commit is judged as well: never a token older than one it took.
#pragma once

#include "checkers/event_context.hpp"
#include "events/facts.hpp"

namespace dibs::checkers {

class confirms {
 public:
  void judge(const events::confirm_accepted& f, const event_context& s) const;
  void judge(const events::confirm_refused& f, const event_context& s) const;
  void judge(const events::trip_committed& f, const event_context& s) const;
};

}  // namespace dibs::checkers
