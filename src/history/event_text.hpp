/// Whom a fact is about, and its sentence.
#pragma once

#include "base/ids.hpp"
#include "events/facts.hpp"
#include "history/display_names.hpp"
#include "scenario/scenario.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace dibs::history {

/// Everyone and everything that a fact names; none where it names nobody.
struct subjects {
  driver_id driver;
  ride_id ride;
  token_id token;
  matcher_id matcher;
  node_id where;  ///< the node to which it happened, and whose clock the local time is
};

/// `commits_at_manager`: as the scenario has it.
[[nodiscard]] subjects subjects_of(const events::fact& f, bool commits_at_manager);

/// What there is to say of the clock by which the node judged.
struct clock_reading {
  sim_duration off{};    ///< of that clock, less the one of its timers, which the fact carries
  bool by_wall = false;  ///< deadlines travel as instants
  std::optional<sim_duration> left{};  ///< of the lease, as its holder reads it when it offers
  std::string_view manager = "the lease manager";  ///< which of them was asked, where there are two
  bool raises_fence = false;                       ///< a grant does, at the ledger
  /// What becomes of the leases that a lease manager had when it crashed.
  scenario::after_restart memory = scenario::after_restart::forgotten;
};

/// Of a lease, at the lease manager: it does not say at which one, where there are two.
[[nodiscard]] bool is_of_lease_manager(const events::fact& f);

/// As one tells it, without time and place: `accepts the offer of ride 17`.
[[nodiscard]] std::string describe(const events::event& e, const clock_reading& by = {});

/// Not of a call whose consequence is a fact of its own: asking for a lease, and hearing a yes.
[[nodiscard]] bool is_notable(const events::fact& f);

}  // namespace dibs::history
