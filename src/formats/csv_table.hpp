/// Every table that dibs writes as CSV: its columns with their units, and what they mean.
///
/// Who writes one takes its first line from here, and `scenarios/FORMATS.md` is printed from here,
/// so neither can say what the other does not.
#pragma once

#include "text/table.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::formats {

enum class holds : std::uint8_t { text, whole, number, truth };

/// `whole number`.
[[nodiscard]] std::string_view name_of(holds what);

/// What one entry of a table's list stands for.
enum class stands_for : std::uint8_t {
  itself,
  estimate,  ///< three columns: the figure, and `low_95` and `high_95` of its interval
  fields,    ///< those of the scenario that are varied, see `field_columns`
  metrics,   ///< all of the catalogue, see `metric_column`
};

struct csv_column {
  std::string_view name;  ///< `<field>` and `<metric>` for those that a table has many of
  holds what{};
  std::string_view unit;  ///< `s`; empty for a number without one, and for all else
  std::string_view meaning;
  stands_for is = stands_for::itself;
};

struct csv_table {
  std::string_view name;     ///< a file, or what the table is of
  std::string_view command;  ///< that writes it
  std::string_view row;      ///< what a row is
  std::span<const csv_column> columns;
};

extern const csv_table series_table;      ///< supply and demand over time
extern const csv_table points_table;      ///< the runs of a sweep
extern const csv_table summary_table;     ///< the figures of a sweep
extern const csv_table run_table;         ///< the figures of a run
extern const csv_table runs_table;        ///< the figures of several
extern const csv_table comparison_table;  ///< what differs between two sets of runs
extern const csv_table tuning_table;      ///< the values among which was chosen
extern const csv_table region_table;      ///< where everything holds
extern const csv_table survival_table;    ///< incidents and protocols
[[nodiscard]] std::span<const csv_table* const> csv_tables();

/// `ttm.p95_s`: a metric as the name of a column. Most have no unit, or end with it already.
[[nodiscard]] std::string metric_column(std::string_view metric);

/// The columns of a table; those of the varied fields are `fields`.
[[nodiscard]] std::vector<text::column> columns_of(const csv_table& t,
                                                   const std::vector<text::column>& fields = {},
                                                   std::span<const std::string> metrics = {});

}  // namespace dibs::formats
