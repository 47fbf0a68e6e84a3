/// Writes a page, a trace or a picture to the file that the user named, or to standard output.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace dibs::commands {

/// To `out` if the user said so (`-`: standard output), else to `standard`, else (if that is empty)
/// to standard output. A file is whole or not there; one that is there is replaced, for it can be
/// made again from its run. Returns the exit code.
[[nodiscard]] int write_report_file(std::string_view text,
                                    const std::filesystem::path& standard,
                                    const std::optional<std::string>& out);

}  // namespace dibs::commands
