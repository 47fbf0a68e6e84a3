/// Man pages of the commands, from the source of `--help`: the grammar, and what cli/help_pages.hpp
/// says beside it.
#pragma once

#include "commands/requests.hpp"

#include <string>

namespace dibs::cli {

/// In roff, as man(7) has it. Requires: there is such a command; "" is dibs itself.
[[nodiscard]] std::string man_page(const std::string& command);

/// Writes all man pages into a folder and returns the exit code.
[[nodiscard]] int man_pages(const commands::man_request& r);

}  // namespace dibs::cli
