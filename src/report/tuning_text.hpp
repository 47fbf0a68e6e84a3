/// A search's result for people, and for programs.
#pragma once

#include "report/figure_choice.hpp"
#include "sweep/search_space.hpp"
#include "sweep/stuck_runs.hpp"
#include "text/terminal.hpp"
#include "tune/tuning_result.hpp"

#include <optional>
#include <string>
#include <vector>

namespace dibs::report {

struct tuning_account {
  std::string name;      ///< of the scenario
  std::string question;  ///< `lease.ttl=3s..60s`
  std::vector<sweep::derivation> implied;
  std::uint64_t seed = 0;
  std::string holdout_name;
  std::optional<tune::tuning> holdout;  ///< the same rows on other demand
  std::string replay;  ///< the command that repeats the first broken promise; or empty
  std::vector<sweep::stuck_point> stuck;  ///< on the other demand too
  double wall_s = 0;
  figure_choice shown{};
};

/// At most 100 columns. The trade-off, what was ruled out and how sure it all is are shown if all
/// is asked for.
[[nodiscard]] std::string text_of(const tune::tuning& t,
                                  const tuning_account& a,
                                  const text::terminal_style& l);

[[nodiscard]] std::string json_of(const tune::tuning& t, const tuning_account& a);

/// `found`, `boundary`, ...
[[nodiscard]] std::string_view name_of(tune::tuning_status a);

}  // namespace dibs::report
