// `dibs node`: takes part in a live run of another process.

#include "commands/build_info.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/stop_signal.hpp"
#include "processes/run.hpp"
#include "results/manifest.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"

#include <fmt/format.h>

namespace dibs::commands {
namespace {

double late_s(const stats::histogram& late, double speed) {
  return late.count() == 0 ? 0 : late.quantile(0.99) / speed;
}

std::string said_of(const processes::member_result& m) {
  std::string out = fmt::format(
      "node {} of {}: {} until {}; late by, in real time (p99): timers {}, messages {}\n",
      m.process,
      m.scenario,
      text::plural(m.events, "event"),
      text::duration(m.reached.time_since_epoch()),
      text::duration(late_s(m.late.timers, m.speed)),
      text::duration(late_s(m.late.messages, m.speed)));
  if (m.lost > 0) {
    out += fmt::format("{} found no way to the host\n", text::plural(m.lost, "message"));
  }
  if (m.is_ended_early) {
    out += "the host ended the run early\n";
  }
  return out;
}

}  // namespace

int join_run(const node_request& r) {
  const auto say = [quiet = r.quiet](const std::string& what) {
    if (!quiet) {
      print_diagnostics("dibs: " + what + "\n");
    }
  };
  const auto ran = processes::run_as_member({.host = r.host,
                                             .build = results::words_of(this_build()),
                                             .wait_s = r.wait_s,
                                             .stop = stop_flag(),
                                             .say = say},
                                            r.threads);
  if (stopped_by()) {
    return static_cast<int>(*stopped_by());
  }
  if (!ran) {
    return fail(ran.error());
  }
  return finish(r.quiet ? "" : said_of(*ran));
}

}  // namespace dibs::commands
