#include "report/run_summary.hpp"

#include "report/harm_section.hpp"
#include "report/promise_section.hpp"
#include "report/service_section.hpp"
#include "report/text_lines.hpp"
#include "report/verdict.hpp"
#include "results/headline_harm.hpp"
#include "scenario/warnings.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace dibs::report {
namespace {

constexpr std::size_t notables_max = 3;

/// Tables take the width that there is; sentences read better in shorter lines.
int prose_width(const text::terminal_style& l) { return std::min(l.width, 100); }

std::string lease_words(const scenario::scenario& s) {
  const lease::rules& rules = lease::rules_of(s.lease.protocol);
  const std::string ttl = text::duration(s.lease.ttl);
  if (rules.leases && !rules.expires) {
    return fmt::format("{} (no expiry), offers of {}",
                       rules.name,
                       text::duration(s.lease.offer_window.value_or(s.lease.ttl)));
  }
  return rules.leases ? fmt::format("{}, TTL {}", rules.name, ttl)
                      : fmt::format("{} (no lease), offers of {}",
                                    rules.name,
                                    text::duration(s.lease.offer_window.value_or(s.lease.ttl)));
}

std::size_t finished_runs(const results::run_results& a) {
  return static_cast<std::size_t>(std::count_if(
      a.runs.begin(), a.runs.end(), [](const engine::run_result& r) { return !r.interrupted; }));
}

/// How far an interrupted run came, and what its figures are of.
std::string interruption(const results::run_results& a) {
  if (const std::size_t finished = finished_runs(a); finished > 0) {
    return fmt::format("INTERRUPTED: {} of {} finished; the figures are of {} alone.",
                       text::with_thousands(finished),
                       text::plural(a.runs_asked, "run"),
                       finished == 1 ? "that one" : "those");
  }
  sim_time reached{};
  for (const engine::run_result& r : a.runs) {
    reached = std::max(reached, r.reached);
  }
  const std::string where = fmt::format("{} of {}",
                                        text::duration(reached.time_since_epoch()),
                                        text::duration(a.scenario.ends().time_since_epoch()));
  return a.runs_asked == 1
             ? fmt::format("INTERRUPTED at {}: the figures are of that part alone.", where)
             : fmt::format(
                   "INTERRUPTED: none of {} finished; the figures are of what was begun, at most "
                   "{}.",
                   text::plural(a.runs_asked, "run"),
                   where);
}

/// Why no ride could be served, if no matcher ever had a driver to offer it to.
lines_of no_supply(const results::run_results& a,
                   const results::metric_estimates& f,
                   const text::terminal_style& l) {
  const auto asked = f.find("rides.requested");
  const auto offers = f.find("offers.sent");
  if (!asked || !offers || asked->value == 0 || offers->value > 0) {
    return {};
  }
  const scenario::matcher_options& m = a.scenario.matchers;
  const bool map =
      a.scenario.world.geography == scenario::geography::map && match::looks_nearby(m.policy.kind);
  return text::word_wrapped(
      fmt::format("NO SUPPLY: no ride was offered to anybody; no matcher ever got a "
                  "driver{}{}.",
                  map ? fmt::format(" within {:.4g} m of one", m.policy.radius_m) : "",
                  a.scenario.faults.empty()
                      ? ""
                      : ", or a fault kept from it what it asked or was asked for"),
      prose_width(l));
}

/// Which run got nowhere, and who waits for what in it.
lines_of no_progress(const results::run_results& a, const text::terminal_style& l) {
  for (const engine::run_result& r : a.runs) {
    if (!r.stuck) {
      continue;
    }
    const engine::stall& s = *r.stuck;
    lines_of lines = text::word_wrapped(
        fmt::format("STUCK at {}, seed {}: {} since {}. The figures are of what came before.",
                    text::duration(s.t.time_since_epoch()),
                    r.seed,
                    s.why,
                    text::duration(s.since.time_since_epoch())),
        prose_width(l));
    for (std::string& line : lines) {
      line = text::coloured(l, text::text_colour::bad, line);
    }
    for (const std::string& wait : s.waits) {
      append(lines, text::word_wrapped("  " + wait, prose_width(l), "    "));
    }
    return lines;
  }
  return {};
}

std::string reason_in_words(results::idle_fault::reason why, std::size_t runs) {
  const std::string where = runs == 1 ? "this run" : text::plural(runs, "run");
  switch (why) {
    case results::idle_fault::reason::too_late:
      return "it starts after the run ends";
    case results::idle_fault::reason::waited:
      return "its trigger never occurred in " + where;
    case results::idle_fault::reason::chance:
      return "by chance its rate led to no fault in " + where;
    case results::idle_fault::reason::unfelt:
      return "no message was lost to it or held up by it in " + where;
  }
  return "";
}

/// Of a fault that was never triggered the figures say nothing.
lines_of idle_faults(const results::run_results& a, const text::terminal_style& l) {
  lines_of lines;
  for (const results::idle_fault& f : results::idle_faults_of(a)) {
    append(lines,
           text::word_wrapped(fmt::format("FAULT NOT TRIGGERED: {}; {}.",
                                          text::display_text(f.id),
                                          reason_in_words(f.why, a.runs.size())),
                              prose_width(l)));
  }
  return lines;
}

lines_of notes(const results::run_results& a, const text::terminal_style& l) {
  lines_of lines;
  for (const std::string& note : scenario::remarks_on(a.scenario)) {
    append(lines, text::word_wrapped(fmt::format("NOTE: {}.", note), prose_width(l)));
  }
  std::vector<std::string> in_vain = results::settings_in_vain(a);
  in_vain.insert(in_vain.end(), a.in_vain.begin(), a.in_vain.end());
  for (const std::string& note : in_vain) {
    append(lines, text::word_wrapped(fmt::format("NO EFFECT: {}.", note), prose_width(l)));
  }
  return lines;
}

lines_of heading(const results::run_results& a, const text::terminal_style& l) {
  const scenario::scenario& s = a.scenario;
  std::string runs = fmt::format("seed {}", a.seed);
  if (a.runs_asked > 1) {
    runs = fmt::format("{} from seed {}", text::plural(a.runs_asked, "run"), a.seed);
  }
  lines_of lines = fitted(
      {fmt::format("{}   {}, {}, {}, {}",
                   text::coloured(l, text::text_colour::bold, text::display_text(s.name, 80)),
                   lease_words(s),
                   text::plural(s.matchers.count, "matcher"),
                   text::plural(s.drivers.count, "driver"),
                   runs)},
      l);
  append(lines, text::word_wrapped(text::display_text(s.question, 300), prose_width(l)));
  append(lines, no_progress(a, l));
  if (a.interrupted()) {
    for (const std::string& line : text::word_wrapped(interruption(a), prose_width(l))) {
      lines.push_back(text::coloured(l, text::text_colour::bad, line));
    }
  }
  return lines;
}

/// What says most of a run, and the words that ask for its story.
struct matter {
  double severity = 0;  ///< as of what is worth a look; 0: nothing to tell
  std::string how;
  std::string about;
  const metrics::harm_case* harm = nullptr;
  const engine::run_result* of = nullptr;
};

matter worst_of(const engine::run_result& r, const scenario::incident_options& about) {
  const auto& broken = r.checks.violations;
  if (!broken.empty()) {
    return {1e9,
            fmt::format("how {} was broken", lease::code_of(broken[0].broken)),
            " breach 1",
            nullptr,
            &r};
  }
  if (!r.metrics.notables.empty()) {
    const std::size_t place = results::headline_harm(r.metrics.notables, about);
    const metrics::harm_case& told = r.metrics.notables[place];
    const bool is_hiding = told.kind == metrics::harm_kind::hiding_lease;
    return {told.severity,
            is_hiding ? fmt::format("how a driver was hidden for ride {}", told.ride)
                      : fmt::format("how ride {} was hurt", told.ride),
            fmt::format(" breach {}", place + 1),
            &told,
            &r};
  }
  const double left = r.metrics.value("rides.abandoned").value_or(0);
  return {left > 0 ? 1e-9 : 0, "how a ride found nobody", "", nullptr, &r};
}

/// What says most of all runs.
matter worst_of(const results::run_results& a) {
  matter worst;
  for (const engine::run_result& r : a.runs) {
    if (matter its = worst_of(r, a.scenario.incident); its.severity > worst.severity) {
      worst = std::move(its);
    }
  }
  return worst;
}

lines_of notables(const results::run_results& a, const text::terminal_style& l) {
  struct sight {
    const metrics::harm_case* what;
    std::uint64_t seed;
  };
  std::vector<sight> all;
  for (const engine::run_result& r : a.runs) {
    for (const metrics::harm_case& n : r.metrics.notables) {
      all.push_back({&n, r.seed});
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const sight& x, const sight& y) {
    return x.what->severity > y.what->severity;
  });
  // The one whose story is named in the end is there, whatever is more severe.
  const matter named = worst_of(a);
  const auto its = std::find_if(
      all.begin(), all.end(), [&](const sight& each) { return each.what == named.harm; });
  if (its != all.end() && its - all.begin() >= static_cast<std::ptrdiff_t>(notables_max)) {
    std::rotate(all.begin(), its, its + 1);
  }
  all.resize(std::min(all.size(), notables_max));
  lines_of lines;
  for (const sight& s : all) {
    std::string text =
        fmt::format("ride {} at {}", s.what->ride, text::duration(s.what->t.time_since_epoch()));
    if (a.runs_asked > 1) {
      text += fmt::format(", seed {}", s.seed);
    }
    text += ": " + text::display_text(s.what->sentence, 200);
    std::string indent = "  ";
    for (const std::string& line : text::word_wrapped(text, prose_width(l) - 4)) {
      lines.push_back(indent + line);
      indent = "    ";
    }
  }
  if (!lines.empty()) {
    lines.insert(lines.begin(), text::coloured(l, text::text_colour::bold, "Look at"));
  }
  return lines;
}

lines_of footnotes(const results::run_results& a,
                   const results::metric_estimates& f,
                   const text::terminal_style& l) {
  lines_of lines;
  if (f.replications() > 1) {
    append(lines,
           text::word_wrapped(
               fmt::format("{}: 95 % interval over {} runs (Student's t; of few cases Fay and "
                           "Feuer's). Counts are means of the "
                           "runs; shares, rates and ratios are ratios of sums over all runs "
                           "(jackknife); quantiles are of all runs' values together (Woodruff).",
                           text::plus_minus(l),
                           f.replications()),
               prose_width(l)));
  } else if (a.runs_asked > 1) {
    lines.emplace_back("No intervals: they take two complete runs.");
  }
  if (!a.runs.empty() && a.runs.front().trace_rows_dropped > 0) {
    const bool has_matrix = std::ranges::any_of(a.scenario.demand, [](const auto& source) {
      return std::holds_alternative<scenario::matrix_demand>(source);
    });
    append(lines,
           text::word_wrapped(fmt::format("Demand: {} of the {} outside the bounds, dropped.",
                                          text::plural(a.runs.front().trace_rows_dropped, "row"),
                                          has_matrix ? "matrix" : "trace"),
                              prose_width(l)));
  }
  return lines;
}

/// The command that tells the story of what says most.
lines_of story_of_the_worst(const results::run_results& a,
                            const text::terminal_style& l,
                            const std::string& directory) {
  const matter worst = worst_of(a);
  if (worst.of == nullptr) {
    return {};
  }
  const bool is_kept = !directory.empty();
  if (!is_kept && !a.how.empty()) {
    return {};  // in real time: nothing can be kept
  }
  std::string command = text::shell_word(a.program) + " explain " +
                        (is_kept ? text::shell_word(directory) : std::string("RUN")) + worst.about;
  command += worst.of == &a.runs.front() ? "" : fmt::format(" --seed {}", worst.of->seed);
  const std::string words = fmt::format("{}: {}", worst.how, command);
  return is_kept ? lines_of{words}
                 : text::word_wrapped(
                       words + " (RUN: the folder of a run without --no-out)", l.width, "  ");
}

lines_of closing(const results::run_results& a,
                 const text::terminal_style& l,
                 const std::string& directory) {
  std::uint64_t events = 0;
  for (const engine::run_result& r : a.runs) {
    events += r.events;
  }
  const sim_duration whole = a.scenario.ends().time_since_epoch();
  std::string text =
      text::duration(a.runs.size() == 1 ? a.runs.front().reached.time_since_epoch() : whole);
  if (a.runs_asked > 1) {
    const std::size_t finished = finished_runs(a);
    text = fmt::format("{} of {}", text::plural(finished, "run"), text::duration(whole));
    if (finished < a.runs.size()) {
      // They took their share of the time, and of the events that are counted below.
      text += fmt::format(" and {} that did not finish",
                          text::with_thousands(a.runs.size() - finished));
    }
  }
  text += fmt::format(" in {}, {}", text::duration(a.wall_s), text::plural(events, "event"));
  if (a.wall_s > 0) {
    text +=
        fmt::format(", {} events/s", text::with_si_prefix(static_cast<double>(events) / a.wall_s));
  }
  if (a.runs.size() == 1) {
    text += ", history " + a.runs.front().history;
  }
  lines_of lines = fitted({text}, l);
  if (!directory.empty()) {
    lines.push_back("kept in " + text::display_text(directory, 400));
  }
  append(lines, story_of_the_worst(a, l, directory));
  return lines;
}

/// Each with its interval, by the names that `dibs metrics` has.
lines_of figures_of(const results::metric_estimates& f,
                    const figure_choice& shown,
                    const text::terminal_style& l) {
  std::vector<std::string> names = shown.metrics;
  if (shown.all && names.empty()) {
    for (const auto& [metric, e] : f.all()) {
      names.push_back(metric);
    }
  }
  text::table t{{{.title = ""}, text::figures("")}, {}};
  for (const std::string& metric : names) {
    const auto e = f.find(metric);
    t.rows.push_back({metric, e ? text::cell(*e, e->unit) : text::cell()});
  }
  if (t.rows.empty()) {
    return {};
  }
  lines_of lines = text::as_lines(t, l, {.width = l.width, .indent = 2});
  lines.insert(lines.begin(),
               text::coloured(
                   l, text::text_colour::bold, shown.metrics.empty() ? "Every figure" : "Figures"));
  return lines;
}

}  // namespace

