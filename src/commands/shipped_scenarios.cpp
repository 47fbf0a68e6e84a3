#include "commands/shipped_scenarios.hpp"

#include "text/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace dibs::commands {
namespace {

namespace fs = std::filesystem;

bool leads_to_folder(const fs::path& path) {
  std::error_code failed;
  return fs::is_directory(path, failed);
}

}  // namespace

result<fs::path> scenarios_folder() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets it
  if (const char* named = std::getenv("DIBS_SCENARIOS"); named != nullptr && *named != '\0') {
    if (leads_to_folder(named)) {
      return fs::path(named);
    }
    return failure(
        exit_code::invalid_input,
        fmt::format("there is no folder {} (from DIBS_SCENARIOS)", text::display_text(named, 400)));
  }
  if (leads_to_folder("scenarios")) {
    return fs::path("scenarios");
  }
  std::error_code failed;
  for (fs::path up = fs::read_symlink("/proc/self/exe", failed).parent_path(); !up.empty();
       up = up.parent_path()) {
    for (const char* place : {"scenarios", "share/dibs/scenarios"}) {
      if (leads_to_folder(up / place)) {
        return up / place;
      }
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
        fmt::format(
            "cannot read {}: {}", text::display_text(folder.string(), 400), failed.message()));
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace dibs::commands
