// `dibs list`: the scenarios that ship, each with its question.

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "report/look.hpp"
#include "scenario/complaints.hpp"
#include "scenario/read.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace dibs::cli {
namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

/// Where scenarios are: as the user says, else here, else above the program's own place.
result<fs::path> scenarios_folder() {
  if (const char* named = std::getenv("DIBS_SCENARIOS"); named != nullptr && *named != '\0') {
    if (is_folder(named)) {
      return fs::path(named);
    }
    return failure(
        exit_code::invalid_input,
        fmt::format("there is no folder {} (from DIBS_SCENARIOS)", scenario::shown(named, 400)));
  }
  if (is_folder("scenarios")) {
    return fs::path("scenarios");
  }
  std::error_code failed;
  for (fs::path up = fs::read_symlink("/proc/self/exe", failed).parent_path(); !up.empty();
       up = up.parent_path()) {
    if (is_folder(up / "scenarios")) {
      return up / "scenarios";
    }
    if (up == up.root_path()) {
      break;
    }
  }
  return failure(exit_code::invalid_input,
                 "there is no folder `scenarios` here or near the program; name one in "
                 "DIBS_SCENARIOS");
}

result<std::vector<fs::path>> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    if (at->path().extension() == ".yaml") {
      files.push_back(at->path());
    }
  }
  if (failed) {
    return failure(
        exit_code::invalid_input,
        fmt::format("cannot read {}: {}", scenario::shown(folder.string(), 400), failed.message()));
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int list(const list_request& r) {
  const auto folder = scenarios_folder();
  if (!folder) {
    return fail(folder.error());
  }
  const auto files = files_in(*folder);
  if (!files) {
    return fail(files.error());
  }
  bool all_ok = true;
  std::string text;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  int width = 0;
  for (const fs::path& file : *files) {
    width = std::max(width, report::columns(scenario::shown(file.string(), 400)));
  }
  for (const fs::path& file : *files) {
    const scenario::reading reading = scenario::read_file(file);
    const std::string path = scenario::shown(file.string(), 400);
    if (!reading.ok()) {
      all_ok = false;
      tell(reading.complaints);
      continue;
    }
    text += fmt::format(
        "{}  {}\n", report::left(path, width), scenario::shown(reading.value.question, 300));
    all.push_back({{"file", path},
                   {"name", scenario::shown(reading.value.name, 400)},
                   {"question", scenario::shown(reading.value.question, 4000)}});
  }
  if (r.format == format::json) {
    text = all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  }
  return finish(text, all_ok ? exit_code::done : exit_code::invalid_input);
}

}  // namespace dibs::cli
