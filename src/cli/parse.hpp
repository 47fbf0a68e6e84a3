/// Reads the command line. CLI11 is known to it, to `grammar` and to `options*`; its exceptions
/// stop here.
#pragma once

#include "base/result.hpp"
#include "commands/requests.hpp"

#include <string>
#include <vector>

namespace dibs::cli {

/// `arguments` without the program's name. Errors: what is wrong, with the nearest known word.
[[nodiscard]] result<commands::request> parse(const std::vector<std::string>& arguments);

/// A command with its options: for shell completion.
struct command_words {
  std::string name;
  std::string summary;
  std::vector<std::string> options;  ///< `--seed`, ...
};
[[nodiscard]] std::vector<command_words> words();

/// `42` or `0x2a`, all of 64 bits; nothing else.
[[nodiscard]] std::optional<std::uint64_t> parse_seed(const std::string& text);

}  // namespace dibs::cli
