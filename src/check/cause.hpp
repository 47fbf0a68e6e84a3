/// What an incident does, told apart: what happens around the leases, and what the rules of the
/// design get wrong. Pure.
///
/// A shipped incident is a scenario with its cause and the same one without. What both have in
/// common, such as messages that get lost while a rule is tried, is part of the environment too:
/// it is what the cause needs in order to do harm.
#pragma once

#include "incidents/incident_runs.hpp"
#include "scenario/scenario.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace dibs::check {

/// What may befall any design. Times are those of the incident's own scenario.
struct environment {
  std::vector<scenario::fault> faults;
  std::vector<scenario::clock_error> clocks;
  /// Those that lose, double or hold up messages; with a latency only if it is what holds them up.
  std::vector<scenario::link_options> links;
  std::optional<sim_duration> view_lag;  ///< of more than a second
  std::optional<distribution> answers;   ///< how long drivers take, where that is the cause
};

/// A field of the design with the value that does harm, and with a sound one.
struct rule_flaw {
  std::string path;  ///< `lease.cleanup.kind`; `timers` for those of the lease manager's clock
  std::string wrong;
  std::string right;
};

struct cause {
  std::string name;      ///< of the incident
  std::string sentence;  ///< what the cause is
  std::filesystem::path file;
  std::vector<std::string> harms;  ///< that the incident names
  environment with;
  environment without;
  scenario::scenario told;               ///< the incident as it ships, for its length and rules
  scenario::scenario told_without;       ///< without its cause
  std::vector<std::string> wrong_rules;  ///< paths of the design that `without` sets right

  [[nodiscard]] bool is_of_rules() const { return !wrong_rules.empty(); }
  /// Whether it is the TTL itself that is wrong.
  [[nodiscard]] bool is_of_ttl() const;
};

/// Path of the rule on which of its clocks the lease manager measures time.
inline constexpr const char* manager_timers = "timers";

[[nodiscard]] cause cause_of(const incidents::incident& what);

}  // namespace dibs::check
