#include "pages/swimlane_svg.hpp"

#include "explain/root_cause.hpp"
#include "history/display_names.hpp"
#include "pages/swimlanes.hpp"
#include "pages/ticks.hpp"
#include "text/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace dibs::pages {
namespace {

const std::string lane_colour = "#eeece6";
const std::string accent = "#1f5fbf";

constexpr double track_height = 20;
constexpr double words_of_faults = 13;
constexpr double strip_height = 4;

struct bar_look {
  bar_kind is;
  const char* words;
  const char* colour;
  int stripes;  ///< degrees; 0: plain
};
constexpr std::array bar_looks{
    bar_look{bar_kind::lease_converted, "lease that became a trip", "#3d7edb", 0},
    bar_look{bar_kind::lease_in_vain, "lease that came to nothing", "#e4572e", 45},
    bar_look{bar_kind::lease_outlived, "lease that was over before its trip", "#8a4fd3", -20},
    bar_look{bar_kind::trip, "trip", "#2a9d8f", 0},
    bar_look{bar_kind::belief, "a matcher believes that it may have her", "#cfd6df", 0},
    bar_look{bar_kind::stale_belief, "it believes so, and it is no longer true", "#a0185f", 45},
    bar_look{bar_kind::screen, "offer on her screen", "#c06bb3", -45}};

std::string sign_of_strike(std::string_view what) {
  history::fault_interval like;
  like.what = what;
  return std::string(history::sign_of(like));
}

class lane_painter {
 public:
  lane_painter(const history::indexed_run& c,
               const explain::harm& b,
               const swimlane_style& on,
               double top,
               svg_drawing& to)
      : plan_(swimlane_layout_of(c, b)),
        learnt_(explain::root_cause_of(c, b)),
        to_(to),
        left_(on.margin + 110),
        right_(on.width - on.margin),
        first_(top) {
    double y = top;
    for (std::size_t i = 0; i < plan_.lanes.size(); ++i) {
      tops_.push_back(y);
      heights_.push_back(plan_.lanes[i].tracks * track_height + 6);
      room_.push_back(room_of_faults(i));
      y += heights_[i] + room_[i] + 6;
    }
    bottom_ = y;
    for (const bar_look& look : bar_looks) {
      fills_[static_cast<std::size_t>(look.is)] =
          look.stripes != 0 ? to.stripes(look.colour, look.stripes) : look.colour;
    }
  }

  double paint() {
    paint_lanes();
    paint_ticks();
    paint_faults();
    paint_bars();
    paint_words();
    paint_strikes();
    paint_decision();
    return paint_key(bottom_ + 34);
  }

 private:
  [[nodiscard]] double x(sim_time t) const {
    const double share =
        in_seconds(t - plan_.span.begin) / in_seconds(plan_.span.end - plan_.span.begin);
    return left_ + (right_ - left_) * std::clamp(share, 0.0, 1.0);
  }

  /// Below a lane's bars: what its faults are called, and a strip for each that fills no lane.
  [[nodiscard]] double room_of_faults(std::size_t lane) const {
    int strips = -1;
    for (const lane_band& b : plan_.bands) {
      if (b.lane == lane) {
        strips = std::max(strips, b.what.form == history::fault_form::outage ? 0 : b.strip + 1);
      }
    }
    return strips < 0 ? 0 : words_of_faults + strip_height * strips;
  }

  void paint_lanes() {
    for (std::size_t i = 0; i < plan_.lanes.size(); ++i) {
      to_.rectangle(left_, tops_[i], right_ - left_, heights_[i] + room_[i], lane_colour, 4);
      to_.text(left_ - 10,
               tops_[i] + heights_[i] / 2 + 4,
               plan_.lanes[i].name,
               {13, text_colour, anchor::end});
    }
  }

  void paint_ticks() {
    const auto label = [](sim_time t, sim_duration step) {
      const std::string text = history::clock_time(t.time_since_epoch());
      return step >= 1s ? text.substr(0, text.find('.')) : text;
    };
    for (const time_tick& t :
         time_ticks(plan_.span.begin, plan_.span.end, right_ - left_, 12, label)) {
      to_.line(x(t.at), first_, x(t.at), bottom_, {"#ffffff", 1});
      to_.text(x(t.at), bottom_ + 12, t.label, {12, soft_colour, anchor::middle});
    }
  }

