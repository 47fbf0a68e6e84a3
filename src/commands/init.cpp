// `dibs init`: a scenario to start from, of its own or of a file of requests.

#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "results/atomic_file.hpp"
#include "scenario/read.hpp"
#include "scenario/request_file.hpp"
#include "text/escape.hpp"
#include "text/plural.hpp"
#include "text/quantity.hpp"
#include "text/text_table.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string>

namespace dibs::commands {
namespace {

/// What was taken for what, a line each.
std::string findings_of(const init_request& r, const scenario::request_file& found) {
  text::text_cells taken{{"taken for", "column", "such as"}};
  for (const auto& each : found.findings) {
    taken.push_back({each.what,
                     each.column.empty() ? "-" : text::display_text(each.column, 60),
                     text::display_text(each.said, 40)});
  }
  const scenario::bounds_options& b = found.bounds;
  std::string text = fmt::format("dibs: {}, {} of {} within {:g}..{:g} north, {:g}..{:g} east\n",
                                 text::display_text(r.requests, 400),
                                 text::plural(found.rows, "row"),
                                 text::plural(found.days, "day"),
                                 b.south,
                                 b.north,
                                 b.west,
                                 b.east);
  constexpr std::array sides{text::side::left, text::side::left, text::side::left};
  text += text::in_columns(taken, {.indent = 2}, sides);
  text += fmt::format("  busiest from {:02}:00 on: {:.0f} rides/h{}\n",
                      found.begins / sim_duration{1h},
                      found.rides_per_hour,
                      found.mean_trip > 0s
                          ? fmt::format(", of {:.0f} s each", in_seconds(found.mean_trip))
                          : ", whose length follows from the distance");
  for (const std::string& doubt : found.doubts) {
    text += fmt::format("  note: {}\n", text::display_text(doubt, 600));
  }
  return text;
}

/// A file as the scenario in the folder names it. Errors (exit 2): it lies elsewhere.
result<std::filesystem::path> below(const std::filesystem::path& folder,
                                    const std::string& file,
                                    const std::string& scenario) {
  namespace fs = std::filesystem;
  std::error_code failed;
  fs::path found = fs::relative(file, folder, failed);
  if (failed || found.empty() || *found.begin() == "..") {
    return failure(
        exit_code::usage,
        fmt::format(
            "{} does not lie below the scenario's folder, and a scenario reads nothing from "
            "elsewhere: write it beside the file, as in {}",
            text::display_text(file, 400),
            text::display_text(
                (fs::path(file).parent_path() / fs::path(scenario).filename()).string(), 400)));
  }
  return found;
}

/// The scenario that replays a file; says what it took for what.
result<std::string> scenario_for(const init_request& r,
                                 const std::filesystem::path& folder,
                                 const std::string& name) {
  namespace fs = std::filesystem;
  const auto found = scenario::look_at_requests(
      r.requests, r.zones.empty() ? std::nullopt : std::optional<fs::path>(r.zones));
  if (!found) {
    return tl::unexpected<error>(found.error());
  }
  const auto requests = below(folder, r.requests, r.file);
  const auto zones = r.zones.empty() ? result<fs::path>() : below(folder, r.zones, r.file);
  if (!requests || !zones) {
    return tl::unexpected<error>(requests ? zones.error() : requests.error());
  }
  print_diagnostics(findings_of(r, *found));
  return scenario::scenario_of(*found, *requests, *zones, name);
}

}  // namespace

int init(const init_request& r, const std::string& program) {
  namespace fs = std::filesystem;
  if (r.file == "-") {
    if (r.requests.empty()) {
      return finish(scenario::starter("my-scenario"));
    }
    const auto text = scenario_for(r, ".", "my-scenario");
    return text ? finish(*text) : fail(text.error());
  }
  const fs::path path = r.file;
  const std::string shown = text::display_text(r.file, 400);
  std::error_code failed;
  if (!path.has_filename() || fs::exists(fs::symlink_status(path, failed))) {
    return fail(
        {exit_code::usage,
         fmt::format("{} is there already, and is not overwritten; choose another name", shown)});
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const std::string name = path.stem().string();
  const auto text = r.requests.empty() ? result<std::string>(scenario::starter(name))
                                       : scenario_for(r, folder, name);
  if (!text) {
    return fail(text.error());
  }
  const auto written = results::write_file(folder, path.filename().string(), *text);
  if (!written) {
    return fail(written.error());
  }
  print_diagnostics(
      fmt::format("dibs: wrote {}; next: {} run {}\n", shown, program, text::shell_word(r.file)));
  return 0;
}

/// The plain words first, then what exactly is counted.

}  // namespace dibs::commands
