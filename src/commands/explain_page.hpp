/// The story of one harm of a kept run, as text or as a page.
#pragma once

#include "base/result.hpp"
#include "commands/requests.hpp"
#include "history/recorded_run.hpp"

#include <string>

namespace dibs::commands {

struct explain_page {
  std::string text;
  std::string stem;  ///< of the file that a page of it goes to: `breach-1`
};

/// Where nothing is named, of what says most. Errors: the run cannot be read or repeated, it has no
/// such harm, ride, driver or lease; interrupted.
[[nodiscard]] result<explain_page> story_of(const explain_request& r);

/// The same text of a run that is not kept, of what says most. Errors: it did no harm; interrupted.
[[nodiscard]] result<std::string> story_of(const history::recorded_run& h);

}  // namespace dibs::commands
