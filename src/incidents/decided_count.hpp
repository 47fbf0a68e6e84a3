/// How many incidents were decided under a protocol: a table in which nothing breaks says little
/// where little was decided.
#pragma once

#include "incidents/assessment.hpp"

#include <string>
#include <string_view>

namespace dibs::incidents {

struct decided_count {
  int breaks = 0;
  int decided = 0;    ///< breaks, degrades or survives
  int undecided = 0;  ///< too few runs to tell
  int untouched = 0;  ///< the cause changes nothing there, so its survival says nothing

  void count(incident_outcome v);
  /// The same by name; a name that is no outcome is not counted.
  void count(std::string_view verdict);
  /// `0 of 1 decided, 1 undecided, 2 do not apply`
  [[nodiscard]] std::string words() const;
};

}  // namespace dibs::incidents
