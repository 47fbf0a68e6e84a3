#include "report/tuning_text.hpp"

#include "report/tuning_harm_cells.hpp"
#include "report/tuning_table.hpp"
#include "report/verdict.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cmath>

namespace dibs::report {
namespace {

using text::text_colour;

constexpr int text_width = 100;

std::string percent(double share, int digits = 2) {
  return text::significant(100 * share, digits) + " %";
}

class tuning_writer {
 public:
  tuning_writer(const tune::tuning& t, const tuning_account& a, const text::terminal_style& l)
      : t_(t), a_(a), l_(l) {}

  std::string all() {
    heading();
    line();
    wrapped(verdict_of(t_), "");
    answer_lines();
    if (!t_.rows.empty()) {
      title(title_of_table());
      text_ += table_of_values(t_, t_, a_.shown.metrics, l_);
    }
    if (a_.shown.all && !t_.rows.empty()) {
      text_ += trade_off_of(t_, l_);
    }
    if (a_.shown.all || t_.rows.empty()) {
      ruled_out();
    }
    if (a_.holdout) {
      holdout();
    }
    if (a_.shown.all) {
      confidence();
    }
    broken();
    effort();
    return text_;
  }

 private:
  void line() { text_ += "\n"; }

  void line(const std::string& text) { text_ += text::paragraph(text, l_.width, "    "); }

  void wrapped(const std::string& text, const std::string& indent = "  ") {
    for (const std::string& each :
         text::word_wrapped(text, std::min(l_.width, text_width), indent)) {
      line(each);
    }
  }

  std::string title_of_table() const {
    return std::string("What each value ") +
           (t_.unjudged ? "cost in the runs of the search" : "costs") +
           (t_.paths.size() > 1 ? ", the others at their best" : "") +
           (t_.unjudged ? ", on seeds that confirm nothing" : "");
  }

  void title(const std::string& text) {
    line();
    line(coloured(l_, text_colour::bold, text));
  }

  std::string shown(const stats::estimate& f, text::unit u) const {
    return text::format_value(f, u, text::plus_minus(l_));
  }

  std::string shown_difference(const stats::estimate& f, text::unit u) const {
    return f.half_width() > 0 ? text::format_difference(f.value, f, u, text::plus_minus(l_))
                              : text::shown_difference(f.value, u);
  }

  std::string names(const sweep::parameter_values& c) const {
    std::string text;
    for (std::size_t i = 0; i < c.size(); ++i) {
      text += fmt::format("{}{} = {}", i > 0 ? ", " : "", t_.paths[i], c[i]);
    }
    return text;
  }

  void heading() {
    wrapped(fmt::format("{}   {}   seed {}",
                        coloured(l_, text_colour::bold, text::display_text(a_.name, 80)),
                        text::display_text(a_.question, 200),
                        a_.seed));
    wrapped(fmt::format(
        "{} {}", t_.wants_more ? "Most of" : "Least of", text::display_text(t_.objective, 300)));
    for (const sweep::derivation& d : a_.implied) {
      wrapped(fmt::format("{} follows: {}", d.path, d.expression));
    }
  }

  /// A grid over three fields has too many to list them all.
  void ruled_out() {
    constexpr std::size_t lines_max = 30;
    if (t_.ruled_out.empty()) {
      return;
    }
    line();
    line("What was tried, and why it cannot be chosen");
    text::table reasons{{{}, {}}, {}};
    for (const tune::rejected_point& r : t_.ruled_out) {
      reasons.rows.push_back({names(r.values), r.why});
    }
    auto lines = text::as_lines(reasons, l_, {.width = INT_MAX, .indent = 2});
    lines.resize(std::min(lines_max, lines.size()));
    for (const std::string& each : lines) {
      wrapped(each);
    }
    if (t_.ruled_out.size() > lines_max) {
      line(fmt::format("  and {} more; --format json has them all",
                       text::with_thousands(t_.ruled_out.size() - lines_max)));
    }
  }

  // -- the answer --------------------------------------------------------------------------------

