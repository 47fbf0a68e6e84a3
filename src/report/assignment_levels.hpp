/// The levels of double assignment, from an offer in conflict to a promise that was broken: how
/// often each was seen, and how often in 1,000 of its kind. The rows of the summary of a run, of
/// its table in Markdown and of its page.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <string>
#include <string_view>

namespace dibs::report {

struct assignment_level {
  std::string_view label;
  std::string_view seen;   ///< a metric that adds up
  std::string_view among;  ///< another; empty: it has no rate
  std::string_view rate;   ///< the metric whose interval is that of the rate; empty: of `seen`
  double per_1000 = 0;     ///< what one of `rate` is in 1,000
  bool if_seen = false;    ///< left out where it was not seen
};
inline constexpr std::array assignment_levels{
    assignment_level{
        "offers in conflict", "double.offers", "offers.sent", "double.offers_per_1000", 1},
    assignment_level{
        "accepts in conflict", "double.accepts", "accepts.in_time", "double.accepts_per_1000", 1},
    assignment_level{"drivers on 2 trips",
                     "double.commits",
                     "rides.committed",
                     "double.commits_per_million",
                     1e-3},
    assignment_level{"rides with 2 drivers", "double.rides", "rides.committed", ""},
    assignment_level{"late confirms taken", "confirms.stale_accepted", "", ""},
    assignment_level{"late writes taken", "writes.stale_taken", "", "", 0, true},
    assignment_level{
        "broken promises", "promises.broken", "promises.made", "promises.broken_rate", 1e3}};

/// In 1,000; where none was seen `< 1.15`, the most at 99.9 %; empty without a rate. `figures`: of
/// a `metrics.json`.
[[nodiscard]] std::string rate_of(const nlohmann::ordered_json& figures, const assignment_level& l);

/// Over how many runs the figures are.
[[nodiscard]] double runs_of(const nlohmann::ordered_json& figures);

}  // namespace dibs::report
