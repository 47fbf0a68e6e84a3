#include "report/explanation_text.hpp"

#include "history/event_text.hpp"
#include "metrics/catalogue.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace dibs::report {
namespace {

using text::coloured;
using text::terminal_style;
using text::text_colour;

constexpr int prose_max = 100;
constexpr auto clock_shown_from = 1ms;

bool was_tried(const explain::counterfactual& t) {
  return explain::outcome_of(t) != explain::counterfactual_outcome::untried;
}
bool prevents(const explain::counterfactual& t) {
  return explain::outcome_of(t) == explain::counterfactual_outcome::prevents;
}

struct widths {
  int time = 0;
  int local = 0;
  int where = 0;
};

/// What a node's own clock reads, or nothing where it is right.
std::string local_of(const explain::timeline_step& s) {
  const sim_duration wrong = s.local.time_since_epoch() - s.t.time_since_epoch();
  const bool is_right = wrong < clock_shown_from && -wrong < clock_shown_from;
  return is_right ? "" : history::clock_time(s.local.time_since_epoch());
}

std::string who_of(const explain::timeline_step& s) {
  return s.is_event ? history::name_of(s.where) : "";
}

widths widths_of(const explain::explanation& t) {
  widths w{text::columns("true time"), text::columns("own clock"), 0};
  for (const explain::timeline_step& s : t.steps) {
    w.time = std::max(w.time, text::columns(history::clock_time(s.t.time_since_epoch())));
    w.local = std::max(w.local, text::columns(local_of(s)));
    w.where = std::max(w.where, text::columns(who_of(s)));
  }
  return w;
}

std::string left_out(std::size_t n) { return text::plural(n, "step", "steps") + " left out"; }

void add_step(std::string& to,
              const explain::timeline_step& s,
              const widths& w,
              const terminal_style& l) {
  if (s.skipped > 0) {
    to += coloured(
        l, text_colour::dim, "  " + text::right("...", w.time) + "  " + left_out(s.skipped) + "\n");
  }
  const std::string head = text::right(history::clock_time(s.t.time_since_epoch()), w.time) + "  " +
                           coloured(l, text_colour::dim, text::right(local_of(s), w.local)) + "  " +
                           coloured(l, text_colour::bold, text::left(who_of(s), w.where)) + "  ";
  const int indent = 2 + w.time + 2 + w.local + 2 + w.where + 2;
  const int room = std::max(std::min(l.width, 120) - indent, 30);
  const bool turns = s.is == explain::step_mark::unavoidable || s.is == explain::step_mark::decided;
  const std::string sign = s.is == explain::step_mark::harm ? coloured(l, text_colour::bad, "! ")
                           : turns                          ? coloured(l, text_colour::warn, "> ")
                                                            : "  ";
  bool first = true;
  for (const std::string& line :
       text::word_wrapped(text::display_text(report::describe(s), 400), room)) {
    const text_colour colour = s.is == explain::step_mark::harm ? text_colour::bad
                               : turns                          ? text_colour::warn
                                                                : text_colour::plain;
    to += first ? sign + head : std::string(static_cast<std::size_t>(indent), ' ');
    to += coloured(l, colour, line) + "\n";
    first = false;
  }
}

void add_prose(std::string& to,
               const std::string& text,
               const terminal_style& l,
               const std::string& indent = "  ") {
  to += text::paragraph(indent + text, std::min(l.width, prose_max), indent + "  ");
}

std::string shown_figure(double value, const std::string& metric) {
  const metrics::entry* entry = metrics::find(metric);
  return text::format_value(value, entry != nullptr ? entry->unit : text::unit::ratio);
}

/// No branch knows better when it was made.
bool is_decided_by_events(const explain::explanation& t) {
  return t.learnt && t.decided() && !t.learnt->reason.empty() && t.turn &&
         t.turn->by != explain::inconclusive_reason::none;
}

bool has_mark(const explain::explanation& t, explain::step_mark is) {
  return std::any_of(
      t.steps.begin(), t.steps.end(), [is](const explain::timeline_step& s) { return s.is == is; });
}

/// The sign of the step that is marked for this instant: that of the harm, where the harm follows
/// in the same millisecond.
std::string sign_of(const explain::explanation& t, explain::step_mark is, sim_time when) {
  const bool is_harm =
      std::any_of(t.steps.begin(), t.steps.end(), [&](const explain::timeline_step& s) {
        return s.is == explain::step_mark::harm && s.t <= when && when - s.t <= 1ms;
      });
  return has_mark(t, is) ? " ( > )" : is_harm ? " ( ! )" : "";
}

std::string sign_of_heading(const explain::explanation& t) {
  if (const auto turn = t.unavoidable()) {
    return sign_of(t, explain::step_mark::unavoidable, *turn);
  }
  const bool tells_decision =
      t.decided() && (!t.turn || t.turn->by != explain::inconclusive_reason::none);
  return tells_decision ? sign_of(t, explain::step_mark::decided, *t.decided()) : "";
}

void add_why(std::string& to, const explain::explanation& t, const terminal_style& l) {
  to += "\n" + coloured(l, text_colour::bold, explanation_heading(t) + sign_of_heading(t)) + "\n";
  std::string prefix = because_prefix(t);
  prefix += !prefix.empty() && has_mark(t, explain::step_mark::decided) ? " ( > )" : "";
  const std::string events = prefix + (prefix.empty() ? "" : ": ") + t.learnt->reason + ".";
  const bool by_events = is_decided_by_events(t);
  if (by_events) {
    add_prose(to, events, l);
  }
  if (t.turn) {
    add_prose(to, "by branches of the run: " + report::describe(*t.turn) + ".", l);
  }
  if (!by_events && !t.learnt->reason.empty()) {
    add_prose(to, events, l);
  } else if (!by_events && !t.turn) {
    add_prose(to, "not known: no event tells, and no branch of the run was tried.", l);
  }
}

std::string describe(const explain::change& c) {
  return fmt::format(
      "{} {} -> {}", c.metric, shown_figure(c.before, c.metric), shown_figure(c.after, c.metric));
}

void add_trial(std::string& to, const explain::counterfactual& tried, const terminal_style& l) {
  for (const std::string& line : text::word_wrapped(
           "    " + report::describe(tried), std::min(l.width, prose_max), "      ")) {
    to += coloured(l, is_good(tried) ? text_colour::good : text_colour::warn, line) + "\n";
  }
  std::string besides;
  for (const explain::change& c : tried.besides) {
    if (c.metric != tried.what.metric) {
      besides += (besides.empty() ? "besides: " : ", ") + describe(c);
    }
  }
  if (!tried.ride_outcome.empty()) {
    besides += (besides.empty() ? "" : "; ") + tried.ride_outcome;
  }
  if (!besides.empty()) {
    add_prose(to, besides, l, "    ");
  }
  for (const std::string& bound : tried.missed) {
    add_prose(to, "a threshold is missed that the run met: " + bound, l, "    ");
  }
}

void add_remedies(std::string& to,
                  const explain::explanation& t,
                  const std::vector<explain::counterfactual>& trials,
                  const terminal_style& l) {
  to += "\n" + coloured(l, text_colour::bold, explanation_heading(trials)) + "\n";
  for (const explain::counterfactual& tried : notable_counterfactuals(trials)) {
    add_prose(to, tried.what.feature + ".", l);
    if (was_tried(tried)) {
      add_trial(to, tried, l);
    }
    if (!tried.command.empty()) {
      to += "    " + tried.command + "\n";
    }
  }
  if (const std::string sum = explanation_summary(t, trials); !sum.empty()) {
    add_prose(to, sum + ".", l);
  }
}

/// `with everything healed`, and what that means.
std::string healed(const explain::point_of_no_return& t) {
  return t.by_healing == explain::healing_scope::everything ? "with everything healed"
                                                            : "with all that goes wrong healed";
}

std::string meaning_of(const explain::point_of_no_return& t) {
  return t.by_healing == explain::healing_scope::everything
             ? "(nothing lost, late, down or wrong any more)"
             : "(nothing lost, down or wrong any more, messages as slow as ever)";
}

std::string told_of_chance(const explain::point_of_no_return& turn, const std::string& runs) {
  const auto shown = [](sim_time t) { return history::clock_time(t.time_since_epoch()); };
  if (turn.by == explain::inconclusive_reason::before) {
    return fmt::format(
        "{} {} from {} on, where its story begins, it happens all the same; healed from the "
        "beginning of the run on it does not, for the run has taken another course by then ({})",
        healed(turn),
        meaning_of(turn),
        shown(*turn.first_unavoidable),
        runs);
  }
  if (turn.by == explain::inconclusive_reason::rules) {
    return fmt::format(
        "{} {} from {} on, before its first try, or from any later instant that was tried, it "
        "happens all the same: nothing that goes wrong then made it, and only other rules or other "
        "answers would have prevented it; healed from {} on the run takes another course, in which "
        "it does not happen ({})",
        healed(turn),
        meaning_of(turn),
        shown(*turn.first_unavoidable),
        shown(*turn.last_avoidable),
        runs);
  }
  const std::string found = fmt::format("{} from {} on it does not happen, from {} on it does",
                                        healed(turn),
                                        shown(*turn.last_avoidable),
                                        shown(*turn.first_unavoidable));
  if (turn.by == explain::inconclusive_reason::courses) {
    return fmt::format(
        "{}, and from {} on it {} again: healing sends the run on another course each time, and "
        "the events alone tell what decided it ({})",
        found,
        shown(*turn.otherwise),
        *turn.otherwise < *turn.last_avoidable ? "does" : "does not",
        runs);
  }
  if (turn.by == explain::inconclusive_reason::mixed) {
    return fmt::format(
        "{}, and from {} on it {} again: by chance the run takes another course each time, and no "
        "branch tells what decided it ({})",
        found,
        shown(*turn.otherwise),
        *turn.otherwise < *turn.last_avoidable ? "does" : "does not",
        runs);
  }
  return fmt::format(
      "{}; nothing of its story happens then, and why it turns is not known ({})", found, runs);
}

}  // namespace

