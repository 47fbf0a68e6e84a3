/// What the times and lengths of a file of requests tell, beside what their columns are called.
#pragma once

#include "base/time.hpp"
#include "scenario/file_sample.hpp"
#include "scenario/request_file.hpp"
#include "world/trace.hpp"
#include "world/trace_clock.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace dibs::scenario {

/// So few rows say nothing; and so large a part of them has to agree.
inline constexpr std::size_t gaps_min = 10;
inline constexpr double agreeing = 0.7;

/// A row and what its one time is after its other.
using time_gap = std::pair<std::size_t, sim_duration>;

/// How the trace will read the times of a column, and those of a second one.
[[nodiscard]] world::how_times_are how_times_in(const file_sample& s,
                                                std::size_t from,
                                                std::optional<std::size_t> to = {});

/// What the times of one column are after those of another, of the rows that have both.
[[nodiscard]] std::vector<time_gap> gaps_between(const file_sample& s,
                                                 std::size_t from,
                                                 std::size_t to);

/// Whether two times say that the lengths beside them count something else than seconds, so that
/// they are left to the times; then it is said.
[[nodiscard]] bool are_told_by_times(const file_sample& s,
                                     std::size_t length,
                                     std::size_t from,
                                     std::size_t to,
                                     request_file& found);

/// Whose values are dates alone, as 20150114: as numbers they would be times.
[[nodiscard]] std::set<std::size_t> columns_of_dates(const file_sample& s);

/// Of times without their date, the column in which it stands: without it all days would lie over
/// each other.
[[nodiscard]] std::optional<std::size_t> date_beside(const file_sample& s, std::size_t time);

/// Says which clock the times are of, where that may be none of the city's. Requires: `found` has
/// the busiest hours.
void look_at_clock(const file_sample& s, std::size_t time, request_file& found);

/// The busiest hours, and how many rides they have, of which length.
void look_at_hours(request_file& found, const world::trace& t);

}  // namespace dibs::scenario
