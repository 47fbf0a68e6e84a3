/// What is wrong with a file of somebody's own in which no column can be told: a sentence, with
/// what to do about it.
#pragma once

#include "scenario/file_sample.hpp"

#include <string>

namespace dibs::scenario {

/// Of its text: no header line, another separator, line end or encoding. Empty if nothing is.
[[nodiscard]] std::string fault_of_form(const file_sample& s);

/// Of the values in columns that a time, a place (`latitude`) may stand in. Empty if nothing is.
[[nodiscard]] std::string fault_of_values(const file_sample& s, column_kind kind);

}  // namespace dibs::scenario
