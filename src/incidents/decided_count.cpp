#include "incidents/decided_count.hpp"

#include <fmt/format.h>

namespace dibs::incidents {

void decided_count::count(incident_outcome v) {
  switch (v) {
    case incident_outcome::untouched:
      ++untouched;
      return;
    case incident_outcome::undecided:
      ++undecided;
      return;
    case incident_outcome::breaks:
      ++breaks;
      ++decided;
      return;
    case incident_outcome::survives:
    case incident_outcome::degrades:
      ++decided;
      return;
  }
}

void decided_count::count(std::string_view name) {
  for (const incident_outcome v : {incident_outcome::untouched,
                                   incident_outcome::survives,
                                   incident_outcome::undecided,
                                   incident_outcome::degrades,
                                   incident_outcome::breaks}) {
    if (name == name_of(v)) {
      count(v);
    }
  }
}

std::string decided_count::words() const {
  std::string text = fmt::format("{} of {} decided", breaks, decided);
  if (undecided > 0) {
    text += fmt::format(", {} undecided", undecided);
  }
  if (untouched > 0) {
    text += fmt::format(", {} {} not apply", untouched, untouched == 1 ? "does" : "do");
  }
  return text;
}

}  // namespace dibs::incidents
