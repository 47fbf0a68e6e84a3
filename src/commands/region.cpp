// `dibs region`: where promises and thresholds hold over two fields, against the closed form.

#include "sweep/region.hpp"

#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/experiment_runs.hpp"
#include "commands/shared_journal.hpp"
#include "commands/stop_signal.hpp"
#include "report/region_json.hpp"
#include "report/region_text.hpp"
#include "report/study_tables.hpp"
#include "scenario/field_paths.hpp"
#include "sweep/stuck_runs.hpp"
#include "sweep/watched_metrics.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

namespace dibs::commands {
namespace {

constexpr std::size_t values_across = 11;
constexpr std::size_t values_down = 7;

/// The request with the ranges that it leaves out. Errors: no such field; a scenario that is
/// invalid has its diagnostics told already.
result<sweep::space_request> completed(const region_request& r) {
  sweep::space_request asked = r.space;
  asked.stop = stop_flag();
  asked.origins = {"--x", "--y"};
  asked.leave_invalid = true;
  const scenario::reading base = scenario::read_file(asked.file, asked.overrides);
  if (!base.ok()) {
    print_diagnostics(base.diagnostics);
    return failure(exit_code::invalid_input,
                   text::display_text(asked.file.string(), 200) + " is invalid");
  }
  const scenario::field_values fields(base.value);
  for (const auto& [typed, values] : {std::pair(r.x, values_across), std::pair(r.y, values_down)}) {
    auto whole = sweep::axis_with_default(typed, fields, values);
    if (!whole) {
      return tl::unexpected<error>(whole.error());
    }
    asked.search.push_back(std::move(*whole));
  }
  return asked;
}

/// Those asked for; if that is all, the harms and the service.
result<std::vector<sweep::metric_formula>> shown_figures(const report::figure_choice& asked,
                                                         sweep::metric_index& index) {
  std::vector<std::string> metrics = asked.metrics;
  if (metrics.empty() && asked.all) {
    for (const sweep::forbidden_metric& each : sweep::forbidden_metrics) {
      metrics.emplace_back(each.metric);
    }
    for (const sweep::shown_metric& each : sweep::shown_metrics) {
      metrics.emplace_back(each.metric);
    }
  }
  std::vector<sweep::metric_formula> all;
  for (const std::string& each : metrics) {
    auto formula = sweep::metric_formula::sum(each, index);
    if (!formula) {
      return tl::unexpected<error>(formula.error());
    }
    all.push_back(std::move(*formula));
  }
  return all;
}

std::string violation_of(const sweep::region& r,
                         sweep::search_space& where,
                         const std::string& program) {
  for (std::size_t iy = 0; iy < r.ys.size(); ++iy) {
    for (std::size_t ix = 0; ix < r.xs.size(); ++ix) {
      const auto& broken = r.at(ix, iy).broken;
      const auto point = broken ? where.point_of({r.xs[ix], r.ys[iy]}) : std::nullopt;
      if (point) {
        return fmt::format(
            "\nBROKEN at {}={}, {}={}: {}\n  replay: {}\n",
            r.x,
            r.xs[ix],
            r.y,
            r.ys[iy],
            text::display_text(broken->violation, 300),
            sweep::replay_line(
                where.plan(), program, where.plan().points[*point - 1].what, broken->seed));
      }
    }
  }
  return {};
}

std::string for_programs(const sweep::region& found, const region_request& r) {
  if (!r.quiet) {
    tell_notes(sweep::sentences_of(found.idle));
  }
  const auto data = report::json_of(found);
  return r.format == study_format::csv ? report::csv_of_region(data)
                                       : text::json_as_text(data, 2) + "\n";
}

}  // namespace

int region(const region_request& r, const std::string& program) {
  const stopwatch watch;
  const auto asked = completed(r);
  if (!asked) {
    return fail(asked.error());
  }
  auto where = sweep::search_space::make(*asked);
  if (!where) {
    return refuse(where.error());
  }
  sweep::metric_index index;
  auto required = sweep::requirements_of(where->plan().base.thresholds, r.require, index);
  if (!required) {
    return fail(required.error());
  }
  auto shown = shown_figures(r.shown, index);
  if (!shown) {
    return fail(shown.error());
  }
  if (!r.force) {
    if (const auto fits = check_room(where->plan(), r.jobs); !fits) {
      return fail(fits.error());
    }
  }
  if (!r.quiet) {
    tell_notes(sweep::remarks_on(where->plan()));
  }
  const auto others = journal_of(r.sharing);
  if (!others) {
    return fail(others.error());
  }
  experiment_runs runs(*where,
                       program,
                       {.jobs = r.jobs,
                        .quiet = r.quiet,
                        .journal = others->get(),
                        .decider = decider_of(r.sharing, r.jobs)});
  sweep::experiment experiment(where->plan().seed, {}, runs.experiment(index.names()));
  const auto found = sweep::map_region(
      *where, std::move(*required), experiment, asked->seeds, r.quantile, std::move(*shown));
  runs.clear();
  if (!found) {
    if (const auto stopped = stopped_by()) {
      print_diagnostics("dibs: interrupted, there is no map\n");
      return static_cast<int>(*stopped);
    }
    return fail(found.error());
  }
  std::string failed = violation_of(*found, *where, program);
  const auto stuck = sweep::stuck_points(where->plan(), experiment);
  const exit_code code = !failed.empty()  ? exit_code::invariant_broke
                         : !stuck.empty() ? exit_code::inconclusive
                                          : exit_code::done;
  failed += text::fitted(sweep::text_of(stuck, where->plan(), program),
                         text::terminal_style_of(STDOUT_FILENO).width);
  if (r.format != study_format::text) {
    print_diagnostics(failed);
    return finish(for_programs(*found, r), code);
  }
  return finish(report::text_of(*found, text::terminal_style_of(STDOUT_FILENO)) + failed +
                    fmt::format("{} runs in {}\n",
                                text::with_thousands(found->runs),
                                text::duration(watch.seconds())),
                code);
}

}  // namespace dibs::commands
