#include "incidents/decided_count.hpp"

#include <fmt/format.h>

namespace dibs::incidents {

void tally::count(verdict v) {
  switch (v) {
    case verdict::untouched:
      ++untouched;
      return;
    case verdict::undecided:
      ++undecided;
      return;
    case verdict::breaks:
      ++breaks;
      ++decided;
      return;
    case verdict::survives:
    case verdict::degrades:
      ++decided;
      return;
  }
}

void tally::count(std::string_view name) {
  for (const verdict v : {verdict::untouched,
                          verdict::survives,
                          verdict::undecided,
                          verdict::degrades,
                          verdict::breaks}) {
    if (name == name_of(v)) {
      count(v);
    }
  }
}

std::string tally::words() const {
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
