/// `series.csv`: supply and demand over time, one row for each step of each replication.
#pragma once

#include "results/run_results.hpp"

#include <string>

namespace dibs::results {

[[nodiscard]] std::string series_csv(const run_results& a);

}  // namespace dibs::results
