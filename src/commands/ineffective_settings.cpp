#include "commands/ineffective_settings.hpp"

#include "commands/stop_signal.hpp"
#include "engine/run.hpp"
#include "scenario/field_needs.hpp"
#include "scenario/read.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>
#include <utility>

namespace dibs::commands {
namespace {

/// Of all runs that are done again, by what the runs themselves took: a fraction of a second.
constexpr std::uint64_t events_max = 500'000;

/// Stops a run that has recorded more than another one did: it is not the same.
class limit final : public events::observer {
 public:
  explicit limit(std::uint64_t facts) : left_(facts) {}

  void observe(std::span<const events::event> batch) override {
    stop_ = stop_ || batch.size() > left_ || stop_flag()->load();
    left_ -= std::min<std::uint64_t>(left_, batch.size());
  }

  [[nodiscard]] const std::atomic<bool>* stop() const { return &stop_; }

 private:
  std::uint64_t left_;
  std::atomic<bool> stop_{false};
};

/// The scenario without what was set at a path; nothing if that is none, or much larger.
std::optional<scenario::scenario> without(const run_request& r,
                                          const results::run_results& a,
                                          const std::string& path) {
  std::vector<scenario::override_value> others = a.overrides;
  std::erase_if(others, [&](const auto& o) { return o.path == path; });
  scenario::reading reading = scenario::read_file(r.file, others);
  if (!reading.ok()) {
    return std::nullopt;
  }
  reading.value.seed = a.seed;
  const bool is_large =
      engine::memory_estimate(reading.value) > 2 * engine::memory_estimate(a.scenario);
  return is_large ? std::nullopt : std::optional(std::move(reading.value));
}

std::uint64_t events_of(const results::run_results& a) {
  std::uint64_t n = 0;
  for (const engine::run_result& r : a.runs) {
    n += r.events;
  }
  return n;
}

bool is_same_run(const scenario::scenario& s, const engine::run_result& other) {
  limit enough(other.facts);
  engine::run_options how;
  how.seed = other.seed;
  how.stop = enough.stop();
  how.observers.push_back(&enough);
  const auto again = engine::run(s, how);
  return again && !again->interrupted && again->history == other.history;
}

}  // namespace

std::vector<std::string> sets_in_vain(const run_request& r, const results::run_results& a) {
  std::vector<std::string> sentences;
  if (a.interrupted() || a.runs.empty()) {
    return sentences;
  }
  const std::uint64_t done = events_of(a);
  std::uint64_t left = events_max;
  std::set<std::string> seen;
  for (const scenario::override_value& o : a.overrides) {
    if (done > left || !seen.insert(o.path).second || !scenario::is_of_runs(o.path) ||
        scenario::why_idle(a.scenario, o.path)) {
      continue;
    }
    const auto other = without(r, a, o.path);
    if (!other) {
      continue;
    }
    const std::string path = text::display_text(o.path, 200);
    if (scenario::dump(*other) == scenario::dump(a.scenario)) {
      sentences.push_back(path + " changed nothing: the scenario has this value without it");
      continue;
    }
    left -= done;
    if (std::ranges::all_of(a.runs, [&](const auto& run) { return is_same_run(*other, run); })) {
      sentences.push_back(fmt::format("{} changed nothing: {} the same without it",
                                      path,
                                      a.runs.size() == 1 ? "the run is" : "all runs are"));
    }
  }
  return sentences;
}

}  // namespace dibs::commands
