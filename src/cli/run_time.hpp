/// Times of a run on the command line.
#pragma once

#include "base/time.hpp"
#include "text/quantity.hpp"

#include <string>

namespace dibs::cli {

/// Reads a time since the start of a run: a duration (`1893s`), several from the large to the small
/// (`31m33s`), or as the stories and pages print it (`31:33.500`, `1:02:03`).
/// Errors: those of text::read_duration, and parts that are out of range or out of order.
[[nodiscard]] text::parse_result<sim_duration> read_time_of_run(const std::string& text);

}  // namespace dibs::cli
