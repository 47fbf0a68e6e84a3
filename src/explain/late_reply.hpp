/// The reply that a holder gave its try up for want of, and that came afterwards: it waits for less
/// long than a reply takes.
#pragma once

#include "events/facts.hpp"
#include "explain/remedies.hpp"
#include "history/indexed_run.hpp"

#include <optional>
#include <string>
#include <vector>

namespace dibs::explain {

/// All outlive it.
struct late_reply {
  events::call to{};
  const events::event* asked = nullptr;
  const events::event* given_up = nullptr;  ///< for `no_reply`
  const events::event* came = nullptr;      ///< the yes

  [[nodiscard]] sim_duration took() const { return came->t - asked->t; }
};

/// To the request for its lease, to the confirm or to the write; nothing if none of them came so.
[[nodiscard]] std::optional<late_reply> late_reply_of(const history::indexed_run& c,
                                                      const metrics::try_record& t);

/// `matcher/1 waits 0.3 s for a reply (`reply_timeout`), and the lease manager's yes came 4 s after
/// it had asked for lease 1; by then it had given the try up, at 0:00.375`; or what is wrong with
/// the clock of a matcher that would have had the reply in time by a right one.
[[nodiscard]] std::string describe(const history::indexed_run& c,
                                   const metrics::try_record& t,
                                   const late_reply& late);

/// Appends a right clock, where that had been enough, or to wait for longer than that reply took.
void add_patience(const history::indexed_run& c,
                  const metrics::try_record& t,
                  const late_reply& late,
                  const std::string& metric,
                  std::vector<remedy>& to);

}  // namespace dibs::explain
