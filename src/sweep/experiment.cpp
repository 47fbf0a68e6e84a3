#include "sweep/experiment.hpp"

#include "base/ensure.hpp"

#include <algorithm>
#include <utility>

namespace dibs::sweep {
namespace {

constexpr std::uint32_t block_size = 1'000'000;

/// Of what was there before, if anything was, only what is among these too.
void keep_common(std::optional<std::vector<std::string>>& all,
                 const std::vector<std::string>& these) {
  if (!all) {
    all = these;
  }
  std::erase_if(*all,
                [&](const auto& each) { return std::ranges::find(these, each) == these.end(); });
}

}  // namespace

std::uint64_t seed_of(std::uint64_t root, seed_block b, std::size_t k) {
  ensure(k < block_size, "no two blocks have a seed in common");
  return engine::seed_of(
      root, static_cast<std::uint32_t>(b) * block_size + static_cast<std::uint32_t>(k));
}

metric_sums sums_of(const results::metric_sample& m) {
  if (m.per) {
    return {*m.over, *m.per};
  }
  return m.value ? metric_sums{*m.value, 1, m.values} : metric_sums{};
}

run_sample observed_of(const engine::run_result& r, const std::vector<std::string>& metrics) {
  run_sample o;
  const results::run_values values = results::values_of(r.metrics);
  for (const std::string& name : metrics) {
    o.figures.push_back(sums_of(results::measure_of(name, r.metrics, values)));
  }
  o.violations = r.checks.violation_count;
  o.violation = results::violation_of(r);
  o.history = r.history;
  o.stuck = r.stuck.has_value();
  o.idle_faults = r.idle_faults;
  return o;
}

experiment::experiment(std::uint64_t root, budget limits, batch_runner run)
    : root_(root), limits_(std::move(limits)), run_(std::move(run)) {}

std::uint64_t experiment::left() const {
  const std::uint64_t all = left_with_held();
  return all - std::min(all, limits_.held_back);
}

std::uint64_t experiment::left_with_held() const {
  const std::uint64_t runs = limits_.runs - std::min(runs_, limits_.runs);
  if (!limits_.seconds) {
    return runs;
  }
  if (is_time_up()) {
    return 0;
  }
  if (runs_ == 0 || busy_s_ <= 0) {
    return runs;
  }
  const double pace = static_cast<double>(runs_) / busy_s_;
  constexpr double most = 1e15;
  const double in_time = std::min(pace * (*limits_.seconds - limits_.elapsed()), most);
  return std::min(runs, static_cast<std::uint64_t>(in_time));
}

bool experiment::is_time_up() const {
  return limits_.seconds && limits_.elapsed() >= *limits_.seconds;
}

result<bool> experiment::extend(std::span<const std::uint32_t> points,
                                seed_block b,
                                std::size_t n,
                                std::uint64_t reserve) {
  const auto which = static_cast<std::size_t>(b);
  std::vector<task> tasks;
  std::vector<sample*> places;
  std::vector<std::size_t> nth;
  for (const std::uint32_t point : points) {
    std::vector<sample>& samples = records_[point].blocks[which];
    const std::size_t have = samples.size();
    for (std::size_t k = have; k < n; ++k) {
      tasks.push_back({point, seed_of(root_, b, k)});
    }
  }
  const std::uint64_t left_now = left();
  if (tasks.size() > left_now || left_now - tasks.size() < reserve) {
    return tasks.empty();
  }
  for (const std::uint32_t point : points) {
    std::vector<sample>& samples = records_[point].blocks[which];
    const std::size_t have = samples.size();
    samples.resize(std::max(have, n));
    records_[point].histories[which].resize(samples.size());
    for (std::size_t k = have; k < n; ++k) {
      places.push_back(&samples[k]);
      nth.push_back(k);
    }
  }
  const double begun = limits_.seconds ? limits_.elapsed() : 0;
  std::vector<bool> done(tasks.size(), false);
  auto ran = run_(tasks, [&](std::size_t i, run_sample o) {
    *places[i] = std::move(o.figures);
    records_[tasks[i].point].histories[which][nth[i]] = std::move(o.history);
    done[i] = true;
    ++runs_;
    keep_common(records_[tasks[i].point].idle_faults, o.idle_faults);
    auto& broken = records_[tasks[i].point].broken;
    const std::size_t seed = which * block_size + nth[i];
    if (o.violations > 0 && (!broken || seed < broken->nth)) {
      broken = broken_promise{seed, tasks[i].seed, std::move(o.violation)};
    }
    if (auto& stuck = records_[tasks[i].point].stuck; o.stuck) {
      const std::uint64_t before = stuck ? stuck->count : 0;
      stuck = stuck && stuck->nth < seed ? *stuck : stuck_runs{0, seed, tasks[i].seed};
      stuck->count = before + 1;
    }
    return !is_time_up();
  });
  busy_s_ += limits_.seconds ? limits_.elapsed() - begun : 0;
  bool whole = true;
  for (std::size_t i = tasks.size(); i-- > 0;) {
    if (!done[i]) {
      whole = false;
      records_[tasks[i].point].blocks[which].resize(nth[i]);
      records_[tasks[i].point].histories[which].resize(nth[i]);
    }
  }
  return ran ? result<bool>(whole) : tl::unexpected<error>(ran.error());
}

std::span<const sample> experiment::of(std::uint32_t point, seed_block b) const {
  const auto known = records_.find(point);
  return known == records_.end() ? std::span<const sample>()
                                 : known->second.blocks[static_cast<std::size_t>(b)];
}

std::span<const std::string> experiment::histories_of(std::uint32_t point, seed_block b) const {
  const auto known = records_.find(point);
  return known == records_.end() ? std::span<const std::string>()
                                 : known->second.histories[static_cast<std::size_t>(b)];
}

const broken_promise* experiment::broken(std::uint32_t point) const {
  const auto known = records_.find(point);
  return known != records_.end() && known->second.broken ? &*known->second.broken : nullptr;
}

std::vector<std::string> experiment::idle_faults(std::uint32_t point) const {
  const auto known = records_.find(point);
  return known == records_.end() ? std::vector<std::string>()
                                 : known->second.idle_faults.value_or(std::vector<std::string>());
}

const stuck_runs* experiment::stuck(std::uint32_t point) const {
  const auto known = records_.find(point);
  return known != records_.end() && known->second.stuck ? &*known->second.stuck : nullptr;
}

}  // namespace dibs::sweep
