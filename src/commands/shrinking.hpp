/// Makes one scenario small, for the commands that have found one, and tells what is left.
#pragma once

#include "base/result.hpp"
#include "commands/harm_oracle.hpp"
#include "scenario/read.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dibs::commands {

struct shrinking {
  std::string file;
  std::vector<scenario::override_value> overrides;
  wanted_harm harm;
  std::uint64_t seed = 1;
  double seconds = 0;              ///< at most
  std::optional<std::string> out;  ///< a file for the scenario; else it is shown in the test
  bool quiet = false;
};

struct shrunk_scenario {
  std::string text;                    ///< what is left, how it comes about, and a test to paste
  std::optional<error> not_written{};  ///< why its file was not written: `text` has all of it then
};

/// Interrupted, it is the smallest so far. Errors: the scenario as it is does no such harm with the
/// seed (exit 7); a place where no file can be written, found out before anything is run.
[[nodiscard]] result<shrunk_scenario> shrunk_text(const shrinking& what,
                                                  const std::string& program);

}  // namespace dibs::commands
