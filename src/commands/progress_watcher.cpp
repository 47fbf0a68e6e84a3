#include "commands/progress_watcher.hpp"

#include "commands/console.hpp"

#include <unistd.h>

namespace dibs::cli {

watcher::watcher(bool quiet, std::uint32_t runs) {
  if (quiet) {
    return;
  }
  line_.emplace(
      report::progress_options{.live = ::isatty(STDERR_FILENO) != 0,
                               .look = report::look_of(STDERR_FILENO),
                               .runs = runs},
      [this] { return watch_.seconds(); },
      [](std::string_view text) { tell(text); });
}

watcher::~watcher() { clear(); }

void watcher::clear() {
  if (line_) {
    line_->finish();
  }
}

std::function<void(const engine::progress&)> watcher::callback() {
  if (!line_) {
    return {};
  }
  return [this](const engine::progress& p) { line_->update(p); };
}

}  // namespace dibs::cli
