/// Messages in flight: one node has sent them and another has not received them yet.
///
/// A flight ends with the first fact that shows the arrival: an offer is on the screen, a matcher
/// acts on an accept, a confirm or a write is judged, its answer arrives. A message whose arrival
/// no fact shows is left out, except for the end of a lease.
#pragma once

#include "base/ids.hpp"
#include "base/time_interval.hpp"
#include "history/indexed_run.hpp"

#include <string>
#include <vector>

namespace dibs::history {

struct message_in_flight {
  std::string what;  ///< `the offer of ride 17`
  node_id from;
  node_id to;
  time_interval when;  ///< ends with `never` where nothing says when it was heard
  metrics::try_index of = metrics::no_try;
  bool is_answer = false;  ///< to a confirm or a write, whose fate it cannot change
};

/// Every message about these tries, in the order in which they were sent.
[[nodiscard]] std::vector<message_in_flight> messages_in_flight(
    const indexed_run& c, const std::vector<metrics::try_index>& tries);

/// Pairs of messages that were in flight at the same time and would have changed each other: of two
/// tries for one driver or ride, or an answer and the end of its own lease. One sentence for each
/// pair, at most `told_max`, the last first.
[[nodiscard]] std::vector<std::string> message_crossings(const indexed_run& c,
                                                         const std::vector<message_in_flight>& all,
                                                         std::size_t told_max = 4);

}  // namespace dibs::history