std::string explanation_heading(const explain::explanation& t) {
  if (const auto turn = t.unavoidable()) {
    return fmt::format("Unavoidable from {} on", history::clock_time(turn->time_since_epoch()));
  }
  const auto decided = t.decided();
  if (t.turn && t.turn->by != explain::inconclusive_reason::none && !decided) {
    return t.turn->by == explain::inconclusive_reason::before
               ? "Unavoidable since its story began"
               : "No single moment made it unavoidable";
  }
  if (t.turn && t.turn->by == explain::inconclusive_reason::none) {
    return !t.turn->last_avoidable ? "Unavoidable from the start"
           : t.turn->since         ? "Avoidable while it lasted"
                                   : "Avoidable until it happened";
  }
  return decided ? fmt::format("Decided at {}", history::clock_time(decided->time_since_epoch()))
                 : "Why";
}

std::string explanation_heading(const std::vector<explain::counterfactual>& trials) {
  if (std::any_of(trials.begin(), trials.end(), prevents)) {
    return "What would have prevented it";
  }
  if (std::any_of(trials.begin(), trials.end(), explain::helps_others)) {
    return "What would have prevented most harms of its kind, and not this one";
  }
  return trials.empty() || std::any_of(trials.begin(), trials.end(), was_tried)
             ? "What would have prevented it is not known"
             : "What may prevent it, and was not tried";
}

