/// What each value of a search costs, as a table for a terminal, and which of them trade one harm
/// for the other.
#pragma once

#include "text/terminal.hpp"
#include "tune/tuning_result.hpp"

#include <string>

namespace dibs::study {

/// How much worse a row is than the best one, with its interval.
[[nodiscard]] std::string regret_of(const row& r,
                                    const tuning& t,
                                    metrics::unit objective,
                                    const report::look& l);

/// A row for each value, and what its signs mean. `chosen`: the search whose fields and objective
/// these are, which is `t` itself or had no part in it.
[[nodiscard]] std::string table_of_values(const tuning& t,
                                          const tuning& chosen,
                                          const report::look& l);

/// With its title; empty where there is nothing to trade.
[[nodiscard]] std::string trade_off_of(const tuning& t, const report::look& l);

}  // namespace dibs::study
