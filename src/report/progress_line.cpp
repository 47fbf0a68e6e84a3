#include "report/progress_line.hpp"

#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace dibs::report {
namespace {

constexpr double live_after_s = 0.2;  // what is over sooner need not flicker
constexpr double live_every_s = 0.1;
constexpr double plain_every_s = 10;
constexpr double rounding = 1e-9;
constexpr int bar_max = 20;
constexpr int bar_comfortable = 10;
constexpr int bar_min = 3;

struct state {
  double share = 0;
  double reached_s = 0;
  double ends_s = 0;
  std::string rate;    ///< empty: unknown
  double rest_s = -1;  ///< of wall time; negative: unknown
};

state state_of(const engine::progress& p, double now) {
  state s;
  s.ends_s = in_seconds(p.ends);
  s.reached_s = std::floor(in_seconds(p.reached));
  s.share = s.ends_s > 0 ? std::clamp(in_seconds(p.reached) / s.ends_s, 0.0, 1.0) : 1;
  if (now > 0) {
    s.rate = fmt::format("{} events/s", text::with_si_prefix(static_cast<double>(p.events) / now));
  }
  if (s.share > 0) {
    s.rest_s = now * (1 - s.share) / s.share;
  }
  return s;
}

/// Whole seconds: digits that change too fast to be read say nothing.
std::string whole(double s) {
  return s < 120 ? fmt::format("{:.0f} s", s) : text::duration(std::round(s));
}

/// At most two units, so that it is never long: `59 s`, `9 min 58 s`, `1 h 10 min`, `8,760 h`.
std::string rough(double s) {
  constexpr double minute = 60;
  constexpr double hour = 3600;
  const double unit = s < hour ? 1 : s < 1000 * hour ? minute : hour;
  return whole(std::floor(s / unit) * unit);
}

/// `text` behind as wide a bar as the line has room for, or nothing if that is too narrow.
std::optional<std::string> with_bar(const text::terminal_style& l,
                                    double share,
                                    const std::string& text,
                                    int narrowest) {
  constexpr int frame = 3;  // brackets and a space
  // The last column stays free: some terminals wrap as soon as it is written.
  const int room = l.width - 1 - text::columns(text) - frame;
  // Few widths, so that the bar does not change its size with every digit of the text.
  for (const int width : {bar_max, bar_comfortable, 5, bar_min}) {
    if (width <= room && width >= narrowest) {
      return "[" + text::left(text::bar(l, share, width), width) + "] " + text;
    }
  }
  return std::nullopt;
}

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
  const int width = text::columns(line);
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
  const state s = state_of(p, now);
  const std::string done = fmt::format("{:.0f} %", std::floor(s.share * 100));
  const std::string rate = s.rate.empty() ? "" : ", " + s.rate;
  const std::string rest = s.rest_s < 0   ? ""
                           : s.rest_s < 1 ? ", less than 1 s left"
                                          : fmt::format(", about {} left", whole(s.rest_s));
  // Of several runs nobody wants to know their virtual time together.
  const auto runs_done = static_cast<std::uint64_t>(s.share * what_.runs + rounding);
  const std::string of_runs = fmt::format(
      ", {} of {} runs", text::with_thousands(runs_done), text::with_thousands(what_.runs));
  const std::string where =
      what_.runs > 1 ? of_runs : fmt::format(" of {}: at {}", whole(s.ends_s), whole(s.reached_s));
  const std::string wordy = done + where + rate + rest;
  if (!what_.live) {
    return wordy;
  }
  // A line that wraps could not be drawn over: say it in fewer words, then less precisely, and only
  // then leave out what matters least.
  const std::string reached = what_.runs > 1 ? of_runs : ", at " + rough(s.reached_s);
  const std::string rough_rest = s.rest_s < 0   ? ""
                                 : s.rest_s < 1 ? ", < 1 s left"
                                                : fmt::format(", {} left", rough(s.rest_s));
  const std::string terse = done + reached + rate + rough_rest;
  if (const auto line = with_bar(what_.style, s.share, wordy, bar_comfortable)) {
    return *line;
  }
  if (const auto line = with_bar(what_.style, s.share, terse, bar_min)) {
    return *line;
  }
  for (const std::string& line : {terse, done + reached + rough_rest, done + rough_rest}) {
    if (text::columns(line) < what_.style.width) {
      return line;
    }
  }
  return done;
}

}  // namespace dibs::report
