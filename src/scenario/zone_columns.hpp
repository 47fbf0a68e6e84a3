/// A file with the middles of the zones that a file of requests names: which of its columns hold
/// these, and which the ids.
#pragma once

#include "base/result.hpp"
#include "scenario/file_sample.hpp"
#include "scenario/request_file.hpp"
#include "world/zones.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace dibs::scenario {

/// Of a file of requests, the columns that may name zones, each with a value.
[[nodiscard]] std::vector<std::string> columns_like_zones(const file_sample& s);

/// Errors (exit 3): it cannot be read, or has no such columns.
[[nodiscard]] result<world::zone_file> look_at_zones(const std::filesystem::path& path,
                                                     const std::filesystem::path& requests_path,
                                                     const file_sample& requests);

/// Says which zones stand there twice, with middles far apart: the first counts. `zones`: with its
/// folder.
void doubt_zones(const world::zone_file& zones, request_file& found);

}  // namespace dibs::scenario
