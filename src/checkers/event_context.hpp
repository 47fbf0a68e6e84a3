/// One event as the checkers see it: its time and node, and what the events before it say of its
/// token and its driver.
#pragma once

#include "base/time.hpp"
#include "checkers/observed_state.hpp"
#include "checkers/run_checker.hpp"
#include "checkers/violation_log.hpp"

#include <cstdint>
#include <utility>

namespace dibs::checkers {

using lease::invariant;

struct event_context {
  const options& what;
  const observed_state& so_far;
  violation_log& violations;
  sim_time t{};
  local_time local{};
  std::uint64_t index = 0;
  bool names_token = false;  ///< the fact does, and its driver
  token_id named{};
  driver_id driver{};
  mutable bool is_looked_up = false;
  mutable const token_record* found = nullptr;

  /// What the observed state says of the fact's token; null: the driver never had such a token.
  /// Looked up when the first checker asks: most facts are of interest to none who does.
  [[nodiscard]] const token_record* token() const {
    if (!is_looked_up) {
      is_looked_up = true;
      found = names_token ? so_far.find(named, driver) : nullptr;
    }
    return found;
  }

  /// Its trip, or null if none is under way.
  [[nodiscard]] const open_trip* trip() const {
    return names_token ? so_far.find_trip(named, driver) : nullptr;
  }
  /// Whether its trip was called off, maybe before it began.
  [[nodiscard]] bool was_revoked() const {
    const open_trip* const open = trip();
    return open != nullptr ? open->was_revoked : token() != nullptr && token()->revoked;
  }

  template <class... Args>
  void report_violation(invariant broken, fmt::format_string<Args...> words, Args&&... args) const {
    violations.enter(broken, t, index, words, std::forward<Args>(args)...);
  }
};

}  // namespace dibs::checkers
