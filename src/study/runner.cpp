#include "study/runner.hpp"

#include "engine/prepared.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace dibs::study {
namespace {

struct task {
  std::uint32_t point = 1;
  std::uint32_t replication = 1;
};

/// What a thread needs for the runs of one point.
struct station {
  std::uint32_t point = 0;
  scenario::scenario scenario;
  std::optional<engine::prepared> shared;
};

class crew {
 public:
  crew(const plan& p,
       std::vector<task> tasks,
       const runner_options& how,
       const std::function<result<void>(const run_record&)>& keep)
      : plan_(p), tasks_(std::move(tasks)), how_(how), keep_(keep), shares_(tasks_.size()) {}

  result<void> work_all() {
    {
      std::vector<std::jthread> workers;
      for (std::size_t i = 1; i < std::min<std::size_t>(how_.jobs, tasks_.size()); ++i) {
        workers.emplace_back([this] { work(); });
      }
      work();
    }
    return failed_ ? result<void>(tl::unexpected<error>(*failed_)) : result<void>();
  }

 private:
  [[nodiscard]] bool is_stopped() const {
    return over_.load() || (how_.stop != nullptr && how_.stop->load());
  }

  void work() {
    station here;
    for (std::size_t i = next_++; i < tasks_.size() && !is_stopped(); i = next_++) {
      const auto done = one(i, here);
      if (!done) {
        const std::lock_guard lock(mutex_);
        failed_ = failed_ ? failed_ : std::optional(done.error());
        over_ = true;
      }
    }
  }

  result<void> one(std::size_t i, station& here) {
    const task& t = tasks_[i];
    const planned_point& at = plan_.points[t.point - 1];
    if (auto ready = move_to(t.point, here); !ready) {
      return ready;
    }
    engine::run_options options;
    options.seed = engine::seed_of(plan_.seed, t.replication - 1);
    options.stop = how_.stop;
    options.on_progress = progress_of(i);
    if (how_.replay_line) {
      options.replay_line = [this, &at](std::uint64_t seed) {
        return how_.replay_line(at.what, seed);
      };
    }
    const auto ran = engine::run(here.scenario, *here.shared, options);
    if (!ran) {
      return tl::unexpected<error>(ran.error());
    }
    if (ran->interrupted) {
      return {};
    }
    run_record record = record_of(*ran);
    record.point = t.point;
    record.replication = t.replication;
    record.scenario_hash = at.hash;
    if (options.on_progress) {
      options.on_progress({here.scenario.ends(), here.scenario.ends(), ran->events});
    }
    const std::lock_guard lock(mutex_);
    return over_.load() ? result<void>() : keep_(record);
  }

  result<void> move_to(std::uint32_t point, station& here) {
    if (here.point == point) {
      return {};
    }
    here.scenario = scenario_of(plan_, plan_.points[point - 1].what).value;
    auto shared = engine::prepare(here.scenario);
    if (!shared) {
      return tl::unexpected<error>(shared.error());
    }
    here.shared = std::move(*shared);
    here.point = point;
    return {};
  }

  /// All runs together, each as one second however long it is: their times could not be added up
  /// in 64 bits.
  std::function<void(const engine::progress&)> progress_of(std::size_t i) {
    if (!how_.on_progress) {
      return {};
    }
    return [this, i](const engine::progress& p) {
      const std::lock_guard lock(mutex_);
      if (tasks_.size() == 1) {
        how_.on_progress(p);
        return;
      }
      const double ends = in_seconds(p.ends);
      const double share = ends > 0 ? std::clamp(in_seconds(p.reached) / ends, 0.0, 1.0) : 1;
      sum_.share += share - shares_[i].share;
      sum_.events += p.events - shares_[i].events;
      shares_[i] = {share, p.events};
      const auto runs = static_cast<std::int64_t>(tasks_.size());
      how_.on_progress(
          {at(std::chrono::duration_cast<sim_duration>(std::chrono::duration<double>(sum_.share))),
           at(1s * runs),
           sum_.events});
    };
  }

  struct part {
    double share = 0;
    std::uint64_t events = 0;
  };

  const plan& plan_;
  std::vector<task> tasks_;
  const runner_options& how_;
  const std::function<result<void>(const run_record&)>& keep_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> over_{false};
  std::mutex mutex_;
  std::optional<error> failed_;
  std::vector<part> shares_;
  part sum_;
};

}  // namespace

result<void> run_rest(const plan& p,
                      const std::set<std::pair<std::uint32_t, std::uint32_t>>& finished,
                      const runner_options& how,
                      const std::function<result<void>(const run_record&)>& keep) {
  std::vector<task> tasks;
  for (std::uint32_t point = 1; point <= p.points.size(); ++point) {
    for (std::uint32_t k = 1; k <= p.seeds; ++k) {
      if (!finished.contains({point, k})) {
        tasks.push_back({point, k});
      }
    }
  }
  if (tasks.empty()) {
    return {};
  }
  return crew(p, std::move(tasks), how, keep).work_all();
}

}  // namespace dibs::study
