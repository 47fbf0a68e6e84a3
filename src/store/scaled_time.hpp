/// Between the time of a live run and that of a store: a run at `--speed 100` has a lease of 15 s
/// stand for 150 ms in the store, and what the store's clock reads becomes a time of the run.
///
/// A store decides some time before its answer arrives. The two clocks are set against each other
/// by the fastest answer so far: a moment of the store becomes one that is later than the truth by
/// as long as that answer was on its way, and never earlier. So no refusal of an expired lease
/// seems to come before the expiry. A store whose clock is set back by more than a second is
/// followed.
#pragma once

#include "base/time.hpp"
#include "lease/commands.hpp"
#include "store/terms.hpp"

#include <optional>

namespace dibs::store {

class scaled_time {
 public:
  /// `speed`: time of the run passes so many times as fast as the store's.
  explicit scaled_time(double speed) : speed_(speed) {}

  [[nodiscard]] sim_duration to_store(sim_duration of_run) const;
  [[nodiscard]] terms to_store(terms of_run) const;
  [[nodiscard]] lease::any_command to_store(lease::any_command c) const;

  /// An answer has come at a time of the run at which the store's clock had read `clock`.
  void note(sim_time came, local_time clock);
  /// The moment of the run at which the store's clock reads this. Requires: a noted answer.
  [[nodiscard]] sim_time to_run(local_time of_store) const;
  /// The outcome with its times as nanoseconds of the run, in the place of the store's.
  [[nodiscard]] lease::any_outcome to_run(lease::any_outcome o) const;

 private:
  double speed_;
  std::optional<sim_duration> ahead_;  ///< of the store's clock, of the run divided by its speed
};

}  // namespace dibs::store
