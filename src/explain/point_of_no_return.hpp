/// The point of no return of a harm: from when on it was unavoidable.
///
/// It is found by branches: runs of the same scenario and seed that are free of faults from some
/// instant on (`engine::run_options::fault_free_from` says what that means). The latest instant at
/// which such a branch has no harm is the answer, to the millisecond.
///
/// A perfect network also speeds up messages that would have come too late to do harm. So the
/// search is done twice, the second time with ordinary delays, and the later answer counts.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"
#include "engine/prepared_scenario.hpp"
#include "explain/harm.hpp"
#include "history/indexed_run.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>

namespace dibs::explain {

/// Why the branches have no clear answer. Healing changes later events in small ways too, and a run
/// that took another course may miss a harm by chance.
enum class inconclusive_reason : std::uint8_t {
  none,
  before,   ///< healed from the beginning of its story on it happens, from that of the run it does
            ///< not
  mixed,    ///< some instants before or after the turn say otherwise: this alone is called chance
  courses,  ///< the same, of a harm that a rule makes on whichever course: this is no chance
  aside,    ///< nothing of its story happens near the turn
  rules,    ///< the same, before its first try: what goes wrong has no part in it
};

/// What a branch heals.
enum class healing_scope : std::uint8_t {
  everything,  ///< faults, and also delays of messages and the age of supply views
  faults,      ///< faults alone
};

/// The two lie a millisecond apart, where both are there, but for `inconclusive_reason::before`.
struct point_of_no_return {
  /// Healed from here on, the harm does not happen. Absent: it does even in a world in which
  /// nothing ever goes wrong.
  std::optional<sim_time> last_avoidable;
  /// Healed from here on, it happens all the same. Absent: until it happened it could be avoided.
  std::optional<sim_time> first_unavoidable;
  std::uint32_t runs = 0;
  inconclusive_reason by = inconclusive_reason::none;
  std::optional<sim_time> otherwise{};  ///< of `mixed`: healed from here on, it is the other way
  /// Of a ride that starved: since when. It happens if it does so for half as long, so the turn may
  /// lie after its beginning.
  std::optional<sim_time> since{};
  healing_scope by_healing = healing_scope::everything;
  /// Of a lease that hid a driver: it happens if one of its ride's does so for two thirds as long.
  bool is_by_length = false;
};

/// Whether the harm happens if all that is to be mended is healed from then on.
using branch_test = std::function<result<bool>(sim_time)>;

/// Goes back from the harm by 1 s, 2 s, 4 s, ..., until the harm does not happen, but not beyond
/// the beginning of its story, and halves what lies between down to a millisecond: 28 runs for an
/// hour. Then it looks whether instants between the turn and the harm agree.
[[nodiscard]] result<point_of_no_return> find_point_of_no_return(sim_time harm,
                                                                 const branch_test& happens,
                                                                 sim_time story_begin = {});

/// The later turn of the two ways to mend, where it is sure.
[[nodiscard]] result<point_of_no_return> latest_point_of_no_return(
    sim_time harm,
    const branch_test& with_everything_healed,
    const branch_test& with_faults_healed,
    sim_time story_begin = {});

/// Looks whether instants before a turn, from the beginning of the story on, agree with it. If one
/// does not, healing sends the run on another course each time, and the turn is `mixed`. Requires:
/// there is a turn.
void look_before(const branch_test& happens, sim_time story_begin, point_of_no_return& found);

/// Runs the scenario of a history again, on its seed, to see whether one of its breaches is there
/// again (`harm_detector.hpp`).
class branch_runs {
 public:
  /// All outlive it. Errors: demand that cannot be read.
  static result<branch_runs> of(const history::indexed_run& c,
                                const harm& b,
                                const std::atomic<bool>* stop = nullptr);

  /// Follows the branch for five minutes after a harm, to the end after a broken promise. Errors:
  /// the run's, or it was stopped.
  [[nodiscard]] result<bool> happens_if_healed_from(sim_time t, healing_scope what) const;

  [[nodiscard]] result<point_of_no_return> find_point_of_no_return() const;

  void look_before(point_of_no_return& found) const;

 private:
  branch_runs(const history::indexed_run& c,
              const harm& b,
              engine::prepared_scenario shared,
              const std::atomic<bool>* stop);

  const history::indexed_run& run_;
  const harm& harm_;
  engine::prepared_scenario shared_;
  const std::atomic<bool>* stop_;
};

}  // namespace dibs::explain
