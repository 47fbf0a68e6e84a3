/// Each effect of a fault that has a trigger: which message it dropped, delayed or doubled and
/// when, and where it ended a matcher's work with an error.
#pragma once

#include "history/indexed_run.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dibs::history {

/// What `fault_injection::what` may say.
inline constexpr std::array<std::string_view, 4> fault_injection_names{
    "drop", "delay", "duplicate", "error"};

/// Of a strike that was on no message.
inline constexpr std::int64_t no_message = -1;

struct fault_injection {
  std::string_view what;  ///< one of `fault_injection_names`, as the faults' bands are called
  node_id from;
  node_id to;  ///< of an error: the same
  std::int64_t message = no_message;
  sim_duration by{};
  ride_id ride;
  token_id token;
};

/// Nothing for any other fact.
[[nodiscard]] std::optional<fault_injection> fault_injection_in(const events::fact& f);

}  // namespace dibs::history
