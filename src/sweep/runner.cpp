#include "sweep/runner.hpp"

#include "sweep/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace dibs::sweep {
namespace {

using keeper = std::function<result<void>(std::size_t, const engine::run_result&)>;

result<std::shared_ptr<const station>> station_of(const plan& p, std::uint32_t point) {
  station fresh{scenario_of(p, p.points[point - 1].what).value, {}};
  auto shared = engine::prepare(fresh.scenario);
  if (!shared) {
    return tl::unexpected<error>(shared.error());
  }
  fresh.shared = std::move(*shared);
  return std::make_shared<const station>(std::move(fresh));
}

class crew {
 public:
  crew(const plan& p,
       std::span<const task> tasks,
       const runner_options& how,
       scenario_cache* kept,
       const keeper& keep)
      : plan_(p), tasks_(tasks), how_(how), stock_(kept), keep_(keep), shares_(tasks.size()) {}

  result<void> work_all() {
    {
      std::vector<std::jthread> workers;
      for (std::size_t i = 1; i < std::min<std::size_t>(how_.jobs, tasks_.size()); ++i) {
        workers.emplace_back([this] { work(); });
      }
      work();
    }
    if (failed_) {
      return tl::unexpected<error>(*failed_);
    }
    return broken_ == 0 ? result<void>() : tl::unexpected<error>(broken_runs());
  }

 private:
  /// Where a thread is: at the station of one point.
  struct desk {
    std::uint32_t point = 0;
    std::shared_ptr<const station> at;
  };

  [[nodiscard]] bool is_stopped() const {
    return over_.load() || (how_.stop != nullptr && how_.stop->load());
  }

  void work() {
    desk here;
    for (std::size_t i = next_++; i < tasks_.size() && !is_stopped(); i = next_++) {
      const auto done = one(i, here);
      if (!done) {
        const std::lock_guard lock(mutex_);
        failed_ = failed_ ? failed_ : std::optional(done.error());
        over_ = true;
      }
    }
  }

  result<void> one(std::size_t i, desk& here) {
    const task& t = tasks_[i];
    if (auto ready = move_to(t.point, here); !ready) {
      return ready;
    }
    const scenario::scenario& s = here.at->scenario;
    engine::run_options options;
    options.seed = t.seed;
    options.stop = how_.stop;
    options.on_progress = progress_of(i);
    if (how_.replay_line) {
      options.replay_line = [this, &t](std::uint64_t seed) {
        return how_.replay_line(plan_.points[t.point - 1].what, seed);
      };
    }
    const auto ran = engine::run(s, here.at->shared, options);
    if (!ran) {
      return note(t, ran.error());
    }
    if (ran->interrupted) {
      return {};
    }
    if (options.on_progress) {
      options.on_progress({s.ends(), s.ends(), ran->events});
    }
    const std::lock_guard lock(mutex_);
    return over_.load() ? result<void>() : keep_(i, *ran);
  }

  /// A run that breaks off says nothing about the others: they go on.
  result<void> note(const task& t, const error& why) {
    const std::lock_guard lock(mutex_);
    if (broken_++ == 0 || t.point < first_broken_) {
      first_broken_ = t.point;
      first_why_ = why;
    }
    return {};
  }

  [[nodiscard]] error broken_runs() const {
    const std::string label = label_of(plan_.points[first_broken_ - 1].what);
    return {
        first_why_.code,
        fmt::format("{} of {} runs broke off, the others are done; the first, at point {}{}: {}",
                    broken_,
                    tasks_.size(),
                    first_broken_,
                    label.empty() ? "" : " (" + label + ")",
                    first_why_.text)};
  }

  result<void> move_to(std::uint32_t point, desk& here) {
    if (here.point == point) {
      return {};
    }
    auto at = stock_ != nullptr ? stock_->of(plan_, point) : station_of(plan_, point);
    if (!at) {
      return tl::unexpected<error>(at.error());
    }
    here = {point, std::move(*at)};
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
  std::span<const task> tasks_;
  const runner_options& how_;
  scenario_cache* stock_;
  const keeper& keep_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> over_{false};
  std::mutex mutex_;
  std::optional<error> failed_;  ///< ends the study
  std::size_t broken_ = 0;       ///< runs that broke off
  std::uint32_t first_broken_ = 0;
  error first_why_;
  std::vector<part> shares_;
  part sum_;
};

}  // namespace

result<std::shared_ptr<const station>> scenario_cache::of(const plan& p, std::uint32_t point) {
  const std::lock_guard lock(mutex_);
  if (const auto known = stations_.find(point); known != stations_.end()) {
    return known->second;
  }
  auto fresh = station_of(p, point);
  if (!fresh) {
    return fresh;
  }
  return stations_.emplace(point, std::move(*fresh)).first->second;
}

result<void> run_tasks(const plan& p,
                       std::span<const task> tasks,
                       const runner_options& how,
                       scenario_cache* kept,
                       const keeper& keep) {
  return tasks.empty() ? result<void>() : crew(p, tasks, how, kept, keep).work_all();
}

result<void> run_rest(const plan& p,
                      std::span<const std::uint32_t> wanted,
                      const std::set<std::pair<std::uint32_t, std::uint32_t>>& finished,
                      const runner_options& how,
                      const std::function<result<void>(const results::run_record&)>& keep) {
  std::vector<task> tasks;
  std::vector<std::uint32_t> replications;
  for (std::uint32_t point = 1; point <= p.points.size(); ++point) {
    for (std::uint32_t k = 1; k <= wanted[point - 1]; ++k) {
      if (!finished.contains({point, k})) {
        tasks.push_back({point, engine::seed_of(p.seed, k - 1)});
        replications.push_back(k);
      }
    }
  }
  return run_tasks(
      p, tasks, how, nullptr, [&](std::size_t i, const engine::run_result& ran) -> result<void> {
        results::run_record record = results::record_of(ran);
        record.point = tasks[i].point;
        record.replication = replications[i];
        record.scenario_hash = p.points[tasks[i].point - 1].hash;
        return keep(record);
      });
}

}  // namespace dibs::sweep
