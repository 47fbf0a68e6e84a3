#include "commands/progress_watcher.hpp"

#include "commands/console.hpp"
#include "text/number.hpp"
#include "text/terminal.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>

namespace dibs::commands {
namespace {

constexpr double between_lines_s = 10;
constexpr double between_updates_s = 0.1;

}  // namespace

watcher::watcher(bool quiet, std::uint32_t runs) {
  if (quiet) {
    return;
  }
  line_.emplace(
      report::progress_options{.live = ::isatty(STDERR_FILENO) != 0,
                               .style = text::terminal_style_of(STDERR_FILENO),
                               .runs = runs},
      [this] { return watch_.seconds(); },
      [](std::string_view text) { print_diagnostics(text); });
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

count_line::count_line(bool quiet, std::size_t all, std::string_view what)
    : quiet_(quiet),
      live_(::isatty(STDERR_FILENO) != 0),
      all_(all),
      what_(what),
      next_(live_ ? 0 : between_lines_s) {}

count_line::~count_line() {
  if (live_ && !quiet_) {
    print_diagnostics("\r\x1b[K");
  }
}

void count_line::show(std::size_t done, const std::string& at) {
  const double now = watch_.seconds();
  if (quiet_ || now < next_) {
    return;
  }
  next_ = now + (live_ ? between_updates_s : between_lines_s);
  const auto left = static_cast<double>(all_ - std::min(all_, done)) /
                    static_cast<double>(std::max(done, std::size_t{1}));
  const std::string line = fmt::format("{} of {} {}{}{}{}",
                                       done,
                                       std::max(all_, done),
                                       what_,
                                       done > 0 ? fmt::format(", {:.0f} s left", now * left) : "",
                                       at.empty() ? "" : ": ",
                                       at);
  const auto width = static_cast<std::size_t>(text::terminal_style_of(STDERR_FILENO).width - 1);
  print_diagnostics(live_ ? "\r\x1b[K" + line.substr(0, width) : "dibs: " + line + "\n");
}

row_line::row_line()
    : live_(::isatty(STDERR_FILENO) != 0), next_(live_ ? between_updates_s : between_lines_s) {}

row_line::~row_line() {
  if (live_ && is_shown_) {
    print_diagnostics("\r\x1b[K");
  }
}

void row_line::show(std::uint64_t rows, const std::string& of) {
  const double now = watch_.seconds();
  if (now < next_) {
    return;
  }
  is_shown_ = true;
  next_ = now + (live_ ? between_updates_s : between_lines_s);
  const std::string line = fmt::format("{}: {} rows", of, text::with_thousands(rows));
  const auto width = static_cast<std::size_t>(text::terminal_style_of(STDERR_FILENO).width - 1);
  print_diagnostics(live_ ? "\r\x1b[K" + line.substr(0, width) : "dibs: " + line + "\n");
}

}  // namespace dibs::commands
