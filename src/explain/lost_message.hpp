/// The word that a try waited for in vain: said, lost on its way, and not heard in time.
///
/// A word that was lost and came through when it was repeated decided nothing, nor did one that
/// nobody waited for, as that a lease has ended.
#pragma once

#include "events/facts.hpp"
#include "history/indexed_run.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dibs::show {

struct lost_word {
  std::string_view what{};  ///< `the renewal`
  std::uint32_t times = 0;
  sim_time last{};  ///< before it the word could still have come through
  events::message_lost how{};
};

/// Of several the one that was lost last: until then something could have come of the try. What was
/// lost after `until`, when the try was over, decided nothing.
[[nodiscard]] std::optional<lost_word> word_lost_for(const chronicle& c,
                                                     const metrics::try_record& t,
                                                     sim_time until);

/// `a message that this lease waited for, the renewal, was lost 3 times, and did not come through
/// in time`.
[[nodiscard]] std::string told(const lost_word& w);

}  // namespace dibs::show
