// `dibs check`: what breaks a scenario of one's own, and what would mend it.

#include "check/check.hpp"
#include "check/story.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/memory_check.hpp"
#include "commands/progress_watcher.hpp"
#include "commands/shipped_incidents.hpp"
#include "commands/stop_signal.hpp"
#include "engine/prepared_scenario.hpp"
#include "report/check_text.hpp"
#include "scenario/diagnostics.hpp"
#include "text/terminal.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

namespace dibs::commands {
namespace {

/// What is checked under one name.
struct asked_variant {
  std::string name;
  scenario::scenario value;
};

/// The scenario as it is asked for, or once under each protocol. Errors are told.
std::optional<std::vector<asked_variant>> variants_of(const check_request& r) {
  std::vector<lease::protocol> protocols = r.protocols;
  std::vector<asked_variant> all;
  for (std::size_t i = 0; i < std::max(protocols.size(), std::size_t{1}); ++i) {
    std::vector<scenario::override_value> set = r.overrides;
    if (!protocols.empty()) {
      set.push_back({"lease.protocol", std::string(lease::rules_of(protocols[i]).name)});
    }
    scenario::reading read = scenario::read_file(r.file, set);
    if (!read.ok()) {
      print_diagnostics(read.diagnostics);
      return std::nullopt;
    }
    read.value.seed = r.seed.value_or(read.value.seed);
    all.push_back({protocols.empty() ? read.value.name : set.back().value, std::move(read.value)});
  }
  return all;
}

result<std::vector<check::cause>> causes_of(const std::vector<std::string>& words) {
  const auto files = incident_files("check", words);
  if (!files) {
    return tl::unexpected<error>(files.error());
  }
  std::vector<check::cause> all;
  for (const std::filesystem::path& file : *files) {
    const incidents::incident_reading read = incidents::read_incident(file);
    if (!read.diagnostics.empty()) {
      return failure(exit_code::invalid_input, scenario::format(read.diagnostics.front()));
    }
    all.push_back(check::cause_of(read.value));
  }
  return all;
}

/// Of the first row, unless it survives.
result<check::story> worst_story(const scenario::scenario& mine, const check::checked& found) {
  if (found.rows.empty() || found.rows.front().worse.empty() || !found.rows.front().counts()) {
    return check::story{};
  }
  const check::row& worst = found.rows.front();
  const auto s = check::changed(mine, worst.set);
  return s ? check::story_of(*s, worst.seed, worst.worse.front().metric, stop_flag())
           : tl::unexpected<error>(s.error());
}

result<report::checked_column> checked_of(const check_request& r,
                                          const asked_variant& each,
                                          const std::vector<check::cause>& causes) {
  count_line counter(r.quiet, 4 * causes.size(), "variants");
  auto found = check::check_scenario(
      each.value,
      causes,
      {.runs = r.runs,
       .jobs = r.jobs,
       .stop = stop_flag(),
       .on_variant = [&](std::size_t done, std::size_t, const std::string& at) {
         counter.show(done, at);
       }});
  if (!found) {
    return tl::unexpected<error>(found.error());
  }
  auto story = worst_story(each.value, *found);
  if (!story) {
    return tl::unexpected<error>(story.error());
  }
  return report::checked_column{each.name, std::move(*found), std::move(*story)};
}

/// A broken promise wins over a missed threshold.
exit_code worse_of(exit_code a, exit_code b) {
  return a == exit_code::invariant_broke || b == exit_code::done ? a : b;
}

}  // namespace

int check_incidents(const check_request& r) {
  const auto variants = variants_of(r);
  if (!variants) {
    return static_cast<int>(exit_code::invalid_input);
  }
  const auto causes = causes_of(r.causes);
  if (!causes) {
    return fail(causes.error());
  }
  std::vector<report::checked_column> columns;
  exit_code code = exit_code::done;
  for (const asked_variant& each : *variants) {
    const auto fits = check_memory(engine::memory_estimate(each.value) * r.jobs, memory_available());
    auto column = fits ? checked_of(r, each, *causes) : tl::unexpected<error>(fits.error());
    if (!column) {
      const auto by_signal = stopped_by();
      return fail(by_signal ? error{*by_signal, "interrupted; nothing is shown of a part"}
                            : column.error());
    }
    code = worse_of(code, column->found.code());
    columns.push_back(std::move(*column));
  }
  return finish(
      report::text_of(columns, text::terminal_style_of(STDOUT_FILENO), r.all), code);
}

}  // namespace dibs::commands
