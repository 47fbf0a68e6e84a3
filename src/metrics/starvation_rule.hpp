/// The rule that says which riders were blocked, one slice of time after the other.
///
/// What always holds: a lease that is over and did not become a trip never does (`converted` is set
/// while it is live, or not at all), and a spell that is open ends no earlier than the last event.
/// So once a slice and its leases are over, its answer never changes. Slices lie on one grid, from
/// the begin of the window on.
#pragma once

#include "base/point.hpp"
#include "base/time.hpp"
#include "base/time_interval.hpp"
#include "metrics/rides.hpp"
#include "metrics/spell_index.hpp"
#include "metrics/spells.hpp"
#include "metrics/starvation.hpp"
#include "metrics/tries.hpp"
#include "metrics/waiting_riders.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace dibs::metrics {

/// What is joined. A ride that waits has no live lease itself: every lease is another's.
struct starvation_inputs {
  const spell_log<wait_spell>& waits;
  const spell_log<spell>& available;
  const spell_log<spell>& held;
  const ride_list& rides;
  const try_table& tries;
};

/// The story outlives it.
[[nodiscard]] starvation_inputs starvation_inputs_of(const run_tables& told);

class starvation_evaluator {
 public:
  /// What `all` names outlives it.
  starvation_evaluator(const starvation_inputs& all,
                       const time_interval& window,
                       std::optional<double> radius_m);

  // Each in the order of their begin.
  void add_wait(std::uint32_t number) { waits_.push_back({.number = number}); }
  void add_available(std::uint32_t number) { available_.add(number); }
  void add_held(std::uint32_t number) { held_.add(number); }

  /// The slice that is judged next; empty after the last one.
  [[nodiscard]] const time_interval& slice() const { return slice_; }
  /// Requires: it is not empty, all that begins before its end was added, and of each lease that
  /// held somebody before its end it is known what became of it.
  void judge_slice();
  /// The window ends by then.
  void end_by(sim_time t);

  [[nodiscard]] const starvation& found() const { return found_; }

  /// Lets the story go of what will not be looked at again. `now`: all that began before it was
  /// added. Requires: it is the story that is judged, and it is followed.
  void free_over(sim_time now, run_tables& told);

 private:
  struct waiting {
    std::uint32_t number = 0;
    /// A guess, the spell to look at first: one in which somebody near was available lasts many
    /// slices. It is asked whether it covers the slice, and may by now be any other.
    std::uint32_t free_by = 0;
  };

  struct answer {
    starvation_share in_vain;
    starvation_share any;
  };

  void set_slice(sim_time begin);
  void judge(waiting& who, const time_interval& part);
  [[nodiscard]] answer starved(waiting& who, const time_interval& part, const point& origin);
  /// When nobody near was available; false if somebody always was.
  bool find_bare(waiting& who, const time_interval& part, const point& origin);

  /// Puts aside those of the waits that are over by then.
  template <class Waits>
  void put_aside_over(Waits& waits, sim_time t);

  starvation_inputs all_;
  time_interval window_;
  time_interval slice_;
  spell_index available_;
  spell_index held_;
  std::deque<waiting> waits_;             ///< that had not begun in the last slice
  std::size_t full_ = 64;                 ///< with so many it is looked which of them are over
  std::vector<waiting> open_;             ///< begun, and not over in the last slice
  std::vector<std::uint32_t> put_aside_;  ///< waits that are over
  starvation found_;
  sim_duration longest_{};

  // Of the ride that is judged, in order of time once they are united.
  std::vector<time_interval> free_;
  std::vector<time_interval> bare_;
  std::vector<time_interval> by_vain_;
  std::vector<time_interval> by_any_;
};

}  // namespace dibs::metrics
