#include "report/promise_section.hpp"

#include "checkers/violation_log.hpp"
#include "report/text_lines.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dibs::report {
namespace {

constexpr std::size_t violations_max = 5;
constexpr std::size_t met_max = 6;

/// Of violations that are counted and have no words: how many, and of what if nothing else says so.
lines_of beyond_words(const results::run_results& a, const text::terminal_style& l) {
  const auto violations = results::violations_of(a);
  const std::uint64_t all = results::violation_count(a);
  if (all <= violations.size()) {
    return {};
  }
  std::vector<std::string_view> mute;
  for (const results::promise_check& p : results::promises_of(a)) {
    const bool has_words =
        std::any_of(violations.begin(), violations.end(), [&p](const results::violation_record& b) {
          return b.violation->broken == p.invariant;
        });
    if (!p.kept && !has_words) {
      mute.push_back(lease::code_of(p.invariant));
    }
  }
  const std::string of = mute.empty() ? "" : fmt::format(", {} among them", fmt::join(mute, ", "));
  return fitted({fmt::format("  {} more only counted, after the first {} of {}{}",
                             text::with_thousands(all - violations.size()),
                             checkers::violation_log::told_max,
                             a.runs.size() > 1 ? "a run" : "the run",
                             of)},
                l);
}

lines_of broken_promises(const results::run_results& a, const text::terminal_style& l) {
  lines_of lines;
  std::uint32_t said = 0;
  const auto violations = results::violations_of(a);
  std::size_t count = 0;
  for (const results::violation_record& b : violations) {
    // One of each kind: the first says most.
    const auto bit = lease::bit(b.violation->broken);
    if ((said & bit) != 0 || count == violations_max) {
      continue;
    }
    said |= bit;
    ++count;
    const checkers::violation& v = *b.violation;
    append(lines,
           fitted({fmt::format("  {} {}: {}",
                               text::coloured(l, text::text_colour::bad, "BROKEN"),
                               lease::code_of(v.broken),
                               lease::sentence_of(v.broken)),
                   fmt::format("    t={:.3f} s: {} (event {})",
                               in_seconds(v.t),
                               text::display_text(v.what, 200),
                               text::with_thousands(v.event_index + 1))},
                  l));
    // A command is not broken: it is there to be pasted.
    lines.push_back("    replay: " + results::replay_line(a, b.replication));
  }
  append(lines, beyond_words(a, l));
  return lines;
}

}  // namespace

lines_of promises(const results::run_results& a, const text::terminal_style& l) {
  const auto judged = results::promises_of(a);
  const auto kept = static_cast<std::size_t>(std::count_if(
      judged.begin(), judged.end(), [](const results::promise_check& p) { return p.kept; }));
  const bool all = kept == judged.size();
  const std::string what =
      all ? fmt::format("{} of {} kept", kept, judged.size())
          : fmt::format("{} of {} BROKEN, {}",
                        judged.size() - kept,
                        judged.size(),
                        text::plural(results::violation_count(a), "violation"));
  lines_of lines{fmt::format(
      "{}   {}",
      text::coloured(
          l,
          text::text_colour::bold,
          fmt::format("Promises of {}", lease::rules_of(a.scenario.lease.protocol).name)),
      text::coloured(l, all ? text::text_colour::good : text::text_colour::bad, what))};
  const bool was_stopped = std::any_of(
      a.runs.begin(), a.runs.end(), [](const auto& run) { return run.checks.was_stopped; });
  for (const results::undecided& u : results::undecided_of(a)) {
    lines.push_back(fmt::format("  not decided: {} for {}, whose calls {}",
                                lease::code_of(u.invariant),
                                text::plural(u.drivers, "driver"),
                                was_stopped ? "were not in order yet when it was stopped"
                                            : "are too many at once to put in order"));
  }
  append(lines, broken_promises(a, l));
  return lines;
}

lines_of bounds(const results::run_results& a,
                const std::vector<results::bound_check>& verdicts,
                results::bound_source kind,
                const text::terminal_style& l) {
  std::vector<const results::bound_check*> own;
  for (const results::bound_check& v : verdicts) {
    if (v.kind == kind) {
      own.push_back(&v);
    }
  }
  const std::string title =
      text::coloured(l,
                     text::text_colour::bold,
                     kind == results::bound_source::threshold ? "Thresholds" : "Expected");
  if (own.empty()) {
    return {};
  }
  if (a.interrupted()) {
    return {fmt::format("{}   {} not judged: the run was interrupted", title, own.size())};
  }
  // What was missed comes first, and all of it.
  std::stable_sort(
      own.begin(), own.end(), [](const results::bound_check* x, const results::bound_check* y) {
        return x->met < y->met;
      });
  const auto met = static_cast<std::size_t>(
      std::count_if(own.begin(), own.end(), [](const results::bound_check* v) { return v->met; }));
  lines_of lines{fmt::format(
      "{}   {}",
      title,
      text::coloured(l,
                     met == own.size() ? text::text_colour::good : text::text_colour::bad,
                     fmt::format("{} of {} met", met, own.size())))};
  int name_width = 0;
  int value_width = 0;
  for (const results::bound_check* v : own) {
    name_width = std::max(name_width, text::columns(v->bound.metric));
    value_width = std::max(value_width, text::columns(results::shown_against(*v)));
  }
  std::size_t shown_met = 0;
  for (const results::bound_check* v : own) {
    if (v->met && shown_met++ == met_max) {
      lines.push_back(fmt::format("  and {} more met", met - met_max));
      break;
    }
    lines.push_back(
        fmt::format("  {}  {}  {}   {}",
                    text::coloured(l,
                                   v->met ? text::text_colour::good : text::text_colour::bad,
                                   v->met ? "met   " : "MISSED"),
                    text::left(v->bound.metric, name_width),
                    text::right(results::shown_against(*v), value_width),
                    text::display_text(v->bound.text, 60)));
  }
  return lines;
}

}  // namespace dibs::report