namespace {

/// Of those that help others: what goes for the cause, or else the one that helps most of them.
bool is_best_for_others(const explain::counterfactual& t,
                        const std::vector<explain::counterfactual>& trials) {
  const auto is_better = [&](const explain::counterfactual& other) {
    return explain::helps_others(other) &&
           std::pair(other.is_further, *other.after) < std::pair(t.is_further, *t.after);
  };
  return explain::helps_others(t) &&
         (!t.is_further || std::none_of(trials.begin(), trials.end(), is_better));
}

bool is_worth_telling(const explain::counterfactual& t,
                      const std::vector<explain::counterfactual>& trials) {
  if (std::none_of(trials.begin(), trials.end(), was_tried)) {
    return true;
  }
  const bool helps = std::any_of(trials.begin(), trials.end(), prevents);
  return helps ? prevents(t) : is_best_for_others(t, trials);
}

}  // namespace

std::vector<explain::counterfactual> notable_counterfactuals(
    const std::vector<explain::counterfactual>& trials) {
  std::vector<explain::counterfactual> all;
  std::copy_if(
      trials.begin(), trials.end(), std::back_inserter(all), [&](const explain::counterfactual& t) {
        return is_worth_telling(t, trials);
      });
  return all;
}

bool is_good(const explain::counterfactual& tried) {
  return prevents(tried) && tried.missed.empty();
}

