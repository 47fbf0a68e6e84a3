#include "commands/sweep_conclusion.hpp"

#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "report/sweep_tables.hpp"
#include "sweep/ineffective_fields.hpp"
#include "sweep/stuck_runs.hpp"
#include "text/escape.hpp"
#include "text/number.hpp"
#include "text/plural.hpp"
#include "text/terminal.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace dibs::commands {
namespace {

/// The tables, and what they say together. Also those that are there are made anew: somebody may
/// have damaged them, and the journal is what counts.
result<report::sweep_outcome> make_tables(const sweep::sweep_directory& d,
                                          const sweep::plan& p,
                                          const sweep::journal& j,
                                          const report::figure_choice& shown) {
  auto points = d.table(sweep::points_name);
  auto summary = d.table(sweep::summary_name);
  if (!points || !summary) {
    return tl::unexpected<error>(points ? summary.error() : points.error());
  }
  auto outcome = report::write_summary(
      j, p.base.thresholds, *summary, text::terminal_style_of(STDOUT_FILENO), shown);
  if (!outcome) {
    return outcome;
  }
  if (auto written = report::write_points(j, *points); !written) {
    return tl::unexpected<error>(written.error());
  }
  d.remove_tables();
  for (results::pending_file* table : {&*points, &*summary}) {
    if (auto done = table->commit(); !done) {
      return tl::unexpected<error>(done.error());
    }
  }
  return outcome;
}

std::string replay_of(const sweep::plan& p,
                      const std::string& program,
                      const report::sweep_outcome& o) {
  return sweep::replay_line(p, program, p.points[o.broken_point - 1].what, o.broken_seed);
}

/// Where the wanted precision was not reached, and why.
std::string shortcoming_of(const sweep::plan& p, const sweep::replication_targets& wanted) {
  if (wanted.unprecise == 0) {
    return {};
  }
  const bool runs_short =
      wanted.unprecise > wanted.unseen && p.seeds_max < sweep::precise_seeds_max;
  return fmt::format(
      " which it is not at {} of them{}{},",
      text::with_thousands(wanted.unprecise),
      runs_short ? fmt::format(" (more than {} runs take --yes)",
                               text::with_thousands(sweep::runs_unasked_max))
                 : "",
      wanted.unseen > 0
          ? fmt::format(" (at {} none was seen, and of 0 no share is ever known: given up early)",
                        text::with_thousands(wanted.unseen))
          : "");
}

/// `20`, or `20 to 340`.
std::string seeds_of(const sweep::plan& p, const sweep::replication_targets& wanted) {
  const auto [least, most] =
      std::minmax_element(wanted.replications.begin(), wanted.replications.end());
  std::string text = text::plural(*most, "seed");
  if (*most > *least) {
    text = text::with_thousands(*least) + " to " + text;
  }
  if (p.precision) {
    text += fmt::format(
        " each, until {} is known to {:.3g} %,", p.precision->metric, 100 * p.precision->share);
    text += shortcoming_of(p, wanted);
  }
  return text;
}

bool missed_any(const report::sweep_outcome& o) {
  return std::ranges::any_of(o.missed, [](const report::missed_bound& m) { return m.points > 0; });
}

std::string text_of(const sweep::plan& p,
                    const std::string& program,
                    const report::sweep_outcome& o,
                    const sweep::replication_targets& wanted,
                    const std::vector<sweep::without_effect>& idle,
                    const std::string& where,
                    double wall_s) {
  const std::string head = fmt::format("{}   {} on {} from seed {}\n\n",
                                       text::display_text(p.base.name, 80),
                                       text::plural(p.points.size(), "point"),
                                       seeds_of(p, wanted),
                                       p.seed);
  const int width = text::terminal_style_of(STDOUT_FILENO).width;
  std::string text;
  for (const sweep::without_effect& each : idle) {
    text += "\n" + text::display_text(each.text(), 400) + "\n";
  }
  if (p.seeds > 1) {
    text +=
        "\nIntervals are of 95 % over the seeds; all figures of all points are in summary.csv.\n";
  }
  std::uint64_t unsure = 0;
  for (const report::missed_bound& m : o.missed) {
    if (m.points > 0) {
      text += fmt::format(
          "\nMISSED at {} of {} points{}: {}",
          text::with_thousands(m.points),
          text::with_thousands(p.points.size()),
          m.unsure > 0 ? fmt::format(", {} of them unsure", text::with_thousands(m.unsure)) : "",
          text::display_text(m.text, 100));
    }
    unsure += m.unsure;
  }
  text += unsure > 0 ? "\nUnsure: the bound lies within the figure's interval." : "";
  text += missed_any(o) ? "\n" : "";
  if (o.broken > 0) {
    text += fmt::format("\nBROKEN promises in {} of {} runs; the first: {}\n  replay: {}\n",
                        text::with_thousands(o.broken),
                        text::with_thousands(o.runs),
                        text::display_text(o.violation, 300),
                        replay_of(p, program, o));
  }
  text += sweep::text_of(o.stuck, p, program);
  text += fmt::format("\n{} in {}\nkept in {}\n",
                      text::plural(o.runs, "run"),
                      text::duration(wall_s),
                      text::display_text(where, 400));
  const std::string verdict = o.verdict.empty() ? "" : o.verdict + "\n\n";
  return text::fitted(head + verdict, width) + o.table + text::fitted(text, width);
}

}  // namespace

int conclude_sweep(const sweep_request& r,
                   const std::string& program,
                   const sweep::sweep_directory& d,
                   const sweep::plan& p,
                   const sweep::journal& j,
                   const sweep::replication_targets& wanted,
                   const stopwatch& watch) {
  const auto outcome = make_tables(d, p, j, r.shown);
  if (!outcome) {
    return fail(outcome.error());
  }
  const exit_code code = outcome->broken > 0       ? exit_code::invariant_broke
                         : !outcome->stuck.empty() ? exit_code::inconclusive
                         : missed_any(*outcome)    ? exit_code::threshold_missed
                         : wanted.unprecise > 0    ? exit_code::inconclusive
                                                   : exit_code::done;
  const auto idle = sweep::fields_without_effect(outcome->tried, sweep::scenarios_of(p));
  if (r.format == format::json) {
    if (!r.quiet) {
      tell_notes(sweep::sentences_of(idle));
    }
    const auto text = report::json_of(j, outcome->stuck, idle);
    return text ? finish(*text, code) : fail(text.error());
  }
  if (r.quiet) {
    return static_cast<int>(code);
  }
  return finish(text_of(p, program, *outcome, wanted, idle, d.path().string(), watch.seconds()),
                code);
}

}  // namespace dibs::commands
