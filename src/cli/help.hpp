/// What `--help` says beside the list of options: a sentence and examples for each command.
#pragma once

#include <string>
#include <string_view>

namespace dibs::cli {

/// What dibs is.
[[nodiscard]] std::string_view about_text();

/// One sentence about a command.
[[nodiscard]] std::string_view summary_of(std::string_view command);

/// Examples, exit codes and the like; "" is for dibs itself.
[[nodiscard]] std::string_view footer_of(std::string_view command);

/// `run, replay, ...`
[[nodiscard]] std::string all_commands();

}  // namespace dibs::cli
