/// What the outcomes of the survival table say, and their signs in pictures and pages.
#pragma once

#include <array>
#include <string_view>

namespace dibs::report {

struct outcome_sign {
  std::string_view outcome;  ///< as `incidents::name_of`
  std::string_view sign;
  std::string_view says;
};

/// From the worst to the best.
inline constexpr std::array outcome_signs{
    outcome_sign{"breaks",
                 "\u2717",
                 "a harm that no trip should see, or that the incident names, is worse with the "
                 "cause"},
    outcome_sign{"degrades", "~", "only service is worse"},
    outcome_sign{
        "undecided", "?", "something looks worse, and the runs are too few to tell it from chance"},
    outcome_sign{"survives", "\u2713", "nothing is worse"},
    outcome_sign{"untouched", "\u2013", "does not apply: the cause touches nothing there"}};

/// Of a name that no outcome has: of `undecided`.
[[nodiscard]] constexpr const outcome_sign& sign_of_outcome(std::string_view name) {
  for (const outcome_sign& each : outcome_signs) {
    if (each.outcome == name) {
      return each;
    }
  }
  return outcome_signs[2];
}

}  // namespace dibs::report
