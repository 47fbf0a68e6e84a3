/// The negative controls of a hunt: each takes away one thing that the promises rest on, and must
/// do harm, or the hunt would prove nothing.
///
/// A control is judged against its own baseline: the same runs, with the same faults and everything
/// else that the control sets, but with that one thing in place. It shows harm if it makes more
/// runs worse than better, by more than chance would have it.
#pragma once

#include "swarm/swarm_run.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace dibs::swarm {

struct negative_control {
  std::string_view name;
  std::string_view takes_away;                  ///< in a sentence
  std::vector<std::string_view> harms;          ///< metrics, which are added up for each run
  std::vector<std::string_view> always;         ///< hazards without which it would not be missed
  std::vector<scenario::override_value> both;   ///< with it and without
  std::vector<scenario::override_value> taken;  ///< with it only
};

[[nodiscard]] const std::vector<negative_control>& controls();

struct control_trial {
  std::uint32_t runs = 0;  ///< pairs
  std::uint32_t harmed = 0;
  std::uint32_t harmed_without = 0;
  std::uint32_t worse = 0;  ///< with it than without
  std::uint32_t better = 0;
  bool shows_harm = false;
};

/// The chance that of so many fair coins so many or more show heads. Requires: heads <= coins.
[[nodiscard]] double binomial_tail(std::uint32_t heads, std::uint32_t coins);

/// In batches of 50 pairs, until harm is shown with an error of at most one in a thousand for each
/// look, or `how.runs` pairs were run.
[[nodiscard]] result<control_trial> try_control(const negative_control& what,
                                                const chase_options& how);

}  // namespace dibs::swarm
