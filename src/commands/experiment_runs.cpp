#include "commands/experiment_runs.hpp"

#include "commands/build_info.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/memory_check.hpp"
#include "commands/stop_signal.hpp"
#include "engine/run.hpp"
#include "sweep/grid.hpp"
#include "sweep/shared_runs.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::commands {
namespace {

/// The run that is expected to take the most memory.
struct largest_run {
  std::uint64_t bytes = 0;
  const sweep::planned_point* of = nullptr;
};

/// That of the plan. Of a grid that may be large the ends are looked at, where what is counted is
/// least and most, and the first points from either end that have a new value of a field, as long
/// as it is one of few.
largest_run largest_run_of(const sweep::plan& p) {
  constexpr std::size_t values_max = 8;
  largest_run most;
  const auto look_at_all = [&](auto from, auto to) {
    std::vector<std::set<std::string_view>> met(from->what.fields.size());
    for (auto at = from; at != to; ++at) {
      bool is_news = at == from;
      for (std::size_t i = 0; i < met.size(); ++i) {
        is_news = (met[i].size() < values_max && met[i].insert(at->what.fields[i].value).second) ||
                  is_news;
      }
      if (is_news) {
        const auto bytes = engine::memory_estimate(sweep::scenario_of(p, at->what).value);
        most = bytes > most.bytes ? largest_run{bytes, &*at} : most;
      }
    }
  };
  look_at_all(p.points.begin(), p.points.end());
  look_at_all(p.points.rbegin(), p.points.rend());
  return most;
}

}  // namespace

sweep::batch_runner experiment_runs::experiment(const std::vector<std::string>& metrics) {
  if (how_.journal != nullptr) {
    return shared_experiment(metrics);
  }
  return tune::experiment_in(space_, cache_, metrics, [this](std::size_t tasks) {
    clear();
    sweep::runner_options how;
    how.jobs = how_.jobs;
    how.stop = stop_flag();
    how.on_progress = progress_of(tasks);
    how.replay_line = [this](const sweep::point& at, std::uint64_t seed) {
      return sweep::replay_line(space_.plan(), program_, at, seed);
    };
    return how;
  });
}

sweep::batch_runner experiment_runs::shared_experiment(const std::vector<std::string>& metrics) {
  return [this, metrics](std::span<const sweep::task> tasks,
                         const sweep::observer& keep) -> result<void> {
    if (shared_ == nullptr) {
      auto opened = work::shared_study::open(
          *how_.journal, sweep::study_of(space_.plan(), metrics, this_build()), how_.decider);
      if (!opened) {
        return tl::unexpected<error>(opened.error());
      }
      shared_ = std::move(*opened);
    }
    return run_shared(tasks, metrics, keep);
  };
}

result<void> experiment_runs::run_shared(std::span<const sweep::task> tasks,
                                         const std::vector<std::string>& metrics,
                                         const sweep::observer& keep) {
  clear();
  const auto show = progress_of(tasks.size());
  std::vector<work::wanted_run> runs;
  for (const sweep::task& each : tasks) {
    runs.push_back({each.point - 1U, each.seed});
  }
  const auto take = [&](std::size_t i, const work::outcome& o) -> result<bool> {
    return keep(i, sweep::sample_of(o, metrics));
  };
  const auto count = [&](std::size_t done, std::uint64_t events) {
    if (show) {
      const auto instant = [](std::size_t n) { return at(1s * static_cast<std::int64_t>(n)); };
      show({instant(done), instant(tasks.size()), events});
    }
  };
  const auto ended = shared_->run(sweep::points_of(space_.plan()), runs, take, count);
  if (!ended) {
    return tl::unexpected<error>(ended.error());
  }
  return *ended == work::run_ending::stopped ? failure(exit_code::interrupted, "interrupted")
                                             : result<void>();
}

void experiment_runs::clear() {
  if (is_of_all()) {
    if (watcher_) {
      watcher_->clear();
    }
  } else {
    watcher_.reset();
  }
}

std::function<void(const engine::progress&)> experiment_runs::progress_of(std::size_t tasks) {
  const std::uint64_t all = is_of_all() ? how_.runs : tasks;
  if (!watcher_) {
    // Of a time it is shown how much of it has passed, as of a single run.
    watcher_ = std::make_unique<watcher>(
        how_.quiet,
        how_.seconds ? 1U : static_cast<std::uint32_t>(std::min<std::uint64_t>(all, UINT32_MAX)));
  }
  const auto show = watcher_->callback();
  if (!show || !is_of_all()) {
    return show;
  }
  const std::uint64_t before = std::exchange(done_, done_ + tasks);
  const std::uint64_t events_before = events_;
  return [this, show, tasks, all, before, events_before](const engine::progress& p) {
    events_ = events_before + p.events;
    const double part = in_seconds(p.reached) / std::max(in_seconds(p.ends), 1e-9);
    const double reached = how_.seconds
                               ? watch_.seconds()
                               : static_cast<double>(before) + part * static_cast<double>(tasks);
    const double ends = how_.seconds ? *how_.seconds : static_cast<double>(all);
    const auto instant = [](double s) {
      return at(sim_duration{static_cast<std::int64_t>(s * 1e9)});
    };
    show({instant(std::min(reached, ends)), instant(ends), events_});
  };
}

void experiment_runs::say(const std::string& what) {
  clear();
  if (!how_.quiet && ::isatty(STDERR_FILENO) != 0) {
    print_diagnostics("dibs: " + what + "\n");
  }
}

int refuse(const sweep::planning_error& problem) {
  print_diagnostics(problem.diagnostics);
  const int code =
      problem.why.text.empty() ? static_cast<int>(problem.why.code) : fail(problem.why);
  const auto stopped = stopped_by();
  return stopped ? static_cast<int>(*stopped) : code;
}

result<void> check_room(const sweep::plan& p, std::uint32_t jobs) {
  const auto [needed, of] = largest_run_of(p);
  const std::uint64_t at_a_time = std::clamp<std::uint64_t>(p.runs(), 1, jobs);
  const bool too_much = needed > UINT64_MAX / at_a_time;
  const std::string with =
      of == nullptr || of->what.fields.empty() ? "" : " with " + sweep::label_of(of->what);
  return check_memory(too_much ? UINT64_MAX : needed * at_a_time,
                      memory_available(),
                      at_a_time == 1 ? fmt::format("a run{} needs", with)
                                     : fmt::format("{} runs at a time{} need", at_a_time, with));
}

}  // namespace dibs::commands
