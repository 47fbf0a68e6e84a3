/// Hidden-supply starvation: rides that wait, with nobody available near them, while drivers near
/// them are held for other rides.
///
/// The outcome of a lease is known only when it is over, so who waits, who is available and who is
/// held is collected first and joined later: as soon as nothing can change it any more, or after
/// the run.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "metrics/interval.hpp"
#include "metrics/rides.hpp"
#include "metrics/spell_index.hpp"
#include "metrics/spells.hpp"
#include "metrics/tries.hpp"
#include "metrics/waiting.hpp"

#include <tsl/hopscotch_map.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace dibs::metrics {

class story;

/// What one ride went through.
struct hardship {
  sim_duration length{};
  sim_time since = never;
};

/// Of the rides that starved.
using hardships = tsl::hopscotch_map<ride_id, hardship, spread_hash>;

struct starvation {
  wide_ns total = 0;  ///< by leases that came to nothing
  wide_ns upper = 0;  ///< by any lease
  ride_id worst;      ///< that starved longest, if any did
  hardships by_ride;  ///< of `total`
};

/// Judges a stretch of time, slice by slice, from what it was told of.
class starvation_judge {
 public:
  /// What it joins. A ride that waits has no live lease itself: every lease is another's.
  struct evidence {
    const spell_log<wait_spell>& waits;
    const spell_log<spell>& available;
    const spell_log<spell>& held;
    const ride_list& rides;
    const try_table& tries;
  };

  /// What is told of it outlives it.
  starvation_judge(const evidence& all, const interval& window, std::optional<double> radius_m);

  // Each in the order of their begin.
  void add_wait(std::uint32_t number) { waits_.push_back(number); }
  void add_available(std::uint32_t number) { available_.add(number); }
  void add_held(std::uint32_t number) { held_.add(number); }

  /// The slice that is judged next; empty after the last one.
  [[nodiscard]] const interval& slice() const { return slice_; }
  /// Requires: it is not empty, and all that begins before its end was added.
  void judge_slice();
  /// The window ends by then.
  void end_by(sim_time t);

  [[nodiscard]] const starvation& found() const { return found_; }

  /// Lets go of what it will not look at again. `now`: until then all that begins was added.
  void free_over(sim_time now,
                 spell_log<wait_spell>& waits,
                 spell_log<spell>& available,
                 spell_log<spell>& held);

 private:
  struct answer {
    hardship in_vain;
    hardship any;
  };

  void set_slice(sim_time begin);
  void judge(ride_id r, const interval& part);
  [[nodiscard]] answer starved(const interval& wait, const point& origin);
  /// When nobody near was available; false if somebody always was.
  bool find_bare(const interval& wait, const point& origin);

  evidence all_;
  interval window_;
  interval slice_;
  spell_index available_;
  spell_index held_;
  std::deque<std::uint32_t> waits_;  ///< that had not begun in the last slice
  std::vector<std::uint32_t> open_;  ///< that were not over in the last slice
  std::vector<std::uint32_t> over_;
  starvation found_;
  sim_duration longest_{};

  // Of the ride that is judged, in order of time once they are united.
  std::vector<interval> free_;
  std::vector<interval> bare_;
  std::vector<interval> by_vain_;
  std::vector<interval> by_any_;
};

/// The whole window at once. Requires: nobody follows the story.
[[nodiscard]] starvation starve(const story& s,
                                const interval& window,
                                std::optional<double> radius_m);

/// Joins while the story goes on, and lets the story forget what is joined.
class starvation_follower {
 public:
  /// `told` outlives it.
  starvation_follower(story& told, const interval& window, std::optional<double> radius_m);

  /// The story has been told up to `now`.
  void follow(sim_time now) {
    if (now >= looks_again_) {
      look(now);
    }
  }

  /// Requires: the story is closed at `end`.
  [[nodiscard]] const starvation& finish(sim_time end);

 private:
  void look(sim_time now);
  void take_begun();
  /// Of all leases that held somebody before, it is known what became of them.
  [[nodiscard]] sim_time decided_until();

  struct holding {
    sim_time since{};
    try_index lease = no_try;
  };

  story& told_;
  starvation_judge judge_;
  std::deque<holding> holdings_;  ///< from the first whose lease is live on
  sim_time looks_again_{sim_time::min()};
};

}  // namespace dibs::metrics
