#include "report/progress.hpp"

#include "report/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace dibs::report {
namespace {

constexpr double live_after_s = 0.2;  // what is over sooner need not flicker
constexpr double live_every_s = 0.1;
constexpr double plain_every_s = 10;

}  // namespace

progress_line::progress_line(progress_options what,
                             std::function<double()> elapsed,
                             std::function<void(std::string_view)> write)
    : what_(what),
      elapsed_(std::move(elapsed)),
      write_(std::move(write)),
      next_(what.live ? live_after_s : plain_every_s) {}

void progress_line::update(const engine::progress& p) {
  const double now = elapsed_();
  if (now < next_) {
    return;
  }
  next_ = now + (what_.live ? live_every_s : plain_every_s);
  const std::string line = text(p, now);
  if (!what_.live) {
    write_("dibs: " + line + "\n");
    return;
  }
  // Spaces, not an escape, wipe what a longer line left: that works on every terminal.
  const int width = columns(line);
  write_("\r" + line + std::string(static_cast<std::size_t>(std::max(drawn_ - width, 0)), ' '));
  drawn_ = std::max(width, drawn_);
}

void progress_line::finish() {
  if (drawn_ > 0) {
    write_("\r" + std::string(static_cast<std::size_t>(drawn_), ' ') + "\r");
    drawn_ = 0;
  }
}

std::string progress_line::text(const engine::progress& p, double now) const {
  const double ends = in_seconds(p.ends);
  const double share = ends > 0 ? std::clamp(in_seconds(p.reached) / ends, 0.0, 1.0) : 1;
  std::string line;
  if (what_.live) {
    constexpr int width = 20;
    const std::string done = share > 0 ? bar(what_.look, share, width) : "";
    line += "[" + left(done, width) + "] ";
  }
  line += fmt::format("{:.0f} %", std::floor(share * 100));
  if (what_.runs > 1) {
    line += fmt::format(" of {} runs", grouped(what_.runs));
  } else {
    // Whole seconds: digits that change too fast to be read say nothing.
    const auto whole = [](double s) { return s < 120 ? fmt::format("{:.0f} s", s) : duration(s); };
    line += fmt::format(" of {}: at {}", whole(ends), whole(std::floor(in_seconds(p.reached))));
  }
  if (now > 0) {
    line += fmt::format(", {} events/s", compact(static_cast<double>(p.events) / now));
  }
  if (share > 0) {
    const double rest = now * (1 - share) / share;
    line += rest < 1 ? ", less than 1 s left"
                     : fmt::format(", about {} left", duration(std::round(rest)));
  }
  return line;
}

}  // namespace dibs::report
