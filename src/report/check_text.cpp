#include "report/check_text.hpp"

#include "check/weighing.hpp"
#include "metrics/catalogue.hpp"
#include "metrics/titles.hpp"
#include "scenario/field_needs.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "text/word_list.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace dibs::report {
namespace {

using check::row;
using incidents::incident_outcome;

constexpr std::size_t rows_shown = 9;
/// What a row is about, whatever the value of a setting is.
std::string subject_of(const row& r) {
  return r.as_it_stands ? r.name.substr(0, r.name.find('=')) : r.name;
}

/// The names of rows, in lines.
std::string named(const char* title, const std::vector<std::string>& names) {
  std::string text = title;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? " " : ", ") + names[i];
  }
  return names.empty() ? "" : text + "\n";
}

template <class Which>
std::vector<std::string> names_of(const check::checked& c, Which which) {
  std::vector<std::string> all;
  for (const row& r : c.rows) {
    if (which(r)) {
      all.push_back(r.name);
    }
  }
  return all;
}

/// `told`: mends whose cost stands in an earlier row.
std::string mend_told(const row& r, const std::string& sign, std::set<std::string>& told) {
  if (r.mended) {
    const std::string words = words_of(r.mended->what.set);
    const bool is_new = told.insert(words).second;
    std::string text =
        fmt::format("    mend: {}: {}\n", words, is_new ? cost_told(*r.mended, sign) : "as above");
    if (!r.mended->left.empty() && check::is_large_loss(r.mended->left.front())) {
      text += fmt::format("    left with it: {}\n", harm_told(r.mended->left.front(), sign));
    }
    for (const check::mend& each : r.also) {
      text += fmt::format("    or: {}, in place of {}\n", words_of(each.set), each.flaw);
    }
    return text;
  }
  return r.tried > 0 ? fmt::format("    mend: none found; {} changes were tried\n", r.tried) : "";
}

std::string row_told(const row& r,
                     std::uint32_t runs,
                     int width,
                     const std::string& sign,
                     std::set<std::string>& told) {
  return fmt::format("  {}  {}\n{}",
                     text::left(r.name, width),
                     harms_told(r, runs, sign),
                     mend_told(r, sign, told));
}

/// Those of one kind, as many as fit.
template <class Which>
std::string rows_told(const check::checked& c,
                      const char* title,
                      const std::string& sign,
                      std::size_t most,
                      std::set<std::string>& told,
                      Which which) {
  std::vector<const row*> rows;
  int width = 0;
  for (const row& r : c.rows) {
    if (r.counts() && which(r)) {
      rows.push_back(&r);
      width = std::max(width, text::columns(r.name));
    }
  }
  std::string text = rows.empty() ? "" : std::string(title) + "\n";
  for (std::size_t i = 0; i < std::min(rows.size(), most); ++i) {
    text += row_told(*rows[i], c.runs, width, sign, told);
  }
  if (rows.size() > most) {
    text += fmt::format("  and {} more: --all shows them\n", rows.size() - most);
  }
  return text;
}

/// What breaks though the command ends well.
std::string unpromised(const check::checked& c) {
  const bool breaks = std::ranges::any_of(
      c.rows, [](const row& r) { return r.counts() && r.outcome == incident_outcome::breaks; });
  return c.code() == exit_code::done && breaks
             ? fmt::format(
                   "Exit code 0: {} promises none of what breaks, and no threshold asks for "
                   "it.\n",
                   c.promises_of)
             : "";
}

/// Which thresholds are missed, and under what.
std::string thresholds_told(const check::checked& c) {
  std::string text = named("Thresholds missed as it stands:", c.missed);
  std::vector<std::string> under;
  for (const row& r : c.rows) {
    if (r.counts() && !r.missed.empty()) {
      under.push_back(fmt::format("{} ({})", r.name, fmt::join(r.missed, ", ")));
    }
  }
  return text + named("Thresholds missed under:", under);
}

std::string rest_told(const check::checked& c, bool all) {
  std::string text =
      named("Survives:", names_of(c, [](const row& r) { return r.counts() && !r.is_harmed(); }));
  text += named("Right in this scenario, and would hurt it if it were not:",
                names_of(c, [](const row& r) { return !r.counts() && r.is_harmed(); }));
  std::vector<std::string> idle;
  for (const row& r : c.idle) {
    idle.push_back(r.name);
  }
  if (!all) {
    return text + named("Does not apply (--all says why):", idle);
  }
  text += idle.empty() ? "" : "Does not apply:\n";
  for (const row& r : c.idle) {
    text += fmt::format("  {}: {}\n", r.name, r.why_not);
  }
  return text;
}