  void answer_lines() {
    line();
    switch (t_.answer) {
      case tune::tuning_status::found:
        wrapped(coloured(l_, text_colour::good, "BEST") + "  " +
                coloured(l_, text_colour::bold, names(t_.best)) + interval_text());
        break;
      case tune::tuning_status::boundary:
        wrapped(coloured(l_, text_colour::warn, "BOUNDARY") + "  " + t_.why);
        break;
      case tune::tuning_status::flat:
        wrapped(coloured(l_, text_colour::warn, "FLAT") + "  " + t_.why);
        break;
      case tune::tuning_status::inconclusive:
        wrapped(coloured(l_, text_colour::warn, "INCONCLUSIVE") + "  " + t_.why);
        break;
      case tune::tuning_status::infeasible:
        wrapped(coloured(l_, text_colour::bad, "INFEASIBLE") + "  " + t_.why);
        break;
      case tune::tuning_status::unsafe:
        wrapped(coloured(l_, text_colour::bad, "UNSAFE") + "  " + t_.why);
        break;
    }
    if (t_.rows.empty() || t_.rows[t_.best_row].seeds < 2) {
      return;
    }
    best_lines();
  }

  std::string interval_text() const {
    std::string text;
    for (std::size_t i = 0; i < t_.interval.size(); ++i) {
      if (t_.interval[i]) {
        const auto& [low, high] = *t_.interval[i];
        text += fmt::format("{}{}{} to {}",
                            text.empty() ? "   (95 % interval " : "; ",
                            t_.interval.size() > 1 ? t_.paths[i] + " " : "",
                            low,
                            high);
      }
    }
    return text.empty() ? text : text + ")";
  }

  void best_lines() {
    const tune::row& best = t_.rows[t_.best_row];
    if (t_.answer != tune::tuning_status::found) {
      line(fmt::format("  {}  {}",
                       t_.is_cut_off                                    ? "best allowed"
                       : t_.answer == tune::tuning_status::inconclusive ? "best so far"
                                                                        : "best tried",
                       names(t_.best)));
    }
    if (best.objective) {
      line(fmt::format(
          "  objective   {} on {} {}",
          shown(*best.objective, t_.unit),
          text::with_thousands(best.seeds),
          t_.unjudged ? "seeds of the search, which chose it: not confirmed" : "fresh seeds"));
    }
    if (!best.is_today) {
      to_set(best);
    }
    what_is_what();
    as_good();
    wrapped("  safety      " + safety_of(best, text::plus_minus(l_)), "              ");
    for (const std::string& note : t_.notes) {
      wrapped("  note        " + note, "              ");
    }
    if (t_.answer == tune::tuning_status::found && !t_.why.empty()) {
      wrapped("  note        " + t_.why, "              ");
    }
    if (!t_.unjudged) {
      today_line();
    }
    for (const tune::constraint_check& c : t_.constraints) {
      line(c.only_refutable
               ? fmt::format("  constraint  {}: none seen, so at most {} (95 %, one-sided)",
                             c.text,
                             text::format_value(-c.at_least, c.unit))
               : fmt::format("  constraint  {}: room {}, at least {} (95 %, one-sided)",
                             c.text,
                             shown_difference(c.room, c.unit),
                             text::shown_difference(c.at_least, c.unit)));
    }
    threshold_lines(t_);
  }

  void threshold_lines(const tune::tuning& t) {
    for (const tune::threshold_check& c : t.thresholds) {
      line(fmt::format("  threshold   {} {} {}: {}",
                       c.met ? coloured(l_, text_colour::good, "met   ")
                             : coloured(l_, text_colour::bad, "MISSED"),
                       c.metric,
                       c.bound,
                       shown(c.found, c.unit)));
    }
  }

  void today_line() {
    const auto today =
        std::find_if(t_.rows.begin(), t_.rows.end(), [](const tune::row& r) { return r.is_today; });
    if (today == t_.rows.end() || today->status == tune::row_status::best) {
      return;
    }
    if (!today->why.empty()) {
      wrapped(fmt::format("  today       {} is out: {}", names(today->values), today->why),
              "              ");
    } else if (today->regret) {
      const bool is_better = today->regret->value < 0;
      tune::row by = *today;
      by.regret->value = std::abs(by.regret->value);
      const std::string amount = regret_of(by, t_, t_.unit, l_);
      line(fmt::format("  today       {} {}",
                       names(today->values),
                       t_.in_unit
                           ? fmt::format("is {} by {}", is_better ? "better" : "worse", amount)
                           : fmt::format("costs {} {}", amount, is_better ? "less" : "more")));
    }
  }

