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

constexpr std::size_t breaches_max = 5;
constexpr std::size_t met_max = 6;

/// Of violations that are counted and have no words: how many, and of what if nothing else says so.
lines_of beyond_words(const results::account& a, const text::look& l) {
  const auto breaches = results::breaches_of(a);
  const std::uint64_t all = results::breach_count(a);
  if (all <= breaches.size()) {
    return {};
  }
  std::vector<std::string_view> mute;
  for (const results::promise& p : results::promises_of(a)) {
    const bool has_words =
        std::any_of(breaches.begin(), breaches.end(), [&p](const results::breach& b) {
          return b.violation->broken == p.invariant;
        });
    if (!p.kept && !has_words) {
      mute.push_back(lease::code_of(p.invariant));
    }
  }
  const std::string of = mute.empty() ? "" : fmt::format(", {} among them", fmt::join(mute, ", "));
  return fitted({fmt::format("  {} more only counted, after the first {} of {}{}",
                             text::grouped(all - breaches.size()),
                             checkers::docket::told_max,
                             a.runs.size() > 1 ? "a run" : "the run",
                             of)},
                l);
}

lines_of broken_promises(const results::account& a, const text::look& l) {
  lines_of lines;
  std::uint32_t said = 0;
  const auto breaches = results::breaches_of(a);
  std::size_t count = 0;
  for (const results::breach& b : breaches) {
    // One of each kind: the first says most.
    const auto bit = lease::bit(b.violation->broken);
    if ((said & bit) != 0 || count == breaches_max) {
      continue;
    }
    said |= bit;
    ++count;
    const checkers::violation& v = *b.violation;
    append(lines,
           fitted({fmt::format("  {} {}: {}",
                               text::painted(l, text::ink::bad, "BROKEN"),
                               lease::code_of(v.broken),
                               lease::sentence_of(v.broken)),
                   fmt::format("    t={:.3f} s: {} (event {})",
                               in_seconds(v.t),
                               text::shown(v.what, 200),
                               text::grouped(v.event_index + 1))},
                  l));
    // A command is not broken: it is there to be pasted.
    lines.push_back("    replay: " + results::replay_line(a, b.replication));
  }
  append(lines, beyond_words(a, l));
  return lines;
}

}  // namespace

lines_of promises(const results::account& a, const text::look& l) {
  const auto judged = results::promises_of(a);
  const auto kept = static_cast<std::size_t>(std::count_if(
      judged.begin(), judged.end(), [](const results::promise& p) { return p.kept; }));
  const bool all = kept == judged.size();
  const std::string what = all ? fmt::format("{} of {} kept", kept, judged.size())
                               : fmt::format("{} of {} BROKEN, {}",
                                             judged.size() - kept,
                                             judged.size(),
                                             text::counted(results::breach_count(a), "violation"));
  lines_of lines{fmt::format(
      "{}   {}",
      text::painted(l,
                    text::ink::bold,
                    fmt::format("Promises of {}", lease::rules_of(a.scenario.lease.protocol).name)),
      text::painted(l, all ? text::ink::good : text::ink::bad, what))};
  const bool was_stopped = std::any_of(
      a.runs.begin(), a.runs.end(), [](const auto& run) { return run.judgement.was_stopped; });
  for (const results::undecided& u : results::undecided_of(a)) {
    lines.push_back(fmt::format("  not decided: {} for {}, whose calls {}",
                                lease::code_of(u.invariant),
                                text::counted(u.drivers, "driver"),
                                was_stopped ? "were not in order yet when it was stopped"
                                            : "are too many at once to put in order"));
  }
  append(lines, broken_promises(a, l));
  return lines;
}

lines_of bounds(const results::account& a,
                const std::vector<results::verdict>& verdicts,
                results::bound_kind kind,
                const text::look& l) {
  std::vector<const results::verdict*> own;
  for (const results::verdict& v : verdicts) {
    if (v.kind == kind) {
      own.push_back(&v);
    }
  }
  const std::string title = text::painted(
      l, text::ink::bold, kind == results::bound_kind::threshold ? "Thresholds" : "Expected");
  if (own.empty()) {
    return {};
  }
  if (a.interrupted()) {
    return {fmt::format("{}   {} not judged: the run was interrupted", title, own.size())};
  }
  // What was missed comes first, and all of it.
  std::stable_sort(
      own.begin(), own.end(), [](const results::verdict* x, const results::verdict* y) {
        return x->met < y->met;
      });
  const auto met = static_cast<std::size_t>(
      std::count_if(own.begin(), own.end(), [](const results::verdict* v) { return v->met; }));
  lines_of lines{fmt::format("{}   {}",
                             title,
                             text::painted(l,
                                           met == own.size() ? text::ink::good : text::ink::bad,
                                           fmt::format("{} of {} met", met, own.size())))};
  int name_width = 0;
  int value_width = 0;
  for (const results::verdict* v : own) {
    name_width = std::max(name_width, text::columns(v->bound.metric));
    value_width = std::max(value_width, text::columns(results::shown_against(*v)));
  }
  std::size_t shown_met = 0;
  for (const results::verdict* v : own) {
    if (v->met && shown_met++ == met_max) {
      lines.push_back(fmt::format("  and {} more met", met - met_max));
      break;
    }
    lines.push_back(fmt::format(
        "  {}  {}  {}   {}",
        text::painted(l, v->met ? text::ink::good : text::ink::bad, v->met ? "met   " : "MISSED"),
        text::left(v->bound.metric, name_width),
        text::right(results::shown_against(*v), value_width),
        text::shown(v->bound.text, 60)));
  }
  return lines;
}

}  // namespace dibs::report