std::string story_told(const checked_column& column) {
  const check::checked& c = column.found;
  const check::story& s = column.worst;
  if (c.rows.empty() || !c.rows.front().is_harmed() || c.rows.front().worse.empty()) {
    return "";
  }
  if (s.what.empty()) {
    return fmt::format("No single case shows the worst of it: {} is a figure of all rides.\n",
                       metrics::title_of(c.rows.front().worse.front().metric));
  }
  const auto of = std::ranges::find(c.rows, column.worst_of, &row::name);
  return fmt::format("Worst, {} {}: {}.\n{}{}\n",
                     of != c.rows.end() && of->as_it_stands ? "with" : "under",
                     column.worst_of,
                     text::display_text(s.what, 400),
                     text::display_text(s.why, 600),
                     s.why.empty() || s.why.ends_with('.') ? "" : ".");
}

std::string one_told(const checked_column& column, const text::terminal_style& l, bool all) {
  const check::checked& c = column.found;
  const std::string sign = text::plus_minus(l);
  const std::size_t most = all ? c.rows.size() : rows_shown;
  std::string text = verdict_of(c, sign) + "\n\n";
  if (says_nothing(c)) {
    return text::fitted(text, l.width);
  }
  std::set<std::string> told;
  text += rows_told(
      c, "Settings and rules of its own: what they make worse", sign, most, told, [](const row& r) {
        return r.is_own() && r.is_harmed();
      });
  const auto under = [](incident_outcome o) {
    return [o](const row& r) { return !r.is_own() && r.outcome == o; };
  };
  text += rows_told(
      c, "Breaks: what the cause makes worse", sign, most, told, under(incident_outcome::breaks));
  text += rows_told(c,
                    "Degrades: what the cause makes worse",
                    sign,
                    most,
                    told,
                    under(incident_outcome::degrades));
  text += "\n" + together_told(c, sign) + story_told(column);
  text += thresholds_told(c) + unpromised(c) + rest_told(c, all) + ttl_told(c);
  text += column.judge.empty() ? "" : column.judge + "\n";
  text += fmt::format("{} runs: each cause with and without, on the same {} seeds.\n",
                      text::with_thousands(c.replications),
                      c.runs);
  return text::fitted(text, l.width);
}

/// What a cause does to one variant.
std::string outcome_told(const checked_column& in,
                         const std::string& cause,
                         const std::string& sign) {
  const auto found = std::ranges::find(in.found.rows, cause, subject_of);
  if (found == in.found.rows.end()) {
    return std::ranges::find(in.found.idle, cause, &row::name) == in.found.idle.end()
               ? "no harm seen"
               : "does not apply";
  }
  if (!found->counts() || !found->is_harmed()) {
    return "survives";
  }
  return fmt::format("{}  {}",
                     text::left(std::string(incidents::name_of(found->outcome)), 8),
                     harms_told(*found, in.found.runs, sign));
}

/// Of several variants: the verdict of each, then what each cause does to one after the other.
std::string several_told(std::span<const checked_column> columns, const text::terminal_style& l) {
  const std::string sign = text::plus_minus(l);
  std::vector<std::string> causes;
  std::string text;
  int width = 0;
  for (const checked_column& each : columns) {
    text += fmt::format("{}: {}\n", each.name, verdict_of(each.found, sign));
    width = std::max(width, text::columns(each.name));
    for (const row& r : each.found.rows) {
      const std::string subject = subject_of(r);
      if (r.counts() && r.is_harmed() && std::ranges::find(causes, subject) == causes.end()) {
        causes.push_back(subject);
      }
    }
  }
  for (const std::string& cause : causes) {
    text += "\n" + cause + "\n";
    for (const checked_column& each : columns) {
      text +=
          fmt::format("  {}  {}\n", text::left(each.name, width), outcome_told(each, cause, sign));
      const auto found = std::ranges::find(each.found.rows, cause, subject_of);
      if (found != each.found.rows.end() && found->mended) {
        text += fmt::format(
            "  {}    mend: {}\n", text::left("", width), words_of(found->mended->what.set));
      }
    }
  }
  return text::fitted(text, l.width);
}

}  // namespace

std::string judge_of(const scenario::scenario& mine,
                     const std::vector<check::cause>& causes,
                     const check::checked& c) {
  if (!scenario::takes_leases(mine) || mine.lease.judge == scenario::judge::holder) {
    return "";
  }
  std::vector<std::string> survived;
  for (const row& r : c.rows) {
    const auto its = std::ranges::find(causes, r.name, &check::cause::name);
    if (its != causes.end() && its->told.lease.judge == scenario::judge::holder && r.counts() &&
        r.outcome != incident_outcome::breaks) {
      survived.push_back(r.name);
    }
  }
  constexpr std::size_t named_max = 4;
  return survived.empty()
             ? ""
             : fmt::format(
                   "Asked before each write: the lease manager (lease.judge={}). {} {} "
                   "holders who go by their own clock, as with locks in stores: --set "
                   "lease.judge=holder tries that.",
                   mine.lease.judge == scenario::judge::both ? "both" : "manager",
                   text::first_of_list(survived, named_max),
                   survived.size() == 1 ? "strikes" : "strike");
}

