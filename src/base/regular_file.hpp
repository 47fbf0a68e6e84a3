/// Whether a path leads to a file at all: whoever reads a pipe, a device or a socket may wait for
/// ever, and a folder has nothing to read. Asked before anything is opened; opens nothing.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <optional>
#include <string>

namespace dibs {

/// "expected a file (got a pipe)"; nothing for a regular file.
[[nodiscard]] std::optional<std::string> objection_to_mode(mode_t mode);

/// Why there is no regular file at the path, if there is none; symbolic links are followed.
[[nodiscard]] std::optional<std::string> objection_to_file(const std::filesystem::path& path);

}  // namespace dibs
