#include "report/tuning_text.hpp"

#include "report/tuning_harm_cells.hpp"
#include "report/tuning_table.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dibs::study {
namespace {

using report::ink;

constexpr int text_width = 100;

std::string percent(double share, int digits = 2) {
  return report::significant(100 * share, digits) + " %";
}

class tuning_writer {
 public:
  tuning_writer(const tuning& t, const tuning_account& a, const report::look& l)
      : t_(t), a_(a), l_(l) {}

  std::string all() {
    heading();
    answer_lines();
    if (!t_.rows.empty()) {
      title(title_of_table());
      text_ += table_of_values(t_, t_, l_) + trade_off_of(t_, l_);
    }
    ruled_out();
    if (a_.holdout) {
      holdout();
    }
    confidence();
    return text_;
  }

 private:
  void line() { text_ += "\n"; }

  void line(const std::string& text) {
    for (const std::string& each : report::wrapped(text, l_.width, "    ")) {
      text_ += each + "\n";
    }
  }

  void wrapped(const std::string& text, const std::string& indent = "  ") {
    for (const std::string& each : report::wrapped(text, std::min(l_.width, text_width), indent)) {
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
    line(painted(l_, ink::bold, text));
  }

  std::string shown(const stats::estimate& f, metrics::unit u) const {
    return report::shown(f, u, report::plus_minus(l_));
  }

  std::string shown_difference(const stats::estimate& f, metrics::unit u) const {
    return f.half_width() > 0 ? report::shown_beside(f.value, f, u, report::plus_minus(l_))
                              : report::shown_difference(f.value, u);
  }

  std::string names(const choice& c) const {
    std::string text;
    for (std::size_t i = 0; i < c.size(); ++i) {
      text += fmt::format("{}{} = {}", i > 0 ? ", " : "", t_.paths[i], c[i]);
    }
    return text;
  }

  void heading() {
    wrapped(fmt::format("{}   {}   seed {}",
                        painted(l_, ink::bold, scenario::shown(a_.name, 80)),
                        scenario::shown(a_.question, 200),
                        a_.seed));
    wrapped(fmt::format(
        "{} {}", t_.wants_more ? "Most of" : "Least of", scenario::shown(t_.objective, 300)));
    for (const derivation& d : a_.implied) {
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
    std::size_t widest = 0;
    for (const study::ruled_out& r : t_.ruled_out) {
      widest = std::max(widest, names(r.values).size());
    }
    for (std::size_t i = 0; i < std::min(lines_max, t_.ruled_out.size()); ++i) {
      const study::ruled_out& r = t_.ruled_out[i];
      wrapped(fmt::format("  {:<{}}  {}", names(r.values), widest, r.why));
    }
    if (t_.ruled_out.size() > lines_max) {
      line(fmt::format("  and {} more; --format json has them all",
                       report::grouped(t_.ruled_out.size() - lines_max)));
    }
  }

  // -- the answer --------------------------------------------------------------------------------

  void answer_lines() {
    line();
    switch (t_.answer) {
      case answer::found:
        wrapped(painted(l_, ink::good, "BEST") + "  " + painted(l_, ink::bold, names(t_.best)) +
                interval_text());
        break;
      case answer::boundary:
        wrapped(painted(l_, ink::warn, "BOUNDARY") + "  " + t_.why);
        break;
      case answer::flat:
        wrapped(painted(l_, ink::warn, "FLAT") + "  " + t_.why);
        break;
      case answer::inconclusive:
        wrapped(painted(l_, ink::warn, "INCONCLUSIVE") + "  " + t_.why);
        break;
      case answer::infeasible:
        wrapped(painted(l_, ink::bad, "INFEASIBLE") + "  " + t_.why);
        break;
      case answer::unsafe:
        wrapped(painted(l_, ink::bad, "UNSAFE") + "  " + t_.why);
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
    const row& best = t_.rows[t_.best_row];
    if (t_.answer != answer::found) {
      line(fmt::format("  {}  {}",
                       t_.is_cut_off                       ? "best allowed"
                       : t_.answer == answer::inconclusive ? "best so far"
                                                           : "best tried",
                       names(t_.best)));
    }
    if (best.objective) {
      line(fmt::format(
          "  objective   {} on {} {}",
          shown(*best.objective, t_.unit),
          report::grouped(best.seeds),
          t_.unjudged ? "seeds of the search, which chose it: not confirmed" : "fresh seeds"));
    }
    as_good();
    wrapped("  safety      " + safety_of(best, report::plus_minus(l_)), "              ");
    for (const std::string& note : t_.notes) {
      wrapped("  note        " + note, "              ");
    }
    if (t_.answer == answer::found && !t_.why.empty()) {
      wrapped("  note        " + t_.why, "              ");
    }
    if (!t_.unjudged) {
      today_line();
    }
    for (const constraint_check& c : t_.constraints) {
      line(c.only_refutable
               ? fmt::format("  constraint  {}: none seen, so at most {} (95 %, one-sided)",
                             c.text,
                             report::shown(-c.at_least, c.unit))
               : fmt::format("  constraint  {}: room {}, at least {} (95 %, one-sided)",
                             c.text,
                             shown_difference(c.room, c.unit),
                             report::shown_difference(c.at_least, c.unit)));
    }
    for (const threshold_check& c : t_.thresholds) {
      line(fmt::format("  threshold   {} {} {}: {}",
                       c.met ? painted(l_, ink::good, "met   ") : painted(l_, ink::bad, "MISSED"),
                       c.metric,
                       c.bound,
                       shown(c.found, c.unit)));
    }
  }

  void today_line() {
    const auto today =
        std::find_if(t_.rows.begin(), t_.rows.end(), [](const row& r) { return r.is_today; });
    if (today == t_.rows.end() || today->standing == standing::best) {
      return;
    }
    if (!today->why.empty()) {
      wrapped(fmt::format("  today       {} is out: {}", names(today->values), today->why),
              "              ");
    } else if (today->regret) {
      const bool is_better = today->regret->value < 0;
      row by = *today;
      by.regret->value = std::abs(by.regret->value);
      const std::string amount = regret_of(by, t_, t_.unit, l_);
      line(fmt::format("  today       {} {}",
                       names(today->values),
                       t_.in_unit
                           ? fmt::format("is {} by {}", is_better ? "better" : "worse", amount)
                           : fmt::format("costs {} {}", amount, is_better ? "less" : "more")));
    }
  }

  void as_good() {
    if (t_.set && t_.answer != answer::flat) {
      line(fmt::format("  near-optimal {} to {}: at most {} worse than the best (95 % confidence)",
                       (*t_.set)[0],
                       (*t_.set)[1],
                       percent(t_.delta)));
    } else if (!t_.as_good.empty() && t_.answer != answer::flat) {
      std::string all;
      for (const choice& c : t_.as_good) {
        all += (all.empty() ? "" : "; ") + names(c);
      }
      wrapped(fmt::format("  near-optimal {}: at most {} worse than the best (95 % confidence)",
                          all,
                          percent(t_.delta)),
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
    const tuning& h = *a_.holdout;
    const row& best = h.rows[h.best_row];
    title(fmt::format("On {}, which had no part in the choice", a_.holdout_name));
    text_ += table_of_values(h, t_, l_);
    const row* better = nullptr;
    for (const row& r : h.rows) {
      if (r.standing == standing::better &&
          (better == nullptr || r.regret->value < better->regret->value)) {
        better = &r;
      }
    }
    if (best.objective) {
      line(fmt::format("  objective   {} on {} seeds",
                       shown(*best.objective, t_.unit),
                       report::grouped(best.seeds)));
    }
    if (!best.why.empty()) {
      line(fmt::format("  {} is out there: {}", names(best.values), best.why));
    } else if (better == nullptr) {
      line("  No value is shown to be better there.");
    } else {
      line(fmt::format("  {} would be better there, by {}{}.",
                       names(better->values),
                       h.in_unit ? report::shown_difference(-better->regret->value, t_.unit)
                                 : percent(-better->regret->value),
                       h.in_unit ? "" : " of the objective"));
    }
    for (const threshold_check& c : h.thresholds) {
      line(fmt::format("  threshold   {} {} {}: {}",
                       c.met ? painted(l_, ink::good, "met   ") : painted(l_, ink::bad, "MISSED"),
                       c.metric,
                       c.bound,
                       shown(c.found, c.unit)));
    }
  }

  void confidence() {
    title("How sure");
    if (t_.selected) {
      selected();
    } else if (t_.selection_seeds > 0) {
      wrapped(
          fmt::format("  The budget ended the selection among {} on {} seeds before one was "
                      "left.{}",
                      report::grouped(contested()),
                      report::grouped(t_.selection_seeds),
                      others_out()));
    }
    common_seeds();
    if (t_.broken) {
      wrapped(fmt::format("  BROKEN promise at {}: {}",
                          names(t_.broken_at),
                          scenario::shown(t_.broken->breach, 300)));
      if (!a_.replay.empty()) {
        text_ += "  replay: " + a_.replay + "\n";  // to be pasted
      }
    } else {
      wrapped(fmt::format("  The protocol's promises were kept in all {} runs.",
                          report::grouped(t_.spent.all() - t_.spent.pilots)));
    }
    wrapped(fmt::format(
        "  {} runs: {}{} to screen, {} to select, {} to refine, {} on fresh seeds{}; {}",
        report::grouped(t_.spent.all() + (a_.holdout ? a_.holdout->spent.all() : 0)),
        t_.spent.pilots > 0 ? fmt::format("{} for the warm-up, ", report::grouped(t_.spent.pilots))
                            : "",
        report::grouped(t_.spent.screening),
        report::grouped(t_.spent.selection),
        report::grouped(t_.spent.refinement),
        report::grouped(t_.spent.verdict),
        a_.holdout ? fmt::format(", {} held out", report::grouped(a_.holdout->spent.all())) : "",
        report::duration(a_.wall_s)));
  }

  /// Of the grid's values those that could be chosen.
  std::size_t contested() const { return t_.screened - t_.left_out; }

  std::string others_out() const {
    return t_.left_out == 0 ? std::string()
                            : fmt::format(" Of {} values {} could not be chosen.",
                                          report::grouped(t_.screened),
                                          report::grouped(t_.left_out));
  }

  void selected() {
    if (contested() == 1) {
      wrapped(fmt::format("  The only one of {} values that could be chosen, by {} seeds.",
                          report::grouped(t_.screened),
                          report::grouped(t_.selection_seeds)));
      return;
    }
    wrapped(fmt::format(
        "  {} was chosen among {} by the procedure of Kim and Nelson on {} seeds: with {} "
        "probability "
        "none of them is better than it by more than {}.{}",
        names(t_.of_grid),
        report::grouped(contested()),
        report::grouped(t_.selection_seeds),
        percent(1 - t_.alpha),
        t_.selection_delta ? report::shown_difference(*t_.selection_delta, t_.unit)
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
    for (const neighbours& n : t_.common_seeds) {
      constant = constant || !std::isfinite(n.reduction);
      if (std::isfinite(n.reduction)) {
        least = std::min(least, n.reduction);
        most = std::max(most, n.reduction);
      }
    }
    const auto times = [](double x) { return report::significant(x, 2); };
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

  const tuning& t_;
  const tuning_account& a_;
  const report::look& l_;
  std::string text_;
};

}  // namespace

std::string_view name_of(answer a) {
  switch (a) {
    case answer::found:
      return "found";
    case answer::boundary:
      return "boundary";
    case answer::flat:
      return "flat";
    case answer::inconclusive:
      return "inconclusive";
    case answer::infeasible:
      return "infeasible";
    case answer::unsafe:
      return "unsafe";
  }
  return "";
}

std::string text_of(const tuning& t, const tuning_account& a, const report::look& l) {
  return tuning_writer(t, a, l).all();
}

}  // namespace dibs::study
