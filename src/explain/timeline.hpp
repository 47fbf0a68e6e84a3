/// The steps of an explanation: which events belong to it, and which of them are marked.
#pragma once

#include "explain/explanation.hpp"

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace dibs::explain {

/// What a story is about.
struct timeline_scope {
  std::set<std::pair<token_id, driver_id>> tries;
  std::set<std::pair<token_id, driver_id>>
      newer;                ///< tries that overtook one of these, in its time
  std::set<ride_id> rides;  ///< what they do themselves: ask, leave, are picked up
  ride_id all_of_ride;      ///< everything that names it
  driver_id all_of_driver;
  std::set<node_id> nodes;                  ///< whose faults matter
  sim_time faults_until = sim_time::max();  ///< what goes wrong with them later made nothing of it
  std::set<const events::event*>
      singled;  ///< facts that name none of these: of their zones, of others
  time_interval when{sim_time::max(), sim_time::min()};
  /// Whatever befalls its rides, drivers and nodes then belongs to it, in whichever try.
  time_interval decisive{};
  const events::event* harm = nullptr;  ///< in which its harm came true, if it is known
  /// When its harm was decided: what happens in that millisecond is told for itself.
  std::optional<sim_time> decided{};

  void widen(sim_time t) {
    if (t != never) {
      when.begin = std::min(when.begin, t);
      when.end = std::max(when.end, t + 1ns);
    }
  }
};

/// The try belongs to the story, with who took part and with its time.
void add_try(const history::indexed_run& c, metrics::try_index i, timeline_scope& p);

/// The yes of another driver, whom its ride was offered to at the same time, if that made it vain.
void add_rival_yes(const history::indexed_run& c, const metrics::try_record& t, timeline_scope& p);

/// Whether anything that is worth telling befalls its rides, drivers or nodes then.
[[nodiscard]] bool has_event(const history::indexed_run& c,
                             const timeline_scope& p,
                             const time_interval& when);

/// What belongs to the story, in order; the same thing again and again is told once.
[[nodiscard]] std::vector<timeline_step> steps_of(const history::indexed_run& c,
                                                  const timeline_scope& p,
                                                  const explanation_options& how);

/// The first step of exactly that instant; null if there is none.
[[nodiscard]] timeline_step* step_at(std::vector<timeline_step>& steps, sim_time t);

/// Marks the step of that millisecond: the last one, before it one that may make a harm, or of what
/// decided a harm the first, since where nothing takes any time the harm itself follows in it.
/// Where nothing happened just then a step of its own says what the mark means. With a kind of node
/// only its steps will do.
void set_mark(std::vector<timeline_step>& steps,
              sim_time t,
              step_mark is,
              const std::string& meaning,
              std::optional<node_kind> of = {});

}  // namespace dibs::explain