  /// The best as `--set` takes it, with what follows from it.
  void to_set(const tune::row& best) {
    std::string words;
    for (std::size_t i = 0; i < best.values.size(); ++i) {
      words += " --set " + text::shell_word(t_.paths[i] + "=" + best.values[i]);
    }
    for (const scenario::override_value& each : best.following) {
      words += " --set " + text::shell_word(each.path + "=" + each.value);
    }
    wrapped("  to set     " + words, "              ");
  }

  /// Two ranges stand below each other, and mean different things.
  void what_is_what() {
    const bool is_known =
        std::ranges::any_of(t_.interval, [](const auto& i) { return i.has_value(); });
    if (t_.answer == tune::tuning_status::found && is_known) {
      wrapped(
          "  interval    where the very best value lies, with 95 % confidence; near-optimal is "
          "what may be run as well",
          "              ");
    }
  }

  void as_good() {
    if (t_.set && t_.answer != tune::tuning_status::flat) {
      line(fmt::format("  near-optimal {} to {}: at most {} worse than the best (95 % confidence)",
                       (*t_.set)[0],
                       (*t_.set)[1],
                       percent(t_.told_delta)));
    } else if (!t_.near_optimal.empty() && t_.answer != tune::tuning_status::flat) {
      std::string all;
      for (const sweep::parameter_values& c : t_.near_optimal) {
        all += (all.empty() ? "" : "; ") + names(c);
      }
      wrapped(fmt::format("  near-optimal {}: at most {} worse than the best (95 % confidence)",
                          all,
                          percent(t_.told_delta)),
              "              ");
    } else if (!t_.set_why.empty()) {
      line("  near-optimal not determined: " + t_.set_why);
    }
  }

  // -- holdout, confidence -----------------------------------------------------------------------

  void holdout() {
    if (!a_.holdout->rows.empty()) {
      held_out();
      return;
    }
    line();
    line(fmt::format("The budget left no runs for {}.", a_.holdout_name));
  }

  void held_out() {
    const tune::tuning& h = *a_.holdout;
    const tune::row& best = h.rows[h.best_row];
    title(fmt::format("On {}, which had no part in the choice", a_.holdout_name));
    text_ += table_of_values(h, t_, a_.shown.metrics, l_);
    const tune::row* better = nullptr;
    for (const tune::row& r : h.rows) {
      if (r.status == tune::row_status::better &&
          (better == nullptr || r.regret->value < better->regret->value)) {
        better = &r;
      }
    }
    if (best.objective) {
      line(fmt::format("  objective   {} on {} seeds",
                       shown(*best.objective, t_.unit),
                       text::with_thousands(best.seeds)));
    }
    if (!best.why.empty()) {
      line(fmt::format("  {} is out there: {}", names(best.values), best.why));
    } else if (better == nullptr) {
      line("  No value is shown to be better there.");
    } else {
      line(fmt::format("  {} would be better there, by {}{}.",
                       names(better->values),
                       h.in_unit ? text::shown_difference(-better->regret->value, t_.unit)
                                 : percent(-better->regret->value),
                       h.in_unit ? "" : " of the objective"));
    }
    threshold_lines(h);
  }

  void confidence() {
    title("How sure");
    if (t_.selected) {
      selected();
    } else if (t_.selection_seeds > 0) {
      wrapped(
          fmt::format("  The budget ended the selection among {} on {} seeds before one was "
                      "left.{}",
                      text::with_thousands(contested()),
                      text::with_thousands(t_.selection_seeds),
                      others_out()));
    }
    common_seeds();
    if (!t_.broken) {
      wrapped(fmt::format("  The protocol's promises were kept in all {} runs.",
                          text::with_thousands(t_.spent.all() - t_.spent.pilots)));
    }
    wrapped(fmt::format(
        "  {}{} to screen, {} to select, {} to refine, {} on fresh seeds{}",
        t_.spent.pilots > 0
            ? fmt::format("{} runs for the warm-up, ", text::with_thousands(t_.spent.pilots))
            : "",
        text::plural(t_.spent.screening, "run"),
        text::with_thousands(t_.spent.selection),
        text::with_thousands(t_.spent.refinement),
        text::with_thousands(t_.spent.validation),
        a_.holdout ? fmt::format(", {} held out", text::with_thousands(a_.holdout->spent.all()))
                   : ""));
  }