std::string outcome_text(const explain::counterfactual& tried) {
  switch (explain::outcome_of(tried)) {
    case explain::counterfactual_outcome::trades:
      return explain::has_more_doubles(tried)
                 ? "spares this one, and puts more drivers on two trips"
             : explain::serves_nobody(tried) ? "spares this one, and no rider gets a driver"
             : explain::serves_far_fewer(tried)
                 ? "spares this one, and far fewer riders get a driver"
             : explain::has_more_of_it(tried) ? "spares this one, and more others suffer it"
                                              : "spares this one, and others suffer it";
    case explain::counterfactual_outcome::loses:
      return "spares this one, but its ride leaves";
    case explain::counterfactual_outcome::fails:
      return explain::helps_others(tried) ? "fewer suffer it, but this one does" : "";
    case explain::counterfactual_outcome::prevents:
      return "prevents it";
    case explain::counterfactual_outcome::untried:
      break;
  }
  return "";
}

namespace {

/// By how much a harm that lasts has to be shorter to be gone (`harm_detector.hpp`).
std::string measure_of(const explain::harm& b) {
  if (b.broken ||
      (b.harm != metrics::harm_kind::hiding_lease && b.harm != metrics::harm_kind::starved_ride)) {
    return "";
  }
  return b.harm == metrics::harm_kind::starved_ride
             ? " (to help, it has to be blocked for less than half as long)"
             : " (to help, no lease of the ride may hide a driver for two thirds as long, or for "
               "clearly less where the figure is clearly lower too)";
}

}  // namespace

std::string explanation_summary(const explain::explanation& t,
                                const std::vector<explain::counterfactual>& trials) {
  if (trials.empty()) {
    const bool was_run = t.turn.has_value() || t.learnt->further.empty();
    return was_run
               ? "no feature of a protocol goes for this, so none was tried"
               : "nothing is known here that goes for the cause alone; other features are tried "
                 "by `dibs explain` where the run can be repeated, without --quick";
  }
  std::string vain;
  for (const explain::counterfactual& each : trials) {
    if (is_worth_telling(each, trials)) {
      continue;
    }
    std::string set;
    for (const scenario::override_value& o : each.what.set) {
      set += (set.empty() ? "" : " ") + o.path + "=" + o.value;
    }
    const std::string all_the_same = outcome_text(each);
    vain += (vain.empty() ? "`" : ", `") + set + "`" +
            (all_the_same.empty() ? "" : " (" + all_the_same + ")");
  }
  if (vain.empty()) {
    return "";
  }
  const bool is_some = !notable_counterfactuals(trials).empty();
  const auto tried =
      static_cast<std::size_t>(std::count_if(trials.begin(), trials.end(), was_tried));
  const std::string& metric = trials.front().what.metric;
  return (is_some ? std::string("tried as well, without success")
          : tried == 1
              ? fmt::format(
                    "the one feature that was tried on the same seed does not spare it and lower "
                    "{}",
                    metric)
              : fmt::format(
                    "none of the {} features that were tried on the same seed spares it and "
                    "lowers {}",
                    tried,
                    metric)) +
         measure_of(*t.harm) + ": " + vain;
}

std::string describe(const explain::counterfactual& tried) {
  const explain::change figure{
      tried.what.metric, tried.before.value_or(0), tried.after.value_or(0)};
  const std::string& fate = explain::outcome_of(tried) == explain::counterfactual_outcome::fails
                                ? tried.suffered
                                : tried.effect;
  return "tried on the same seed: " + fate + "; " + describe(figure);
}

std::string because_prefix(const explain::explanation& t) {
  const auto decided = t.decided();
  const bool is_apart = t.turn && decided && decided != t.unavoidable() && !is_decided_by_events(t);
  return is_apart ? "by its events, decided at " + history::clock_time(decided->time_since_epoch())
                  : "";
}

