#include "check/weighing.hpp"
#include "report/check_text.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dibs::report {
namespace {

using check::row;
using incidents::incident_outcome;

/// Of fewer rides in all nothing can be said.
constexpr double rides_min = 20;
/// Of riders matched.
constexpr double hardly_any = 0.05;

/// Causes, not what the scenario has of itself.
std::size_t causes_with(const check::checked& c, incident_outcome o) {
  return static_cast<std::size_t>(std::ranges::count_if(
      c.rows, [&](const row& r) { return r.counts() && !r.is_own() && r.outcome == o; }));
}

std::string mend_of_worst(const check::checked& c, const row& worst) {
  if (!worst.mended) {
    return fmt::format(" None of {} that were tried mends it.",
                       text::plural(worst.tried, "change"));
  }
  const auto with_it = std::ranges::count_if(c.rows, [&](const row& r) {
    return r.counts() && r.mended &&
           words_of(r.mended->what.set) == words_of(worst.mended->what.set);
  });
  constexpr double whole = 0.9;
  return fmt::format(
      " {} {}.",
      words_of(worst.mended->what.set),
      with_it > 1 ? fmt::format("mends {} of the rows", with_it)
      : worst.mended->undone < whole
          ? "takes away " + text::significant(100 * worst.mended->undone, 2) + " % of that"
          : "mends that");
}

/// A row whose mend serves most rows; `worst` if none has one.
const row& most_mended(const check::checked& c, const row& worst) {
  std::map<std::string, std::size_t> uses;
  const row* best = &worst;
  std::size_t most = 0;
  for (const row& r : c.rows) {
    if (r.counts() && r.mended) {
      if (const std::size_t n = ++uses[words_of(r.mended->what.set)]; n > most) {
        most = n;
        best = &r;
      }
    }
  }
  return *best;
}

/// The cause that comes to this and does most harm.
auto worst_of(const check::checked& c, incident_outcome o) {
  const auto size = [](const row& r) {
    if (r.worse.empty()) {
      return static_cast<double>(r.broken);
    }
    const incidents::paired_change& worst = r.worse.front();
    return check::is_of_safety(worst.metric) ? worst.with_cause - worst.without
                                             : check::points(worst);
  };
  auto worst = c.rows.end();
  for (auto each = c.rows.begin(); each != c.rows.end(); ++each) {
    const bool is_such = each->counts() && !each->is_own() && each->outcome == o;
    if (is_such && (worst == c.rows.end() || size(*each) > size(*worst))) {
      worst = each;
    }
  }
  return worst;
}

/// What comes of causes from outside. `first`: nothing was said before.
std::string under_causes(const check::checked& c, bool first) {
  const std::size_t breaks = causes_with(c, incident_outcome::breaks);
  const auto counting = static_cast<std::size_t>(
      std::ranges::count_if(c.rows, [](const row& r) { return r.counts() && !r.is_own(); }));
  if (counting == 0) {
    return !first ? ""
           : std::ranges::none_of(c.rows, &row::counts)
               ? "None of the causes applies to this scenario."
               : "No rule of its own that was looked at does harm.";
  }
  if (breaks == 0) {
    const auto most = worst_of(c, incident_outcome::degrades);
    return fmt::format(
        "{} cause of {} puts a driver on two trips or breaks a promise; under {} service "
        "suffers{}.{}",
        first ? "No" : "Besides, no",
        counting,
        causes_with(c, incident_outcome::degrades),
        first && most != c.rows.end() ? ", most under " + most->name : "",
        first && most != c.rows.end() && most->tried > 0
            ? mend_of_worst(c, most->mended ? *most : most_mended(c, *most))
            : "");
  }
  const auto worst = worst_of(c, incident_outcome::breaks);
  return fmt::format("{} breaks under {} of {}, worst under {}: {}.{}",
                     first ? "It" : "Besides, it",
                     breaks,
                     text::plural(counting, "cause"),
                     worst->name,
                     worst->sentence,
                     first ? mend_of_worst(c, *worst) : "");
}

/// What comes of its own settings and rules; empty if nothing does.
std::string of_its_own(const check::checked& c, const std::string& sign) {
  const auto is_told = [](const row& r) { return r.is_own() && r.is_harmed() && !r.worse.empty(); };
  const auto own = std::ranges::find_if(c.rows, is_told);
  if (own == c.rows.end()) {
    return "";
  }
  const char* does = own->outcome == incident_outcome::breaks ? "breaks" : "loses";
  const std::string how = own->as_it_stands
                              ? fmt::format("As it stands it {} by {}", does, own->name)
                              : fmt::format("By a rule of its own it {} under {}", does, own->name);
  const auto more = static_cast<std::size_t>(std::ranges::count_if(c.rows, is_told)) - 1;
  return fmt::format(
      "{}: {}.{}{} ",
      how,
      harms_told(*own, c.runs, sign),
      mend_of_worst(c, *own),
      more == 0 ? ""
                : fmt::format(
                      " {} of its own {} harm too.",
                      fmt::format(
                          "{} more {}", more, more == 1 ? "setting or rule" : "settings or rules"),
                      more == 1 ? "does" : "do"));
}

}  // namespace

bool says_nothing(const check::checked& c) { return c.rides < rides_min; }

std::string verdict_of(const check::checked& c, const std::string& sign) {
  if (says_nothing(c)) {
    return fmt::format("Nothing can be said: {} were asked for in {} runs.",
                       text::plural(static_cast<std::uint64_t>(c.rides), "ride"),
                       c.runs);
  }
  std::string text;
  if (c.matched < hardly_any) {
    text = fmt::format("Hardly any rider is matched as it stands: {}. ",
                       text::format_value(c.matched, text::unit::share));
  }
  if (c.broken > 0) {
    text += fmt::format(
        "As it stands a promise of {} breaks in {} of {} runs. ", c.promises_of, c.broken, c.runs);
  }
  text += of_its_own(c, sign);
  text += under_causes(c, text.empty());
  if (text.ends_with(' ')) {
    text.pop_back();
  }
  if (!c.missed.empty()) {
    text += fmt::format(" As it stands it misses {}.", fmt::join(c.missed, ", "));
  }
  return text;
}

}  // namespace dibs::report
