/// The causal story of one harm, ride, driver or lease: who did what when, by true and by local
/// time, which words crossed, from when on it was unavoidable, and what would have prevented it.
///
/// Built from events alone; nothing is told that no event says.
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

namespace dibs::show {

/// As people count them, from 1.
struct breach_number {
  std::uint32_t value = 1;
};

using subject = std::variant<breach_number, ride_id, driver_id, token_id>;

/// `breach 1`, `ride 17`, `driver 4`, `lease 4711`. Errors: another word, no number.
[[nodiscard]] result<subject> subject_of(const std::string& kind, const std::string& number);

/// What says most of a run: its first broken promise, the harm that tells most of it
/// (`results/headline_harm.hpp`), or where there is neither a ride that was given up without a
/// driver. Where there is none of these, it is the breach that is not there.
[[nodiscard]] subject most_telling(const chronicle& c);

/// As people ask for it: `breach 1`.
[[nodiscard]] std::string words_of(const subject& s);

/// `decided` is marked where it is not known from when on the harm was unavoidable.
enum class mark : std::uint8_t { none, decided, unavoidable, harm };

struct step {
  sim_time t{};
  local_time local{};
  node_id where;
  std::string what;  ///< goes after the name of `where`
  mark is = mark::none;
  std::uint32_t times = 1;  ///< the same again, with nothing but routine in between
  sim_time last{};          ///< of these
  bool is_event = true;     ///< else it only says what is marked: nothing happened just then
  bool is_routine = false;  ///< nodes go down and come up, leases are renewed
  bool makes_harm = false;  ///< a lease ends, a confirm or a write is judged, and so on
  std::size_t skipped = 0;  ///< steps that are left out just before it
};

struct tale {
  std::string headline;
  std::string besides;  ///< what else befell the driver or the run, which the headline leaves out
  std::vector<step> steps;
  std::size_t left_out = 0;  ///< steps beyond the limit, those after the last one too
  std::vector<metrics::try_index> tries;
  std::vector<flight> flights;
  std::vector<std::string> crossings;
  std::optional<breach> harm;
  std::optional<lesson> learnt;
  std::optional<turning> turn;  ///< of the harm, if it was looked for
  bool by_wall = false;         ///< own clocks are wall clocks, off which deadlines are read
  metrics::interval span;       ///< that a drawing of it should show

  /// From when on the harm was, if it could have been avoided before.
  [[nodiscard]] std::optional<sim_time> unavoidable() const {
    return turn && turn->spared && turn->by == chance::none ? turn->doomed : std::nullopt;
  }
  [[nodiscard]] std::optional<sim_time> decided() const {
    return learnt ? learnt->decided : std::nullopt;
  }
};

struct tale_options {
  metrics::interval within{sim_time::min(), sim_time::max()};
  std::size_t steps_max = 80;
  /// Looks for the turn of a harm, if it is to be told.
  std::function<std::optional<turning>(const breach&)> find_turn{};
  /// Looks whether branches before a turn at which nothing happens say otherwise, and notes it.
  std::function<void(const breach&, turning&)> look_before{};
};

/// Errors (exit 2): there is no such breach, ride, driver or lease.
[[nodiscard]] result<tale> tale_of(const chronicle& c, const subject& s, const tale_options& how);

}  // namespace dibs::show
