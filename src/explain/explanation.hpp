/// Explains one harm, ride, driver or lease: who did what and when, by true and by local time,
/// which messages crossed, from when on the harm was unavoidable, and what would have prevented it.
///
/// Built from events alone: it says nothing that no event says.
#pragma once

#include "base/result.hpp"
#include "explain/harm.hpp"
#include "explain/point_of_no_return.hpp"
#include "explain/root_cause.hpp"
#include "history/message_in_flight.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace dibs::explain {

/// As people count them, from 1.
struct harm_number {
  std::uint32_t value = 1;
};

using subject = std::variant<harm_number, ride_id, driver_id, token_id>;

/// `breach 1`, `ride 17`, `driver 4`, `lease 4711`. Errors: another word, no number.
[[nodiscard]] result<subject> subject_of(const std::string& kind, const std::string& number);

/// The subject that says most of a run: its first broken promise; else its headline harm
/// (`results/headline_harm.hpp`); else a ride that was given up without a driver. Where the run has
/// none of these, it is `breach 1`, which does not exist.
[[nodiscard]] subject most_telling(const history::indexed_run& c);

/// As people ask for it: `breach 1`.
[[nodiscard]] std::string words_of(const subject& s);

/// `decided` is marked where it is not known from when on the harm was unavoidable.
enum class step_mark : std::uint8_t { none, decided, unavoidable, harm };

struct timeline_step {
  sim_time t{};
  local_time local{};
  node_id where;
  std::string what;  ///< the predicate; the name of `where` is its subject
  step_mark is = step_mark::none;
  std::uint32_t times = 1;  ///< how often the step is repeated, with only routine in between
  sim_time last{};          ///< time of the last repetition
  bool is_event = true;     ///< else nothing happened here, and the step only explains a mark
  bool is_routine = false;  ///< such as a renewal, or a node that goes down or comes up
  bool is_loss = false;     ///< a message is lost here
  bool is_harm = false;     ///< the harm of the explanation comes true here
  bool makes_harm = false;  ///< the harm may come true here: a lease ends, a write is judged, ...
  std::size_t skipped = 0;  ///< steps that are left out just before it
};

struct explanation {
  std::string headline;
  std::string besides;  ///< what else befell the driver or the run, which the headline leaves out
  std::vector<timeline_step> steps;
  std::size_t left_out = 0;  ///< steps beyond the limit, those after the last one too
  std::vector<metrics::try_index> tries;
  std::vector<history::message_in_flight> messages;
  std::vector<std::string> crossings;
  std::optional<explain::harm> harm;
  std::optional<root_cause> learnt;
  std::optional<point_of_no_return> turn;  ///< the point of no return, if it was searched
  bool by_wall = false;                    ///< nodes read deadlines off their wall clocks
  time_interval span;                      ///< the time that a drawing should show

  /// From when on the harm was unavoidable. Nothing if it could not have been avoided before.
  [[nodiscard]] std::optional<sim_time> unavoidable() const {
    return turn && turn->last_avoidable && turn->by == inconclusive_reason::none
               ? turn->first_unavoidable
               : std::nullopt;
  }
  [[nodiscard]] std::optional<sim_time> decided() const {
    return learnt ? learnt->decided : std::nullopt;
  }
};

struct explanation_options {
  time_interval within{sim_time::min(), sim_time::max()};
  std::size_t steps_max = 80;
  /// Searches the point of no return of a harm. Nothing if it is not to be searched.
  std::function<std::optional<point_of_no_return>(const harm&)> find_turn{};
  /// Tests instants before a point of no return at which nothing happens, and notes if they
  /// disagree.
  std::function<void(const harm&, point_of_no_return&)> look_before{};
};

/// Errors (exit 2): there is no such breach, ride, driver or lease.
[[nodiscard]] result<explanation> explanation_of(const history::indexed_run& c,
                                                 const subject& s,
                                                 const explanation_options& how);

}  // namespace dibs::explain
