#include "commands/run_over_nodes.hpp"

#include "commands/build_info.hpp"
#include "commands/console.hpp"
#include "commands/real_run_directory.hpp"
#include "commands/stop_signal.hpp"
#include "events/observer.hpp"
#include "processes/as_faults.hpp"
#include "results/manifest.hpp"
#include "scenario/read.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

#include <utility>

namespace dibs::commands {
namespace {

class event_list final : public events::observer {
 public:
  void observe(std::span<const events::event> batch) override {
    all_.insert(all_.end(), batch.begin(), batch.end());
  }
  [[nodiscard]] const std::vector<events::event>& all() const { return all_; }

 private:
  std::vector<events::event> all_;
};

/// What does the like again, once as many nodes join.
std::string command_of(const run_request& r) {
  std::string command = "run " + text::shell_word(r.file);
  for (const scenario::override_value& o : r.overrides) {
    command += " --set " + text::shell_word(o.path + "=" + o.value);
  }
  command += fmt::format(" --live --speed {:g} --nodes {}", r.speed, r.nodes);
  for (const std::string& who : r.place) {
    command += " --place " + text::shell_word(who);
  }
  return command;
}

result<void> keep(const run_request& r,
                  const results::run_results& a,
                  const ended_run& ended,
                  const std::vector<events::event>& history) {
  scenario::scenario s = a.scenario;
  for (sim::fault& f : processes::as_faults(ended.nodes, *ended.who, s)) {
    s.faults.push_back(std::move(f));
  }
  const engine::run_result& run = ended.live.run;
  return keep_real_run(*r.out,
                       {.scenario = s,
                        .real_case = processes::kept_as,
                        .command = command_of(r),
                        .events = history,
                        .end = run.reached,
                        .judged_by = engine::live_checkers_options_of(s, a.seed),
                        .wall_s = run.wall_s,
                        .interrupted = run.interrupted},
                       a.program);
}

}  // namespace

result<ended_run> run_over_nodes(const run_request& r,
                                 const results::run_results& a,
                                 engine::run_options how,
                                 const engine::live_options& live) {
  auto who = processes::placement::read(r.place, r.nodes);
  if (!who) {
    return tl::unexpected<error>(who.error());
  }
  event_list history;
  if (r.out) {
    how.observers.push_back(&history);
  }
  const auto say = [quiet = r.quiet](const std::string& what) {
    if (!quiet) {
      print_diagnostics("dibs: " + what + "\n");
    }
  };
  auto ran = processes::run_as_host(a.scenario,
                                    how,
                                    live,
                                    {.where = r.meeting,
                                     .who = *who,
                                     .build = results::words_of(this_build()),
                                     .scenario = scenario::dump(a.scenario),
                                     .seed = a.seed,
                                     .speed = r.speed,
                                     .wait_s = r.join_max_s,
                                     .rejoin_s = r.rejoin_s,
                                     .stop = stop_flag(),
                                     .say = say});
  if (!ran) {
    return tl::unexpected<error>(ran.error());
  }
  ended_run ended{std::move(ran->live), std::move(ran->accounts), std::move(*who)};
  if (r.out) {
    ended.kept = keep(r, a, ended, history.all());
  }
  return ended;
}

}  // namespace dibs::commands
