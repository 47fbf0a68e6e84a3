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
  const std::string done = fmt::format("{:.0f} %", std::floor(share * 100));
  constexpr int bar_width = 20;
  const std::string drawn = "[" + left(bar(what_.look, share, bar_width), bar_width) + "] ";
  // Whole seconds: digits that change too fast to be read say nothing.
  const auto whole = [](double s) { return s < 120 ? fmt::format("{:.0f} s", s) : duration(s); };
  const std::string where =
      what_.runs > 1
          ? fmt::format(" of {} runs", grouped(what_.runs))
          : fmt::format(" of {}: at {}", whole(ends), whole(std::floor(in_seconds(p.reached))));
  const std::string rate =
      now > 0 ? fmt::format(", {} events/s", compact(static_cast<double>(p.events) / now)) : "";
  std::string rest;
  if (share > 0) {
    const double seconds = now * (1 - share) / share;
    rest = seconds < 1 ? ", less than 1 s left"
                       : fmt::format(", about {} left", duration(std::round(seconds)));
  }
  if (!what_.live) {
    return done + where + rate + rest;
  }
  // A line that wraps could not be drawn over: leave out what matters least until it fits.
  for (const std::string& line : {drawn + done + where + rate + rest,
                                  done + where + rate + rest,
                                  drawn + done + rest,
                                  done + rest}) {
    if (columns(line) < what_.look.width) {
      return line;
    }
  }
  return done;
}

}  // namespace dibs::report
