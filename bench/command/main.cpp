// dibs-bench: what `dibs bench` starts, with the same arguments.

#include "base/memory.hpp"
#include "bench/command/bench.hpp"
#include "cli/parse.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/stop_signal.hpp"

#include <string>
#include <variant>
#include <vector>

namespace dibs::bench {
namespace {

int start(const std::vector<std::string>& arguments) {
  const auto what = cli::parse(arguments);
  if (!what) {
    return commands::fail(what.error());
  }
  const auto* asked = std::get_if<commands::bench_request>(&*what);
  if (asked == nullptr) {
    return commands::fail({exit_code::usage, "dibs-bench is started by dibs bench"});
  }
  take_large_pages();
  commands::keep_standard_streams();
  commands::watch_signals();
  return run_benchmark(*asked);
}

}  // namespace
}  // namespace dibs::bench

int main(int count, char** words) {
  return dibs::commands::begin(count, words, [](const auto&, const auto& arguments) {
    return dibs::bench::start(arguments);
  });
}
