#include "commands/live_view.hpp"

#include "commands/console.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <climits>
#include <string>

namespace dibs::commands {
namespace {

constexpr double between_drawings_s = 0.1;

}  // namespace

// A file and a pipe have no width: one line each.
int live_view::width() const { return ::isatty(STDERR_FILENO) != 0 ? style_.width : INT_MAX; }

live_view::live_view(const scenario::scenario& s)
    : live_(s), ends_(s.ends()), style_(text::terminal_style_of(STDERR_FILENO)) {}

live_view::~live_view() {
  if (drawn_ > 0) {
    print_diagnostics(fmt::format("\x1b[{}A\r\x1b[J", drawn_));
  }
}

std::function<void(const engine::progress&)> live_view::callback() {
  return [this](const engine::progress& p) {
    if (style_.redraws) {
      draw(p.reached);
    } else {
      say(p.reached);
    }
  };
}

void live_view::draw(sim_time reached) {
  const double now = watch_.seconds();
  if (drawn_at_ >= 0 && now - drawn_at_ < between_drawings_s) {
    return;
  }
  drawn_at_ = now;
  std::string text = drawn_ > 0 ? fmt::format("\x1b[{}A\r", drawn_) : "";
  const auto lines = live_.lines(reached, style_);
  for (const std::string& line : lines) {
    text += line + "\x1b[K\n";
  }
  text += "\x1b[J";
  drawn_ = lines.size();
  print_diagnostics(text);
}

void live_view::say(sim_time reached) {
  const auto tenths = static_cast<int>(10 * in_seconds(reached) / in_seconds(ends_));
  if (tenths > tenths_) {
    tenths_ = tenths;
    for (const std::string& line :
         text::word_wrapped("dibs: " + live_.line(reached), width(), "  ")) {
      print_diagnostics(line + "\n");
    }
  }
}

}  // namespace dibs::commands
