// dibs-serve, which `dibs serve` and `dibs explore` start with their own words: it alone is linked
// to a server for HTTP.

#include "base/memory.hpp"
#include "cli/parse.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/stop_signal.hpp"

#include <string>
#include <variant>
#include <vector>

namespace dibs::cli {
namespace {

int act(const commands::request& what, const std::string& program) {
  if (const auto* leases = std::get_if<commands::serve_request>(&what)) {
    return commands::serve(*leases);
  }
  if (const auto* points = std::get_if<commands::explore_request>(&what)) {
    return commands::explore_points(*points, program);
  }
  return commands::fail({exit_code::usage, "dibs-serve is started by dibs serve and dibs explore"});
}

int start(const std::string& program, const std::vector<std::string>& arguments) {
  const auto what = parse(arguments);
  if (what && std::holds_alternative<commands::explore_request>(*what)) {
    take_large_pages();
  }
  commands::keep_standard_streams();
  commands::watch_signals();
  return what ? act(*what, program) : commands::fail(what.error());
}

}  // namespace
}  // namespace dibs::cli

int main(int count, char** words) { return dibs::commands::begin(count, words, dibs::cli::start); }
