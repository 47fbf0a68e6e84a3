/// The metrics that a search shows of each value, and those that rule one out.
#pragma once

#include <array>
#include <string_view>

namespace dibs::sweep {

/// The harms and services that people see of each value.
struct shown_metric {
  std::string_view metric;
  std::string_view title;
};
inline constexpr std::array shown_metrics{shown_metric{"accepts.missed_rate", "missed"},
                                          shown_metric{"supply.hidden_share", "hidden"},
                                          shown_metric{"rides.match_rate", "matched"},
                                          shown_metric{"ttm.p95", "ttm p95"}};

/// What no value may do, whatever its protocol promises: the harms that a lease is there against.
/// Counts of a run.
struct forbidden_metric {
  std::string_view metric;
  std::string_view what;
};
inline constexpr std::array forbidden_metrics{
    forbidden_metric{"double.commits", "drivers on 2 trips"},
    forbidden_metric{"double.rides", "rides with 2 drivers"},
    forbidden_metric{"promises.broken", "broken promises to riders"}};

}  // namespace dibs::sweep