std::string describe(const explain::point_of_no_return& turn) {
  const auto shown = [](sim_time t) { return history::clock_time(t.time_since_epoch()); };
  const std::string runs = text::plural(turn.runs, "run") + " of the same seed";
  if (turn.by != explain::inconclusive_reason::none) {
    return told_of_chance(turn, runs);
  }
  const std::string_view gone = turn.is_by_length
                                    ? "no lease of its ride hides a driver for two thirds as long"
                                    : "it does not happen";
  if (!turn.last_avoidable) {
    return fmt::format(
        "it happens even in a world in which nothing is ever lost, late, down or "
        "wrong ({}): only other rules or other answers would have prevented it",
        runs);
  }
  if (turn.since && *turn.last_avoidable >= *turn.since) {
    const std::string late = fmt::format(
        "{} as late as {}, when it had been blocked for {}, it is blocked for less than half "
        "as long",
        healed(turn),
        shown(*turn.last_avoidable),
        text::duration(*turn.last_avoidable - *turn.since));
    return turn.first_unavoidable ? fmt::format("{}; from {} on for half as long or longer ({})",
                                                late,
                                                shown(*turn.first_unavoidable),
                                                runs)
                                  : fmt::format("{} ({})", late, runs);
  }
  if (!turn.first_unavoidable) {
    return fmt::format("{} at {} {} ({})", healed(turn), shown(*turn.last_avoidable), gone, runs);
  }
  return fmt::format("{} from {} on {} {}, from {} on {} ({})",
                     healed(turn),
                     shown(*turn.last_avoidable),
                     meaning_of(turn),
                     gone,
                     shown(*turn.first_unavoidable),
                     turn.is_by_length ? "one does" : "it does",
                     runs);
}

std::string describe(const explain::timeline_step& s) {
  return s.times > 1 ? fmt::format("{} ({} times, until {})",
                                   s.what,
                                   s.times,
                                   history::clock_time(s.last.time_since_epoch()))
                     : s.what;
}

std::string describe(const explain::explanation& t, const terminal_style& l) {
  std::string text;
  for (const std::string& line : text::word_wrapped(
           text::display_text(t.headline, 400), std::min(l.width, prose_max), "  ")) {
    text += coloured(l, text_colour::bold, line) + "\n";
  }
  if (t.harm && t.harm->headline != t.headline) {
    add_prose(text, "Harm: " + text::display_text(t.harm->headline, 400), l);
  }
  if (!t.besides.empty()) {
    add_prose(text, t.besides, l);
  }
  const widths w = widths_of(t);
  text += "\n" +
          coloured(l,
                   text_colour::dim,
                   "  " + text::right("true time", w.time) + "  " +
                       text::right("own clock", w.local) + "  who") +
          "\n";
  for (const explain::timeline_step& s : t.steps) {
    add_step(text, s, w, l);
  }
  const bool some_are_off =
      std::any_of(t.steps.begin(), t.steps.end(), [](const explain::timeline_step& s) {
        return !local_of(s).empty();
      });
  if (some_are_off) {
    add_prose(text,
              t.by_wall ? "(Own clock: the wall clock, off which deadlines are read here; shown "
                          "where it is wrong.)"
                        : "(Own clock: the one on which the node's timers run; shown where it is "
                          "wrong.)",
              l);
  }
  if (t.left_out > 0) {
    add_prose(text,
              fmt::format("({} in all; --from and --until show another part, --all everything)",
                          left_out(t.left_out)),
              l);
  }
  if (!t.crossings.empty()) {
    text += "\n" + coloured(l, text_colour::bold, "On their way at the same time") + "\n";
    for (const std::string& each : t.crossings) {
      add_prose(text, each, l);
    }
  }
  if (t.learnt) {
    add_why(text, t, l);
  }
  return text;
}

std::string describe(const explain::explanation& t,
                     const std::vector<explain::counterfactual>& trials,
                     const terminal_style& l) {
  std::string text = describe(t, l);
  if (t.learnt) {
    add_remedies(text, t, trials, l);
  }
  return text;
}

}  // namespace dibs::report
