/// The message that a try waited for and did not get in time, because it was lost on its way.
///
/// A message that was lost and then came through when it was repeated decided nothing. Nor did one
/// for which nobody waited, such as the news that a lease has ended.
#pragma once

#include "events/facts.hpp"
#include "history/indexed_run.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dibs::explain {

struct lost_message {
  std::string_view what{};  ///< `the renewal`
  std::uint32_t times = 0;
  sim_time last{};  ///< the last loss: until then the message could have come through
  events::message_lost how{};
};

/// The lost message of the try; of several the one that was lost last. Losses after `until`, when
/// the try was over, decided nothing.
[[nodiscard]] std::optional<lost_message> lost_message_of(const history::indexed_run& c,
                                                          const metrics::try_record& t,
                                                          sim_time until);

/// `a message that this lease waited for, the renewal, was lost 3 times, and did not come through
/// in time`.
[[nodiscard]] std::string describe(const lost_message& w);

}  // namespace dibs::explain
