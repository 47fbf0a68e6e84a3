// `dibs report`: kept runs, a sweep or a survival table as pages, traces, tables or pictures.

#include "commands/build_info.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/report_file.hpp"
#include "commands/runs_page.hpp"
#include "commands/shipped_scenarios.hpp"
#include "commands/stored_run.hpp"
#include "pages/choice_model.hpp"
#include "pages/page.hpp"
#include "pages/perfetto_trace.hpp"
#include "pages/run_model.hpp"
#include "pages/run_svg.hpp"
#include "pages/study_svg.hpp"
#include "pages/sweep_model.hpp"
#include "report/run_table.hpp"
#include "report/shown_figures.hpp"
#include "report/study_tables.hpp"
#include "report/sweep_tables.hpp"
#include "results/atomic_file.hpp"
#include "sweep/journal.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dibs::commands {
namespace {

namespace fs = std::filesystem;

/// What is made, before it is known where it goes.
struct made {
  std::string text;
  fs::path place;  ///< unless the user says otherwise; empty: standard output
};

result<made> of_text(const result<std::string>& text) {
  return text.map([](const std::string& each) { return made{each, {}}; });
}

bool is_table(report_format f) { return f == report_format::md || f == report_format::csv; }

/// Without what differs between them, for which they may have to be run again.
result<made> of_tables(const report_request& r) {
  auto runs = nlohmann::ordered_json::array();
  for (const std::string& source : r.sources) {
    auto figures = figures_of(source, r.quiet);
    if (!figures) {
      return tl::unexpected<error>(figures.error());
    }
    runs.push_back({{"directory", source}, {"metrics", std::move(*figures)}});
  }
  return made{r.format == report_format::md ? report::markdown_of_runs(runs, r.shown.metrics)
                                            : report::csv_of_runs(runs),
              {}};
}

result<made> of_figures(const fs::path& directory, const report_request& r) {
  if (!r.shown.metrics.empty()) {
    report_request one = r;
    one.sources = {directory.string()};
    return of_tables(one);
  }
  return figures_of(directory, r.quiet).map([&](const auto& figures) {
    return made{r.format == report_format::md ? report::markdown_of_run(figures)
                                              : report::csv_of_run(figures),
                {}};
  });
}

result<made> of_run(const std::string& source, const report_request& r) {
  const fs::path directory = source;
  if (is_table(r.format)) {
    return of_figures(directory, r);
  }
  const auto h = history_of(directory, r.seed, r.quiet);
  if (!h) {
    return tl::unexpected<error>(h.error());
  }
  const auto figures = results::read_whole(directory / "metrics.json");
  if (!figures) {
    return tl::unexpected<error>(figures.error());
  }
  const history::indexed_run c(*h);
  if (r.format == report_format::trace) {
    return made{pages::trace_of(c), directory / "trace.json"};
  }
  if (r.format == report_format::svg) {
    return made{pages::run_svg(c, r.shown.metrics), {}};
  }
  pages::model_options how;
  how.run = source;
  how.metrics = *figures;
  how.shown = r.shown.metrics;
  how.version = this_build().version;
  how.for_page = r.format == report_format::html;
  const std::string model = pages::model_of(c, how);
  return r.format == report_format::json
             ? made{model + "\n", {}}
             : made{pages::page_of(h->scenario.name, model), directory / "report.html"};
}

/// The scenario of a sweep, for its thresholds; nothing if its data is not found from here.
std::optional<scenario::scenario> swept_scenario(const sweep::journal& j) {
  const auto text = j.fact("scenario");
  std::vector<fs::path> folders{"."};
  if (const auto shipped = scenarios_folder()) {
    folders.push_back(*shipped);
  }
  for (const fs::path& folder : folders) {
    scenario::reading read =
        scenario::read_text(text.value_or(""), "the scenario of the sweep", folder);
    if (read.ok()) {
      return std::move(read.value);
    }
  }
  return std::nullopt;
}

/// `model`: of a page; a table is of a choice alone.
result<made> of_model(report_format format,
                      const std::string& title,
                      const nlohmann::ordered_json& model,
                      fs::path place) {
  switch (format) {
    case report_format::html:
      return made{pages::page_of(title, text::json_for_script(model)), std::move(place)};
    case report_format::json:
      return made{text::json_for_script(model) + "\n", {}};
    case report_format::md:
      return of_text(report::markdown_of_study(model));
    case report_format::csv:
      return of_text(report::csv_of_study(model));
    case report_format::svg:
      return of_text(pages::study_svg(model));
    case report_format::trace:
      break;
  }
  return failure(exit_code::usage,
                 "report: a trace is of one run; what many runs say together has no events");
}

result<made> of_sweep(const fs::path& directory, const report_request& r) {
  const auto j = sweep::journal::read(directory / sweep::journal_name);
  if (!j) {
    return tl::unexpected<error>(j.error());
  }
  const auto points = sweep::measured_points(*j);
  if (!points) {
    return tl::unexpected<error>(points.error());
  }
  if (std::ranges::all_of(*points, [](const auto& p) { return p.runs == 0; })) {
    return failure(exit_code::invalid_input, "the sweep holds no finished run yet");
  }
  if (r.format == report_format::csv) {
    return made{report::csv_of(*points), {}};
  }
  pages::sweep_model_options how;
  how.directory = directory.string();
  how.version = this_build().version;
  how.scenario = swept_scenario(*j);
  how.metrics = r.shown.metrics;
  if (r.format == report_format::md) {
    return made{report::markdown_of(*points,
                                    how.scenario ? how.scenario->name : how.directory,
                                    how.scenario ? how.scenario->question : "",
                                    r.shown.metrics),
                {}};
  }
  return of_model(r.format,
                  "sweep of " + j->fact("scenario.name").value_or(""),
                  pages::sweep_model_of(*j, *points, how),
                  directory / "report.html");
}

result<made> of_choice(const fs::path& file, const report_request& r) {
  const auto text = results::read_whole(file);
  if (!text) {
    return tl::unexpected<error>(text.error());
  }
  nlohmann::ordered_json study = text::text_as_json(*text);
  if (const auto chosen = report::keep_shown(study, r.shown.metrics); !chosen) {
    return tl::unexpected<error>(chosen.error());
  }
  const auto page = pages::choice_model_of(
      study, this_build().version, r.out ? fs::path(*r.out).parent_path() : file.parent_path());
  if (!page) {
    return failure(page.error().code,
                   text::display_text(file.string(), 200) + ": " + page.error().text);
  }
  return of_model(r.format, page->title, page->model, fs::path(file).replace_extension(".html"));
}

bool is_run(const std::string& source) {
  std::error_code none;
  return fs::is_directory(source, none) &&
         !fs::exists(fs::path(source) / sweep::journal_name, none);
}

result<made> of_runs(const report_request& r) {
  if (is_table(r.format)) {
    return of_tables(r);
  }
  const fs::path first = fs::path(r.sources.front()).lexically_normal();
  const fs::path folder =
      first.has_filename() ? first.parent_path() : first.parent_path().parent_path();
  const fs::path place = folder / "comparison.html";
  return runs_page_model(r.sources,
                         r.out && *r.out != "-" ? fs::path(*r.out) : place,
                         {.jobs = r.jobs, .quiet = r.quiet, .metrics = r.shown.metrics})
      .and_then(
          [&](const auto& model) { return of_model(r.format, runs_page_title, model, place); });
}

result<made> of_any(const std::string& source, const report_request& r) {
  std::error_code none;
  if (fs::is_regular_file(source, none)) {
    return of_choice(source, r);
  }
  return fs::exists(fs::path(source) / sweep::journal_name, none) ? of_sweep(source, r)
                                                                  : of_run(source, r);
}

}  // namespace

int make_report(const report_request& r) {
  const bool is_one = r.format != report_format::trace && r.format != report_format::svg;
  if (is_one && r.sources.size() > 1 && std::ranges::all_of(r.sources, is_run)) {
    const auto page = of_runs(r);
    return page ? write_report_file(page->text, page->place, r.out) : fail(page.error());
  }
  const bool is_one_text = r.format == report_format::csv || r.format == report_format::json ||
                           r.format == report_format::svg;
  if (is_one_text && r.sources.size() > 1) {
    return fail(
        {exit_code::usage,
         "report: csv and json are of one source, or of runs alone, and a picture is of one "
         "source"});
  }
  for (const std::string& source : r.sources) {
    const auto what = of_any(source, r);
    if (!what) {
      return fail(what.error());
    }
    if (const int code = write_report_file(what->text, what->place, r.out); code != 0) {
      return code;
    }
  }
  return static_cast<int>(exit_code::done);
}

}  // namespace dibs::commands