std::string words_of(const std::vector<scenario::override_value>& set) {
  std::string text;
  for (const scenario::override_value& each : set) {
    text += (text.empty() ? "" : " ") + each.path + "=" + each.value;
  }
  return text::display_text(text, 200);
}

std::string harm_told(const incidents::paired_change& c, const std::string& sign) {
  const text::unit unit = metrics::unit_of(c.metric);
  // Rare things in a few runs: what was never seen without is worse, whatever the interval says.
  if (unit == text::unit::count && c.without == 0 && c.change.low() <= 0) {
    return fmt::format("{} {} in the mean of {} runs, none without",
                       metrics::title_of(c.metric),
                       text::format_value(c.with_cause, unit),
                       c.change.samples);
  }
  return fmt::format(
      "{} {}{}, from {}",
      metrics::title_of(c.metric),
      c.change.value > 0 ? "+" : "",
      text::format_difference(std::max(c.with_cause, c.without), c.change, unit, sign),
      text::format_value(c.without, unit));
}

std::string harms_told(const row& r, std::uint32_t runs, const std::string& sign) {
  if (r.worse.empty()) {
    return fmt::format("a promise broke in {} of {} runs", r.broken, runs);
  }
  const incidents::paired_change& worst = r.worse.front();
  const auto lost = std::ranges::find_if(r.worse, check::is_large_loss);
  return harm_told(worst, sign) + (check::is_of_safety(worst.metric) && lost != r.worse.end()
                                       ? "; " + harm_told(*lost, sign)
                                       : "");
}

std::string cost_told(const check::tried_mend& m, const std::string& sign) {
  const auto told = [&](const incidents::paired_change& c) {
    return (c.change.value > 0 ? "+" : "") +
           text::format_difference(
               std::max(c.with_cause, c.without), c.change, metrics::unit_of(c.metric), sign);
  };
  std::string text = fmt::format("matched {}, hidden {}", told(m.service), told(m.hidden));
  if (m.missed.change.low() > 0) {
    text += ", accepts missed " + told(m.missed);
  }
  if (m.waits.change.low() > 0) {
    text += ", p90 of the time to match " + told(m.waits);
  }
  return text;
}

std::string together_told(const check::checked& c, const std::string& sign) {
  if (!c.together) {
    return "";
  }
  const check::joint_mend& t = *c.together;
  return fmt::format("All these mends together: {}: it breaks under {} of {}; {}.\n",
                     words_of(t.told.what.set),
                     t.breaks == 0 ? "none" : std::to_string(t.breaks),
                     t.of,
                     cost_told(t.told, sign));
}

std::string ttl_told(const check::checked& c) {
  const std::vector<check::ttl_trial>& trials = c.ttls;
  const auto by = [](const check::ttl_trial& t) {
    return metrics::find(t.broken_by) == nullptr
               ? t.broken_by
               : metrics::title_of(t.broken_by) + " worse by a tenth";
  };
  if (trials.empty()) {
    return c.has_ttl ? "TTL: other lengths are tried only where nothing breaks.\n" : "";
  }
  const bool misses = !c.missed.empty() || std::ranges::any_of(c.rows, [](const row& r) {
    return r.counts() && !r.missed.empty();
  });
  const auto first = std::ranges::find_if(trials, &check::ttl_trial::holds);
  auto last = first;
  while (std::next(last) != trials.end() && std::next(last)->holds) {
    ++last;
  }
  std::string text = fmt::format(
      "TTL: {} {}",
      !misses ? "all that was tried holds"
              : "nothing breaks, and no other threshold is "
                "missed,",
      first == last
          ? fmt::format("at {} only", text::duration(first->ttl))
          : fmt::format("from {} to {}", text::duration(first->ttl), text::duration(last->ttl)));
  if (first != trials.begin()) {
    text +=
        fmt::format("; at {}: {}", text::duration(std::prev(first)->ttl), by(*std::prev(first)));
  }
  if (std::next(last) != trials.end()) {
    text += fmt::format("; at {}: {}", text::duration(std::next(last)->ttl), by(*std::next(last)));
  }
  return text + ".\n";
}

std::string text_of(std::span<const checked_column> columns,
                    const text::terminal_style& l,
                    bool all) {
  return columns.size() == 1 ? one_told(columns.front(), l, all) : several_told(columns, l);
}

}  // namespace dibs::report
