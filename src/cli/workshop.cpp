#include "cli/workshop.hpp"

#include "cli/commands.hpp"
#include "cli/memory.hpp"
#include "cli/output.hpp"
#include "cli/stop.hpp"
#include "engine/run.hpp"

#include <unistd.h>

#include <algorithm>

namespace dibs::cli {

study::experiment workshop::experiment(const std::vector<std::string>& metrics) {
  return study::experiment_in(space_, stock_, metrics, [this](std::size_t tasks) {
    clear();
    watcher_ = std::make_unique<watcher>(
        how_.quiet, static_cast<std::uint32_t>(std::min<std::size_t>(tasks, UINT32_MAX)));
    study::runner_options how;
    how.jobs = how_.jobs;
    how.stop = stop_flag();
    how.on_progress = watcher_->callback();
    how.replay_line = [this](const study::point& at, std::uint64_t seed) {
      return study::replay_line(space_.plan(), program_, at, seed);
    };
    return how;
  });
}

void workshop::say(const std::string& what) {
  clear();
  if (!how_.quiet && ::isatty(STDERR_FILENO) != 0) {
    tell("dibs: " + what + "\n");
  }
}

int refuse(const study::planning_error& problem) {
  tell(problem.complaints);
  const int code =
      problem.why.text.empty() ? static_cast<int>(problem.why.code) : fail(problem.why);
  const auto stopped = stopped_by();
  return stopped ? static_cast<int>(*stopped) : code;
}

result<void> check_room(const study::space& s, std::uint32_t jobs) {
  const auto& points = s.plan().points;
  const auto last = study::scenario_of(s.plan(), points.back().what).value;
  const std::uint64_t needed = engine::memory_estimate(last);
  const bool too_much = needed > UINT64_MAX / jobs;
  return check_memory(too_much ? UINT64_MAX : needed * jobs, memory_available());
}

}  // namespace dibs::cli
