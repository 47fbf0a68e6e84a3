// dibs-serve, which `dibs serve` starts with its own words: it alone is linked to a server for
// HTTP.

#include "cli/parse.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/stop_signal.hpp"

#include <string>
#include <variant>
#include <vector>

namespace dibs::cli {
namespace {

int start(const std::vector<std::string>& arguments) {
  commands::keep_standard_streams();
  commands::watch_signals();
  const auto what = parse(arguments);
  if (!what) {
    return commands::fail(what.error());
  }
  const auto* asked = std::get_if<commands::serve_request>(&*what);
  return asked != nullptr
             ? commands::serve(*asked)
             : commands::fail({exit_code::usage, "dibs-serve is started by dibs serve"});
}

}  // namespace
}  // namespace dibs::cli

int main(int count, char** words) {
  return dibs::commands::begin(
      count, words, [](const auto&, const auto& arguments) { return dibs::cli::start(arguments); });
}