std::string summary(const results::run_results& a,
                    const results::metric_estimates& f,
                    const std::vector<results::bound_check>& verdicts,
                    const text::terminal_style& l,
                    const std::string& directory,
                    const figure_choice& shown) {
  const bool is_whole = shown.metrics.empty();
  const auto of_whole = [is_whole](lines_of lines) { return is_whole ? lines : lines_of{}; };
  lines_of held_to = promises(a, l);
  append(held_to, fitted(bounds(a, verdicts, results::bound_source::threshold, l), l));
  append(held_to, fitted(bounds(a, verdicts, results::bound_source::expectation, l), l));
  lines_of end = footnotes(a, f, l);
  append(end, closing(a, l, directory));
  std::string text;
  for (const lines_of& section : {heading(a, l),
                                  text::word_wrapped(verdict_of(a, f, verdicts), prose_width(l)),
                                  no_supply(a, f, l),
                                  idle_faults(a, l),
                                  notes(a, l),
                                  of_whole(fitted(harms(f, l), l)),
                                  of_whole(service(f, l)),
                                  of_whole(held_to),
                                  of_whole(notables(a, l)),
                                  figures_of(f, shown, l),
                                  end}) {
    if (section.empty()) {
      continue;
    }
    text += text.empty() ? "" : "\n";
    for (const std::string& line : section) {
      text += line.substr(0, line.find_last_not_of(' ') + 1);
      text += '\n';
    }
  }
  return text;
}

}  // namespace dibs::report
