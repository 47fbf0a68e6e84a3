/// The share of a survival table's cells that were decided.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace dibs::report {

/// For each protocol, in the order of the first row's cells, in how many of the incidents it
/// breaks: `0 of 1 decided, 1 undecided, 2 do not apply`. Requires: rows as `dibs survive --format
/// json` prints them, at least one.
[[nodiscard]] std::vector<std::string> breaks_in(const nlohmann::ordered_json& rows);

}  // namespace dibs::report
