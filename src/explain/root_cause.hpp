/// The root cause of a harm: what decided it, and which features of a protocol may have prevented
/// it.
#pragma once

#include "explain/harm.hpp"
#include "explain/remedies.hpp"

#include <optional>
#include <string>
#include <vector>

namespace dibs::explain {

struct root_cause {
  /// When the last act or fault that caused the harm happened, as the events say; nothing if they
  /// do not. Branches of the run say when it became unavoidable (`point_of_no_return.hpp`).
  std::optional<sim_time> decided;
  std::string reason;  ///< a sentence
  /// The cause lasts: a clock that is wrong or a node that is out all along, so that no single act
  /// decided the harm.
  bool lasts = false;
  /// Made by a rule of the scenario that strikes again and again, whatever course the run takes.
  bool by_rule = false;
  /// How much of the time of the harm it took, where causes of the same harm are held against each
  /// other: the one that took most of it is named.
  sim_duration took{};
  std::string then{};            ///< what is due at `decided`, where no event says so
  std::vector<remedy> remedies;  ///< of the cause
  std::vector<remedy> further;   ///< others, tried where none of the cause helps
};

[[nodiscard]] root_cause root_cause_of(const history::indexed_run& c, const harm& b);

}  // namespace dibs::explain
