/// What each value of a search costs, as a table for a terminal, and which of them trade one harm
/// for the other.
#pragma once

#include "text/terminal.hpp"
#include "tune/tuning_result.hpp"

#include <string>
#include <vector>

namespace dibs::report {

/// How much worse a row is than the best one, with its interval.
[[nodiscard]] std::string regret_of(const tune::row& r,
                                    const tune::tuning& t,
                                    text::unit objective,
                                    const text::terminal_style& l);

/// A row for each value, and what its signs mean. `chosen`: the search whose fields and
/// objective these are, which is `t` itself or had no part in it. `metrics`: the columns; if empty,
/// `sweep::shown_metrics`.
[[nodiscard]] std::string table_of_values(const tune::tuning& t,
                                          const tune::tuning& chosen,
                                          const std::vector<std::string>& metrics,
                                          const text::terminal_style& l);

/// With its title; empty where there is nothing to trade.
[[nodiscard]] std::string trade_off_of(const tune::tuning& t, const text::terminal_style& l);

}  // namespace dibs::report
