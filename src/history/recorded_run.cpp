#include "history/recorded_run.hpp"

#include "engine/run.hpp"
#include "events/history_hash.hpp"

#include <algorithm>
#include <utility>

namespace dibs::history {

event_collector::event_collector(std::uint64_t events_max, const std::atomic<bool>* stopped)
    : left_(events_max), stopped_(stopped) {
  stop_ = left_ == 0;
}

void event_collector::observe(std::span<const events::event> batch) {
  const auto part =
      batch.first(static_cast<std::size_t>(std::min<std::uint64_t>(left_, batch.size())));
  events_.insert(events_.end(), part.begin(), part.end());
  left_ -= part.size();
  stop_ = left_ == 0 || (stopped_ != nullptr && stopped_->load());
}

recorded_run history_of(scenario::scenario s,
                        std::uint64_t seed,
                        std::vector<events::event> all,
                        sim_time end,
                        const std::optional<checkers::options>& judged_by) {
  recorded_run h;
  h.scenario = std::move(s);
  h.seed = seed;
  h.events = std::move(all);
  h.end = end;
  h.is_real = judged_by.has_value();
  events::history_hash hash;
  hash.observe(h.events);
  h.digest = hash.digest();
  h.metrics = metrics::recompute(h.events, engine::metrics_options_of(h.scenario), end);
  checkers::run_checker checker(judged_by ? *judged_by
                                          : engine::checkers_options_of(h.scenario, seed));
  checker.observe(h.events);
  h.checks = checker.finish(end);
  return h;
}

}  // namespace dibs::history
