/// Whether a file of somebody's own holds rates between places instead of requests, and how it says
/// them. A guess, as that of `request_file.hpp`.
#pragma once

#include "base/result.hpp"
#include "scenario/file_sample.hpp"
#include "scenario/request_file.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace dibs::scenario {

/// Nothing if it is no matrix. `few`: the rows by which columns are judged; `many`: those by which
/// the length of a period is. Adds what was taken for what to the findings of `found`, and why to
/// its doubts where that is not plain. Errors (exit 3): it counts rides, in a way that no matrix
/// has: without destinations, or with words for periods.
[[nodiscard]] result<std::optional<matrix_format>> matrix_in(const std::filesystem::path& path,
                                                             const file_sample& few,
                                                             const file_sample& many,
                                                             const world::zone_map& zones,
                                                             request_file& found);

/// Reads the rates of a file whose format and zones were found, and what follows from them. Errors:
/// as `world::read_matrix`.
[[nodiscard]] result<request_file> look_at_matrix(const std::filesystem::path& path,
                                                  request_file found);

/// Whether it would be one if its places were known.
[[nodiscard]] bool may_be_matrix(const file_sample& s);
[[nodiscard]] tl::unexpected<error> no_zones(const std::filesystem::path& path,
                                             const std::optional<std::filesystem::path>& zones);

}  // namespace dibs::scenario
