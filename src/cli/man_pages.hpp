/// Man pages of the commands, from the source of `--help`: the grammar, and what cli/help_pages.hpp
/// says beside it.
#pragma once

#include <string>

namespace dibs::cli {

/// In roff, as man(7) has it. Requires: there is such a command; "" is dibs itself.
[[nodiscard]] std::string man_page(const std::string& command);

}  // namespace dibs::cli
