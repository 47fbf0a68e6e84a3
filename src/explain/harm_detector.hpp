/// Detects a harm of one run in another run of the same scenario and seed, which is free of faults
/// from some instant on or changed by a remedy.
///
/// Two harms are the same if their kind and ride are the same; two broken promises, if their driver
/// is. A ride with two drivers and a driver with two rides are different harms. A lost accept is
/// the same if the same driver gives it. While the ride has no driver, another driver's lost accept
/// counts as well, unless the first run had lost that one too. A ride that hidden drivers block has
/// to wait at least half as long, and a lease that hides a driver has to hide one for two thirds as
/// long.
#pragma once

#include "base/time.hpp"
#include "checkers/run_checker.hpp"
#include "events/observer.hpp"
#include "explain/harm.hpp"
#include "history/indexed_run.hpp"
#include "metrics/metrics.hpp"
#include "metrics/run_tables.hpp"
#include "metrics/worst_harms.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace dibs::explain {

class harm_detector final : public events::observer {
 public:
  struct options {
    sim_time until{};  ///< ignores later events, and asks the run to stop then
    /// What befalls the ride counts from here on, as in the run itself; or from the beginning,
    /// where another scenario moves the harm, or it is none that the run counts.
    sim_time from{};
    const std::atomic<bool>* stopped = nullptr;
  };

  /// `s`: the scenario of the run that is observed.
  harm_detector(const history::indexed_run& c,
                const harm& b,
                const scenario::scenario& s,
                const options& how);

  void observe(std::span<const events::event> batch) override;

  /// For `engine::run_options`.
  [[nodiscard]] const std::atomic<bool>* stop() const { return &stop_; }

  /// Whether the harm was found. Call it once, at the end of the run.
  [[nodiscard]] bool found();

  /// How long the longest harm of its kind was, as bad as that of the run or not; see `found`.
  [[nodiscard]] sim_duration longest() const { return longest_; }

 private:
  struct promise_watch {
    explicit promise_watch(const checkers::options& what) : judges(what) {}

    checkers::run_checker judges;
    std::vector<events::event> seen;
  };

  /// Every trip, for rides and drivers that had two at once.
  struct trip_watch {
    explicit trip_watch(const metrics::options& what)
        : window{what.measured_from, what.measured_until}, tries(what, none) {}

    time_interval window;
    metrics::worst_harms none;
    metrics::run_tables tries;
  };

  /// Every yes to the ride, for `worst_harms` keep the worst few harms alone.
  struct accept_watch {
    explicit accept_watch(const metrics::options& what) : tries(what, none) {}

    metrics::worst_harms none;
    metrics::run_tables tries;
    std::set<token_id> came_second;  ///< refused because the ride had a driver
    std::set<driver_id> known;       ///< others whose yes the run lost as well
    driver_id whose;
  };

  void observe_yes(const events::event& e);
  [[nodiscard]] bool saw_the_promise_broken();
  [[nodiscard]] bool saw_a_yes_lost();
  [[nodiscard]] bool saw_two_trips();

  const harm harm_;
  const options how_;
  std::atomic<bool> stop_{false};
  sim_duration longest_{};
  std::optional<metrics::collector> harms_;
  std::unique_ptr<accept_watch> yes_;
  std::unique_ptr<trip_watch> trips_;
  std::unique_ptr<promise_watch> promises_;
};

}  // namespace dibs::explain
