/// Words on their way: what one node had said and another had not yet heard.
///
/// Facts tell when something was said and when it had an effect, not when each message arrived; a
/// flight lasts from the one to the other, by way of whoever passes it on.
#pragma once

#include "base/ids.hpp"
#include "metrics/interval.hpp"
#include "show/chronicle.hpp"

#include <string>
#include <vector>

namespace dibs::show {

struct flight {
  std::string what;  ///< `the offer of ride 17`
  node_id from;
  node_id to;
  metrics::interval when;  ///< from saying to effect
  metrics::try_index of = metrics::no_try;
};

/// Every word about these tries, in the order in which it was said.
[[nodiscard]] std::vector<flight> flights_of(const chronicle& c,
                                             const std::vector<metrics::try_index>& tries);

/// Those that were under way at the same time and would have changed each other: of two tries for
/// one driver or ride, or an answer and the end of its own lease. One sentence for each pair, at
/// most `told_max`, the last first.
[[nodiscard]] std::vector<std::string> crossings_of(const chronicle& c,
                                                    const std::vector<flight>& all,
                                                    std::size_t told_max = 4);

}  // namespace dibs::show
