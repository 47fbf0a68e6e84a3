/// Puts the cause of an incident into another scenario. Pure, but for the reading of its data.
///
/// The environment of the incident is added to what the scenario has, on both sides of the
/// pair. A rule that the incident gets wrong is taken as the scenario has it: where that is as
/// wrong, the other side has it right; else one side gets it wrong, to see what it would do.
#pragma once

#include "check/cause.hpp"
#include "scenario/read.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dibs::check {

enum class origin : std::uint8_t {
  environment,  ///< it may befall any design
  own_rule,     ///< the scenario has the rule as wrong as the incident has it
  other_rule,   ///< it has not: this is what a change would do
};

/// Changes of the scenario, as `--set` takes them, and what becomes of it.
struct variant {
  std::vector<scenario::override_value> set;
  scenario::scenario value;
};

struct transplant {
  origin from{};
  variant with;
  variant without;
  /// What sets the wrong rule of the scenario right.
  std::vector<scenario::override_value> cure;
  std::string why_not;  ///< why it does not apply; then there are no variants
};

/// `times`: as long as so many times of the incident; as `scale_of` has it, but for a change of
/// `mine` that is to meet the same cause.
[[nodiscard]] transplant transplanted(const cause& c, const scenario::scenario& mine, double times);

/// `mine` with these changes. Errors: the first diagnostic, as a sentence.
[[nodiscard]] result<scenario::scenario> changed(const scenario::scenario& mine,
                                                 const std::vector<scenario::override_value>& set);

/// The second set after the first, which it may go back on.
[[nodiscard]] std::vector<scenario::override_value> joined(
    std::vector<scenario::override_value> first,
    const std::vector<scenario::override_value>& second);

/// Without what changes nothing of it.
[[nodiscard]] std::vector<scenario::override_value> effective(
    const scenario::scenario& mine, const std::vector<scenario::override_value>& set);

}  // namespace dibs::check