  void paint_faults() {
    std::vector<double> named_to(plan_.lanes.size(), left_);
    for (const lane_band& b : plan_.bands) {
      const double x0 = x(b.when.begin);
      const double w = std::max(x(b.when.end) - x0, 2.0);
      const double whole = heights_[b.lane] + room_[b.lane];
      const std::string colour = colour_of_fault(b.what.what);
      if (b.what.form == history::fault_form::outage) {
        to_.veil(x0, tops_[b.lane], w, whole, to_.stripes(colour, 45), 0.4);
      } else if (b.what.when.is_empty()) {
        to_.line(x0, tops_[b.lane], x0, tops_[b.lane] + whole, {colour, 2});
      } else {
        const double y = tops_[b.lane] + whole - strip_height * (b.strip + 1);
        to_.veil(x0, y, w, strip_height - 1, colour, 0.5);
      }
      const std::string name = std::string(history::sign_of(b.what)) + " " + b.what.what;
      const double at = std::max(x0 + 4, named_to[b.lane]);
      const double end = at + width_of(name, 10);
      if (end < right_) {
        to_.text(at, tops_[b.lane] + heights_[b.lane] + 8, name, {10, text_colour});
        named_to[b.lane] = end + 8;
      }
    }
  }

  void paint_bars() {
    for (const lane_bar& bar : plan_.bars) {
      const double x0 = x(bar.when.begin);
      const double w = std::max(x(bar.when.end) - x0, 2.0);
      const double y = tops_[bar.lane] + 3 + track_height * bar.track;
      to_.rectangle(x0, y + 2, w, 16, fills_[static_cast<std::size_t>(bar.is)], 3);
      const double letters = width_of(bar.label, 12);
      if (!bar.label.empty() && w > letters + 12) {
        to_.rectangle(x0 + 4, y + 4, letters + 2, 12, "#ffffff", 2);
        to_.text(x0 + 6, y + 14, bar.label, {12, text_colour});
      }
    }
  }

  void paint_words() {
    for (const lane_message& w : plan_.messages) {
      const bool down = w.to > w.from;
      const double y0 = tops_[w.from] + (down ? heights_[w.from] - 6 : 6);
      // What was lost is seen to set out, and ends short of the lane that it was meant for.
      const double inside = down ? 6 : heights_[w.to] - 6;
      const double short_of = down ? -3 : heights_[w.to] + room_[w.to] + 3;
      const double y1 = tops_[w.to] + (w.is_lost ? short_of : inside);
      const double x0 = x(w.when.begin);
      const double x1 = x(w.when.end);
      if (!w.is_lost) {
        to_.arrow(x0, y0, x1, y1, {accent, 1.6});
        continue;
      }
      to_.line(x0, y0, x1, y1, {harm_colour, 1.6, "4 3"});
      cross(x1, y1);
    }
  }

  void cross(double x, double y) {
    to_.line(x - 4, y - 4, x + 4, y + 4, {harm_colour, 1.6});
    to_.line(x - 4, y + 4, x + 4, y - 4, {harm_colour, 1.6});
  }

  void paint_strikes() {
    for (const lane_fault& s : plan_.faults) {
      const double y = tops_[s.from] + (s.to > s.from ? heights_[s.from] - 8 : 9);
      to_.circle(x(s.t), y, 7, "#ffffff", {harm_colour, 1.4});
      to_.text(x(s.t), y + 3.5, sign_of_strike(s.what), {10, text_colour, anchor::middle});
    }
  }

  void paint_decision() {
    if (!learnt_.decided || !plan_.span.holds(*learnt_.decided)) {
      return;
    }
    const double at = x(*learnt_.decided);
    to_.line(at, first_ - 12, at, bottom_, {harm_colour, 2, "6 4"});
    const bool is_late = at > right_ - 200;
    to_.text(at + (is_late ? -6 : 6),
             first_ - 5,
             "decided at " + history::clock_time(learnt_.decided->time_since_epoch()),
             {12, harm_colour, is_late ? anchor::end : anchor::start, true});
  }

