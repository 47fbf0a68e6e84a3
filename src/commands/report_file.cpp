#include "commands/report_file.hpp"

#include "commands/console.hpp"
#include "results/atomic_file.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

namespace dibs::commands {
namespace {

namespace fs = std::filesystem;

/// A directory, a device and the like are no reports.
result<void> make_room(const fs::path& file) {
  std::error_code failed;
  const fs::file_status there = fs::symlink_status(file, failed);
  if (!fs::exists(there)) {
    return {};
  }
  if (!fs::is_regular_file(there) || !fs::remove(file, failed)) {
    return failure(exit_code::usage,
                   fmt::format("{} is there already, and is not replaced",
                               text::display_text(file.string(), 400)));
  }
  return {};
}

}  // namespace

int write_report_file(std::string_view text,
                      const fs::path& standard,
                      const std::optional<std::string>& out) {
  const fs::path file = out ? fs::path(*out) : standard;
  if (file.empty() || file == "-") {
    return finish(text);
  }
  if (const auto room = make_room(file); !room) {
    return fail(room.error());
  }
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const auto written = results::write_file(folder, file.filename().string(), text);
  if (!written) {
    return fail(written.error());
  }
  return finish(fmt::format(
      "{}, {}\n", text::display_text(file.string(), 400), text::file_size(text.size())));
}

}  // namespace dibs::commands
