/// Faults as a page holds them: when each lay in force, and what each strike hit.
#pragma once

#include "history/indexed_run.hpp"
#include "pages/drawn_sample.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace dibs::pages {

/// A list of `fault_bands`.
[[nodiscard]] nlohmann::ordered_json fault_bands_json(const history::indexed_run& c);

/// A column each: `t` (ms since the one before), `what` (drop, delay, duplicate, error), `from` and
/// `to` (the kind of a node and 8 times its number, from 0), `message` (-1: none), `by` (ms) and
/// `ride` (-1: none). Those about rides that are drawn, and about none.
[[nodiscard]] std::string fault_injections_json(const history::indexed_run& c,
                                                const drawn_sample& kept);

/// How many there were in all, drawn or not, by what they are called.
[[nodiscard]] nlohmann::ordered_json fault_counts_json(const history::indexed_run& c);

}  // namespace dibs::pages
