#include "commands/warmup.hpp"

#include "commands/console.hpp"
#include "commands/stop_signal.hpp"
#include "sweep/warmup.hpp"
#include "text/escape.hpp"

namespace dibs::commands {

result<std::uint32_t> resolve_warmup(const std::filesystem::path& file,
                                     std::vector<scenario::override_value>& overrides,
                                     std::uint32_t jobs,
                                     bool quiet) {
  const scenario::reading reading = scenario::read_file(file, overrides);
  if (!reading.ok()) {
    return 0U;
  }
  const auto found = sweep::find_warmup(reading.value, jobs, stop_flag());
  if (!found) {
    return tl::unexpected<error>(found.error());
  }
  overrides.insert(overrides.end(), found->overrides.begin(), found->overrides.end());
  if (!quiet) {
    print_diagnostics("dibs: " + text::display_text(file.string(), 200) + ": " + found->text() +
                      "\n");
  }
  return found->pilots;
}

}  // namespace dibs::commands
