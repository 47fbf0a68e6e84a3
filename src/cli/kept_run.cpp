#include "cli/kept_run.hpp"

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "report/file.hpp"
#include "scenario/complaints.hpp"
#include "scenario/read.hpp"

#include <fmt/format.h>

#include <utility>

namespace dibs::cli {

result<scenario::scenario> scenario_of(const std::filesystem::path& directory,
                                       const report::manifest& m) {
  const std::filesystem::path file = directory / "scenario.effective.yaml";
  const auto text = report::read_whole(file);
  if (!text) {
    return tl::unexpected<error>(text.error());
  }
  scenario::reading reading = scenario::read_text(*text, file.string(), m.scenario_folder);
  if (!reading.ok()) {
    // The checkout may have moved, with the run in it.
    reading = scenario::read_text(*text, file.string(), directory);
  }
  if (!reading.ok()) {
    tell(reading.complaints);
    return failure(exit_code::invalid_input,
                   fmt::format("this dibs does not take the scenario of a run of dibs {}",
                               scenario::shown(m.build.version)));
  }
  const auto data = report::data_of(reading.value);
  if (!data) {
    return tl::unexpected<error>(data.error());
  }
  if (*data != m.data) {
    return failure(exit_code::invalid_input,
                   fmt::format("the demand data in {} was changed since the run",
                               scenario::shown(reading.value.folder.string(), 400)));
  }
  return std::move(reading.value);
}

}  // namespace dibs::cli
