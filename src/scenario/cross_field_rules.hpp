/// Rules over several fields, values that follow from other fields, and references between fields.
/// A rule makes no diagnostic where one of its fields could not be read.
#pragma once

#include "scenario/field_type.hpp"
#include "scenario/scenario.hpp"

#include <filesystem>
#include <string_view>

namespace dibs::scenario {

/// Names what was left unnamed: the scenario after its file, clocks and faults by number.
void complete(scenario& s, std::string_view file_name);

/// Complains about fields that contradict each other and about references to nothing.
void check_rules(reader& r, const scenario& s);

/// Finds the trace files: in `folder`, else in the folder `scenarios` beside it or beside one of
/// its parents. Sets `s.folder` to where they are, and `s.rows` to what is in them, which is read
/// unless `s.rows` has it. Complains about files, columns and rows that cannot be used.
void find_traces(reader& r, scenario& s, const std::filesystem::path& folder);

/// A rough count of the events of a run, of its outages, and of rows of the series; complains
/// beyond the budget.
inline constexpr double events_max = 1e10;
inline constexpr double series_rows_max = 1e6;
inline constexpr double outages_max = 1e7;  ///< all of them are planned before the run
void check_budget(reader& r, const scenario& s);

/// About how many rides are asked for, without those of traces. Matrices count if `s.rows` has
/// them.
[[nodiscard]] double expected_rides(const scenario& s);

}  // namespace dibs::scenario