  void broken() {
    if (!t_.broken) {
      return;
    }
    line();
    wrapped(fmt::format("BROKEN promise at {}: {}",
                        names(t_.broken_at),
                        text::display_text(t_.broken->violation, 300)));
    if (!a_.replay.empty()) {
      text_ += "  replay: " + a_.replay + "\n";  // to be pasted
    }
  }

  void effort() {
    line();
    wrapped(fmt::format(
        "{} in {}{}",
        text::plural(t_.spent.all() + (a_.holdout ? a_.holdout->spent.all() : 0), "run"),
        text::duration(a_.wall_s),
        a_.shown.all ? ""
                     : ". How sure that is, what was ruled out, what one harm is worth: --all"));
  }

  /// Of the grid's values those that could be chosen.
  std::size_t contested() const { return t_.screened - t_.left_out; }

  std::string others_out() const {
    return t_.left_out == 0 ? std::string()
                            : fmt::format(" Of {} values {} could not be chosen.",
                                          text::with_thousands(t_.screened),
                                          text::with_thousands(t_.left_out));
  }

  void selected() {
    if (contested() == 1) {
      wrapped(fmt::format("  The only one of {} values that could be chosen, by {} seeds.",
                          text::with_thousands(t_.screened),
                          text::with_thousands(t_.selection_seeds)));
      return;
    }
    wrapped(fmt::format(
        "  {} was chosen among {} by the procedure of Kim and Nelson on {} seeds: with {} "
        "probability "
        "none of them is better than it by more than {}.{}",
        names(t_.of_grid),
        text::with_thousands(contested()),
        text::with_thousands(t_.selection_seeds),
        percent(1 - t_.alpha),
        t_.selection_delta ? text::shown_difference(*t_.selection_delta, t_.unit)
                           : percent(t_.delta),
        others_out()));
  }

  void common_seeds() {
    if (t_.common_seeds.empty()) {
      return;
    }
    double least = INFINITY;
    double most = 0;
    bool constant = false;
    for (const tune::neighbours& n : t_.common_seeds) {
      constant = constant || !std::isfinite(n.reduction);
      if (std::isfinite(n.reduction)) {
        least = std::min(least, n.reduction);
        most = std::max(most, n.reduction);
      }
    }
    const auto times = [](double x) { return text::significant(x, 2); };
    if (constant) {
      wrapped("  On common seeds some neighbours differ by the same in every run.");
    }
    if (least > most) {
      return;
    }
    wrapped(least < 1
                ? fmt::format("  Common seeds do not always help here: a difference between "
                              "neighbours varies {} to {} times less than on separate seeds.",
                              times(least),
                              times(most))
                : fmt::format("  On common seeds a difference between neighbours varies {} to {} "
                              "times less than on separate ones.",
                              times(least),
                              times(most)));
  }

  const tune::tuning& t_;
  const tuning_account& a_;
  const text::terminal_style& l_;
  std::string text_;
};

}  // namespace

std::string_view name_of(tune::tuning_status a) {
  switch (a) {
    case tune::tuning_status::found:
      return "found";
    case tune::tuning_status::boundary:
      return "boundary";
    case tune::tuning_status::flat:
      return "flat";
    case tune::tuning_status::inconclusive:
      return "inconclusive";
    case tune::tuning_status::infeasible:
      return "infeasible";
    case tune::tuning_status::unsafe:
      return "unsafe";
  }
  return "";
}

std::string text_of(const tune::tuning& t, const tuning_account& a, const text::terminal_style& l) {
  return tuning_writer(t, a, l).all();
}

}  // namespace dibs::report