  double paint_key(double y) {
    double at = left_;
    const auto place = [&](double length) {
      if (at + length > right_) {
        at = left_;
        y += 20;
      }
      return std::exchange(at, at + length);
    };
    for (const bar_look& look : bar_looks) {
      const bool is_there = std::any_of(
          plan_.bars.begin(), plan_.bars.end(), [&](const lane_bar& b) { return b.is == look.is; });
      if (is_there) {
        const double from = place(52 + width_of(look.words, 12));
        to_.rectangle(from, y - 11, 22, 13, fills_[static_cast<std::size_t>(look.is)], 3);
        to_.text(from + 29, y, look.words, {12, soft_colour});
      }
    }
    for (const bool lost : {false, true}) {
      const bool is_there = std::any_of(plan_.messages.begin(),
                                        plan_.messages.end(),
                                        [&](const lane_message& w) { return w.is_lost == lost; });
      const char* words = lost ? "message that was lost" : "message on its way";
      if (!is_there) {
        continue;
      }
      const double from = place(52 + width_of(words, 12));
      if (lost) {
        to_.line(from, y - 4, from + 16, y - 4, {harm_colour, 1.6, "4 3"});
        cross(from + 18, y - 4);
      } else {
        to_.arrow(from, y - 4, from + 22, y - 4, {accent, 1.6});
      }
      to_.text(from + 29, y, words, {12, soft_colour});
    }
    return draw_signs(signs(), left_, right_, y + 20, to_);
  }

  /// Of the faults that are drawn, each once.
  [[nodiscard]] std::vector<legend_entry> signs() const {
    std::vector<legend_entry> all;
    const auto add = [&](const std::string& sign, std::string_view what, std::string words) {
      const bool is_new = std::none_of(
          all.begin(), all.end(), [&](const legend_entry& s) { return s.words == words; });
      if (is_new) {
        all.push_back({sign, std::string(what), std::move(words)});
      }
    };
    for (const lane_band& b : plan_.bands) {
      add(std::string(history::sign_of(b.what)),
          b.what.what,
          b.what.what + " of " + b.what.who + (b.what.detail.empty() ? "" : ", " + b.what.detail));
    }
    for (const lane_fault& s : plan_.faults) {
      add(sign_of_strike(s.what), s.what, "in a ring: where a fault struck a message");
    }
    return all;
  }

  swimlane_layout plan_;
  explain::root_cause learnt_;
  svg_drawing& to_;
  double left_;
  double right_;
  double first_;
  double bottom_ = 0;
  std::vector<double> tops_;
  std::vector<double> heights_;  ///< of its tracks
  std::vector<double> room_;     ///< below them, for faults
  std::array<std::string, bar_looks.size()> fills_;
};

}  // namespace

std::string colour_of_fault(std::string_view what) {
  return what == "crash" || what == "error"       ? harm_colour
         : what == "pause" || what == "slow link" ? "#a65a00"
                                                  : text_colour;
}

double draw_signs(
    const std::vector<legend_entry>& all, double left, double right, double y, svg_drawing& to) {
  double x = left;
  for (const legend_entry& s : all) {
    const std::string words = text::display_text(s.words, 120);
    const double length = 24 + width_of(words, 12) + 22;
    if (x > left && x + length > right) {
      x = left;
      y += 18;
    }
    to.text(x + 8, y, s.sign, {12, colour_of_fault(s.what), anchor::middle, true});
    to.text(x + 24, y, words, {12, soft_colour});
    x += length;
  }
  return all.empty() ? y - 8 : y + 12;
}

double draw_lanes(const history::indexed_run& c,
                  const explain::harm& b,
                  const swimlane_style& on,
                  double top,
                  svg_drawing& to) {
  to.text(on.margin, top, "The most instructive harm", {15, text_colour, anchor::start, true});
  const double said = to.paragraph(on.margin,
                                   top + 20,
                                   on.width - 2 * on.margin,
                                   text::display_text(b.headline, 400),
                                   {13, harm_colour});
  return lane_painter(c, b, on, said + 32, to).paint();
}

}  // namespace dibs::pages
