/// What `--help` prints. Man pages (cli/man_pages.hpp) are made from the same source.
#pragma once

#include "cli/help_pages.hpp"

#include <string>
#include <string_view>

namespace dibs::cli {

/// Requires: there is such a command; "" is dibs itself.
[[nodiscard]] const page& page_of(std::string_view command);

/// What the page says below the options: its rest, and then its exit codes, if it tells any.
[[nodiscard]] std::string below_options(const page& p);

/// One line, the three commonest uses, the options, and then what else there is to know, in lines
/// of at most `width` columns. `program` is what the user typed to start dibs.
[[nodiscard]] std::string help_text(const std::string& command,
                                    const std::string& program,
                                    int width);

/// Whether a line of a page is a command to type.
[[nodiscard]] bool is_command_line(std::string_view line);

}  // namespace dibs::cli
