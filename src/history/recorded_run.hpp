/// One replication of a run as a whole: its scenario, its events, its metrics and its judgement.
///
/// Explanations and pages are folds over this, whether the events were kept or come from a
/// repetition of the run.
#pragma once

#include "base/time.hpp"
#include "base/time_interval.hpp"
#include "checkers/run_checker.hpp"
#include "events/observer.hpp"
#include "metrics/metrics.hpp"
#include "scenario/scenario.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace dibs::history {

struct recorded_run {
  scenario::scenario scenario;
  std::string command;  ///< that repeats the run, quoted for a shell; empty if unknown
  std::uint64_t seed = 0;
  bool is_real = false;  ///< on real servers: nothing repeats it
  std::vector<events::event> events;
  sim_time end{};      ///< of the run, not before the last event
  std::string digest;  ///< of the events, 16 hexadecimal digits
  metrics::report metrics;
  checkers::check_result checks;
};

/// The first event that tells of a `Fact` for which `fits(fact, t)` holds, or null.
template <class Fact, class Fits>
[[nodiscard]] const events::event* first_of(const recorded_run& h, Fits fits) {
  for (const events::event& e : h.events) {
    if (const auto* f = std::get_if<Fact>(&e.what); f != nullptr && fits(*f, e.t)) {
      return &e;
    }
  }
  return nullptr;
}

/// The last of them, or null.
template <class Fact, class Fits>
[[nodiscard]] const events::event* last_of(const recorded_run& h, Fits fits) {
  const events::event* last = nullptr;
  for (const events::event& e : h.events) {
    const auto* f = std::get_if<Fact>(&e.what);
    last = f != nullptr && fits(*f, e.t) ? &e : last;
  }
  return last;
}

/// When it happened; never for null.
[[nodiscard]] inline sim_time time_of(const events::event* e) {
  return e != nullptr ? e->t : never;
}

/// Keeps the first so many events, and then asks the run to stop.
class event_collector final : public events::observer {
 public:
  /// `stopped` asks from outside; may be null.
  event_collector(std::uint64_t events_max, const std::atomic<bool>* stopped);

  void observe(std::span<const events::event> batch) override;

  /// For `engine::run_options`.
  [[nodiscard]] const std::atomic<bool>* stop() const { return &stop_; }
  [[nodiscard]] std::vector<events::event> take() { return std::move(events_); }

 private:
  std::vector<events::event> events_;
  std::uint64_t left_;
  const std::atomic<bool>* stopped_;
  std::atomic<bool> stop_{false};
};

/// Measures and judges what was kept or repeated. `judged_by`: what the scenario says if absent; a
/// run on real servers is judged by less. Requires: the events are in order, and none is after
/// `end`.
[[nodiscard]] recorded_run history_of(scenario::scenario s,
                                      std::uint64_t seed,
                                      std::vector<events::event> all,
                                      sim_time end,
                                      const std::optional<checkers::options>& judged_by = {});

}  // namespace dibs::history
