#include "processes/run.hpp"

#include "scenario/read.hpp"
#include "sim/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dibs::processes {
namespace {

/// Occasions are counted over the run, and no process sees them all.
result<void> check_faults(const scenario::scenario& s) {
  const auto waits = std::ranges::find_if(
      s.faults, [](const sim::fault& f) { return sim::trigger_of(f) != nullptr; });
  if (waits == s.faults.end()) {
    return {};
  }
  return failure(exit_code::invalid_input,
                 fmt::format("the fault {} waits for something to happen, and no node of several "
                             "sees all that happens; set faults=[] or run it without --nodes",
                             waits->id));
}

}  // namespace

result<host_result> run_as_host(const scenario::scenario& s,
                                const engine::run_options& how,
                                engine::live_options live,
                                host_options host) {
  if (const auto fit = check_faults(s); !fit) {
    return tl::unexpected(fit.error());
  }
  auto open = hub::open(std::move(host));
  if (!open) {
    return tl::unexpected(open.error());
  }
  live.others = open->get();
  auto ran = engine::run_live(s, how, live);
  if (!ran) {
    return tl::unexpected(ran.error());
  }
  if ((*open)->trouble()) {
    return tl::unexpected(*(*open)->trouble());
  }
  host_result all{std::move(*ran), (*open)->accounts()};
  for (const process_account& a : all.accounts) {
    all.live.run.events += a.handled;
    all.live.run.facts += a.facts;
  }
  return all;
}

result<member_result> run_as_member(member_options o, std::uint32_t threads) {
  engine::run_options how;
  how.stop = o.stop;
  how.observe = false;
  auto joined = member::join(std::move(o));
  if (!joined) {
    return tl::unexpected(joined.error());
  }
  member& self = **joined;
  const scenario::reading what =
      scenario::read_text(self.task().scenario, "the host's scenario", ".");
  if (!what.ok()) {
    return failure(exit_code::invalid_input, scenario::format(what.diagnostics.front()));
  }
  how.seed = self.task().seed;
  const auto ran = engine::run_live(
      what.value, how, {.speed = self.task().speed, .threads = threads, .others = &self});
  if (!ran) {
    return tl::unexpected(ran.error());
  }
  if (self.trouble()) {
    return tl::unexpected(*self.trouble());
  }
  return member_result{.process = self.task().process,
                       .scenario = what.value.name,
                       .reached = ran->run.reached,
                       .events = ran->run.events,
                       .lost = self.lost(),
                       .late = ran->late,
                       .speed = self.task().speed,
                       .is_ended_early = self.is_ended_early()};
}

}  // namespace dibs::processes
