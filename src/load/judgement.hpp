/// By what a lease service is judged: only what its callers asked and were told counts, so L, and
/// S4 as far as holders know when they work. S5 tells nothing here: a token that is given twice is
/// another lease on record, and breaks L.
///
/// A service promises that a resource has one lease at a time, for as long as was asked for, that
/// tokens grow, and that a lease that is over, or was released, leaves it free. It knows nothing of
/// what holders do. They work while they know by their own clocks that their lease stands.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"
#include "checkers/run_checker.hpp"
#include "load/holding.hpp"
#include "scenario/scenario.hpp"

#include <cstdint>
#include <string>

namespace dibs::load {

/// What the manifest of a kept run calls it, in place of a case of torment.
inline constexpr const char* kept_as = "load";

/// Shorter leases say more of the machine than of a service.
inline constexpr sim_duration ttl_min{20ms};
inline constexpr sim_duration ttl_max{24h};

/// Errors (exit code 3): leases of this scenario are too short at this speed, too long, or without
/// an end.
[[nodiscard]] result<sim_duration> ttl_of(const scenario::scenario& s, double speed);

/// `drivers`: resources.
[[nodiscard]] checkers::options checkers_options_of(sim_duration ttl, std::uint32_t drivers);
[[nodiscard]] holding_terms holding_terms_of(sim_duration ttl);

struct kept_load {
  std::string name;  ///< of the scenario whose demand it was
  std::uint64_t seed = 0;
  sim_duration length{};
  sim_duration ttl{};
  std::uint32_t drivers = 0;
  std::uint32_t matchers = 0;
};

/// The load as a scenario: what a kept run needs to be explained and drawn. It is not to be run.
[[nodiscard]] scenario::scenario scenario_of(const kept_load& k);

}  // namespace dibs::load
