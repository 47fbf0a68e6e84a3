/// The figures of a choice as its page prints them, beside the numbers that were read.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace dibs::pages {

/// `t` in each figure of `dibs tune --format json`; `texts` of what it was allowed to err by.
void add_tuning_texts(nlohmann::ordered_json& tuning);

/// `room_t` in each cell of `dibs region --format json`.
void add_region_texts(nlohmann::ordered_json& region);

/// `with_cause_t`, `without_t` and `difference_t` of what is worse in a cell of the survival table.
void add_survival_texts(nlohmann::ordered_json& rows);

}  // namespace dibs::pages
