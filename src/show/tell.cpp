#include "show/tell.hpp"

#include "report/number.hpp"
#include "scenario/complaints.hpp"
#include "show/fact.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dibs::show {
namespace {

using report::ink;
using report::look;
using report::painted;

constexpr int prose_max = 100;
constexpr auto clock_shown_from = 1ms;

struct widths {
  int time = 0;
  int local = 0;
  int where = 0;
};

/// What a node's own clock reads, or nothing where it is right.
std::string local_of(const step& s) {
  const sim_duration wrong = s.local.time_since_epoch() - s.t.time_since_epoch();
  const bool is_right = wrong < clock_shown_from && -wrong < clock_shown_from;
  return is_right ? "" : clock_time(s.local.time_since_epoch());
}

widths widths_of(const tale& t) {
  widths w{report::columns("true time"), report::columns("own clock"), 0};
  for (const step& s : t.steps) {
    w.time = std::max(w.time, report::columns(clock_time(s.t.time_since_epoch())));
    w.local = std::max(w.local, report::columns(local_of(s)));
    w.where = std::max(w.where, report::columns(name_of(s.where)));
  }
  return w;
}

void add_step(std::string& to, const step& s, const widths& w, const look& l) {
  const std::string head = report::right(clock_time(s.t.time_since_epoch()), w.time) + "  " +
                           painted(l, ink::dim, report::right(local_of(s), w.local)) + "  " +
                           painted(l, ink::bold, report::left(name_of(s.where), w.where)) + "  ";
  const int indent = 2 + w.time + 2 + w.local + 2 + w.where + 2;
  const int room = std::max(std::min(l.width, 120) - indent, 30);
  const std::string sign = s.is == mark::harm          ? painted(l, ink::bad, "! ")
                           : s.is == mark::unavoidable ? painted(l, ink::warn, "> ")
                                                       : "  ";
  bool first = true;
  std::string what = scenario::shown(s.what, 300);
  if (s.times > 1) {
    what += fmt::format(" ({} times, until {})", s.times, clock_time(s.last.time_since_epoch()));
  }
  for (const std::string& line : report::wrapped(what, room)) {
    const ink colour = s.is == mark::harm          ? ink::bad
                       : s.is == mark::unavoidable ? ink::warn
                                                   : ink::plain;
    to += first ? sign + head : std::string(static_cast<std::size_t>(indent), ' ');
    to += painted(l, colour, line) + "\n";
    first = false;
  }
}

void add_prose(std::string& to,
               const std::string& text,
               const look& l,
               const std::string& indent = "  ") {
  for (const std::string& line :
       report::wrapped(indent + text, std::min(l.width, prose_max), indent + "  ")) {
    to += line + "\n";
  }
}

std::string shown_figure(double value, const std::string& metric) {
  const metrics::entry* entry = metrics::find(metric);
  return report::shown(value, entry != nullptr ? entry->unit : metrics::unit::ratio);
}

void add_lesson(std::string& to,
                const lesson& learnt,
                const std::vector<trial>& trials,
                const look& l) {
  if (!learnt.because.empty()) {
    to += "\n";
    to +=
        painted(l,
                ink::bold,
                learnt.unavoidable ? fmt::format("Unavoidable from {} on ( > )",
                                                 clock_time(learnt.unavoidable->time_since_epoch()))
                                   : "Why") +
        "\n";
    add_prose(to, learnt.because + ".", l);
  }
  if (learnt.remedies.empty()) {
    return;
  }
  to += "\n" + painted(l, ink::bold, "What would have prevented it") + "\n";
  for (std::size_t i = 0; i < learnt.remedies.size(); ++i) {
    const remedy& r = learnt.remedies[i];
    add_prose(to, r.feature + ".", l);
    if (i >= trials.size() || trials[i].command.empty()) {
      continue;
    }
    const trial& tried = trials[i];
    if (tried.before && tried.after) {
      const bool helped = *tried.after < *tried.before;
      to += "    " +
            painted(l,
                    helped ? ink::good : ink::warn,
                    fmt::format("tried on the same seed: {} {} -> {}{}",
                                r.metric,
                                shown_figure(*tried.before, r.metric),
                                shown_figure(*tried.after, r.metric),
                                helped ? "" : ": here it did not help")) +
            "\n";
    }
    to += "    " + tried.command + "\n";
  }
}

}  // namespace

std::string told(const tale& t, const std::vector<trial>& trials, const look& l) {
  std::string text;
  for (const std::string& line :
       report::wrapped(scenario::shown(t.headline, 400), std::min(l.width, prose_max), "  ")) {
    text += painted(l, ink::bold, line) + "\n";
  }
  if (t.harm && t.harm->headline != t.headline) {
    add_prose(text, "Harm: " + scenario::shown(t.harm->headline, 400), l);
  }
  const widths w = widths_of(t);
  text += "\n" +
          painted(l,
                  ink::dim,
                  "  " + report::right("true time", w.time) + "  " +
                      report::right("own clock", w.local) + "  who") +
          "\n";
  for (const step& s : t.steps) {
    add_step(text, s, w, l);
  }
  if (t.left_out > 0) {
    add_prose(text,
              fmt::format("({} more; --from and --until show another part, --all everything)",
                          report::grouped(t.left_out)),
              l);
  }
  if (!t.crossings.empty()) {
    text += "\n" + painted(l, ink::bold, "On their way at the same time") + "\n";
    for (const std::string& each : t.crossings) {
      add_prose(text, each, l);
    }
  }
  if (t.learnt) {
    add_lesson(text, *t.learnt, trials, l);
  }
  return text;
}

}  // namespace dibs::show
