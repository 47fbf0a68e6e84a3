// dibs-bench: what `dibs bench` starts, with the same arguments.

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

int start(const std::vector<std::string>& arguments) {
  const auto what = parse(arguments);
  if (!what) {
    return fail(what.error());
  }
  const auto* asked = std::get_if<bench_request>(&*what);
  if (asked == nullptr) {
    return fail({exit_code::usage, "dibs-bench is started by dibs bench"});
  }
  take_large_pages();
  keep_standard_streams();
  watch_signals();
  return bench(*asked);
}

}  // namespace
}  // namespace dibs::cli

int main(int count, char** words) {
  return dibs::cli::begin(
      count, words, [](const auto&, const auto& arguments) { return dibs::cli::start(arguments); });
}
