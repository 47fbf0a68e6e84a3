/// Which columns of a file of requests say when a ride was asked for, when it began and when it
/// ended, by their names and by which of their times comes first.
#pragma once

#include "scenario/file_sample.hpp"
#include "scenario/request_file.hpp"
#include "world/zones.hpp"

#include <cstddef>
#include <optional>
#include <set>

namespace dibs::scenario {

struct ride_times {
  std::optional<std::size_t> time{};
  std::optional<std::size_t> from_time{};  ///< where it is another one, and the end is known
  std::optional<std::size_t> to_time{};
};

/// `dates`: columns of dates alone, which are no times. Adds what was ruled out, and why, to the
/// doubts of `found`.
[[nodiscard]] ride_times times_of_ride(const file_sample& s,
                                       const world::zone_map& zones,
                                       const std::set<std::size_t>& dates,
                                       request_file& found);

/// Whether a trip's end is rather an arrival at its pick-up: the trips take much longer by this
/// column of lengths. Requires: there is an end.
[[nodiscard]] bool ends_at_door(const file_sample& s, const ride_times& at, std::size_t length);

}  // namespace dibs::scenario
