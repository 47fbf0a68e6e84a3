// `dibs init`: a scenario to start from, of its own or of a file of requests.

#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/memory_check.hpp"
#include "commands/progress_watcher.hpp"
#include "results/atomic_file.hpp"
#include "scenario/read.hpp"
#include "scenario/request_file.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
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
  text += fmt::format("  busiest from {:02}:00 on: {:.0f} rides/h{}{}\n",
                      found.begins / sim_duration{1h},
                      found.rides_per_hour,
                      found.days > 1 ? fmt::format(" in the mean of {} days", found.days) : "",
                      found.mean_trip > 0s
                          ? fmt::format(", of {:.0f} s each", in_seconds(found.mean_trip))
                          : ", whose length follows from the distance");
  for (const std::string& doubt : found.doubts) {
    text += fmt::format("  note: {}\n", text::display_text(doubt, 600));
  }
  return text;
}

/// A file as the scenario in the folder names it.
struct file_beside {
  std::filesystem::path as;
  std::uint64_t to_copy = 0;  ///< bytes; 0: it is there
};

/// A scenario reads nothing from elsewhere, so a file that lies elsewhere is to be copied beside
/// it. Errors: (exit 2) another file has its name there; it cannot be read.
result<file_beside> beside(const std::filesystem::path& folder, const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  if (file.empty()) {
    return file_beside{};
  }
  std::error_code failed;
  if (fs::path found = fs::relative(file, folder, failed);
      !failed && !found.empty() && *found.begin() != "..") {
    return file_beside{.as = std::move(found)};
  }
  const std::string name = file.filename().string();
  const auto there = results::record_of(file);
  if (!there) {
    return tl::unexpected<error>(there.error());
  }
  const std::string shown = text::display_text((folder / name).string(), 400);
  if (fs::exists(fs::symlink_status(folder / name, failed))) {
    const auto here = results::record_of(folder / name);
    if (fs::is_regular_file(fs::symlink_status(folder / name)) && here && *here == *there) {
      return file_beside{.as = name};
    }
    return failure(exit_code::usage,
                   fmt::format("{} would be copied beside the scenario, and {} is another file: "
                               "move it away, or make the scenario elsewhere",
                               text::display_text(file.string(), 400),
                               shown));
  }
  return file_beside{.as = name, .to_copy = there->bytes};
}

/// Errors: it cannot be written.
result<void> bring(const std::filesystem::path& file,
                   const std::filesystem::path& folder,
                   const file_beside& where) {
  if (where.to_copy == 0) {
    return {};
  }
  if (const auto copied = results::copy_file(file, folder, where.as.string()); !copied) {
    return tl::unexpected<error>(copied.error());
  }
  print_diagnostics(fmt::format(
      "dibs: copied {} to {} ({}): a scenario reads nothing from outside of its folder\n",
      text::display_text(file.string(), 400),
      text::display_text((folder / where.as).string(), 400),
      text::bytes(where.to_copy)));
  return {};
}

/// Rows of a file in memory take about twice their text. What is compressed is not judged: how much
/// text it holds, only reading tells.
result<void> check_room(const std::filesystem::path& file) {
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(file, failed);
  constexpr std::uint64_t times = 2;
  return failed ? result<void>()
                : check_memory(times * bytes,
                               memory_available(),
                               text::display_text(file.string(), 200) + " needs",
                               "give a part of it, such as one day");
}

/// The scenario that replays a file; says what it took for what.
result<std::string> scenario_for(const init_request& r,
                                 const std::filesystem::path& folder,
                                 const std::string& name) {
  namespace fs = std::filesystem;
  if (const auto fits = check_room(r.requests); !fits) {
    return tl::unexpected<error>(fits.error());
  }
  const auto found = [&] {
    row_line counter;
    return scenario::look_at_requests(
        r.requests,
        r.zones.empty() ? std::nullopt : std::optional<fs::path>(r.zones),
        [&](std::uint64_t rows) { counter.show(rows, text::display_text(r.requests, 200)); });
  }();
  if (!found) {
    return tl::unexpected<error>(found.error());
  }
  const auto requests = beside(folder, r.requests);
  const auto zones = requests ? beside(folder, r.zones) : requests;
  if (!zones) {
    return tl::unexpected<error>(zones.error());
  }
  if (const auto brought = bring(r.requests, folder, *requests).and_then([&] {
        return bring(r.zones, folder, *zones);
      });
      !brought) {
    return tl::unexpected<error>(brought.error());
  }
  print_diagnostics(findings_of(r, *found));
  return scenario::scenario_of(*found, requests->as, zones->as, name);
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
