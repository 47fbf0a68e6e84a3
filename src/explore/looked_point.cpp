#include "explore/looked_point.hpp"

#include "base/memory.hpp"

#include <utility>

namespace dibs::explore {

looked_point::looked_point(results::run_results so_far, engine::prepared_scenario shared)
    : all_(std::move(so_far)), shared_(std::move(shared)) {}

std::uint32_t looked_point::add(std::uint32_t k, engine::run_result run) {
  // Not shown here, and most of what a run takes in memory.
  run.metrics.series = {};
  const std::lock_guard lock(mutex_);
  ahead_.emplace(k, std::move(run));
  for (auto next = ahead_.begin(); next != ahead_.end() && next->first == all_.runs.size();
       next = ahead_.erase(next)) {
    all_.runs.push_back(std::move(next->second));
  }
  all_.runs_asked = static_cast<std::uint32_t>(all_.runs.size());
  return all_.runs_asked;
}

looked_point::words looked_point::told(const teller& tell, std::uint32_t seeds) {
  const std::lock_guard lock(mutex_);
  if (!is_over_ && (told_ == nullptr || told_runs_ != all_.runs.size())) {
    told_ = std::make_shared<const std::string>(tell(all_));
    told_runs_ = all_.runs.size();
  }
  if (told_runs_ >= seeds && !is_over_) {
    is_over_ = true;
    all_ = {};
    shared_ = {};
    give_back_memory();
  }
  return {told_, static_cast<std::uint32_t>(told_runs_)};
}

}  // namespace dibs::explore
