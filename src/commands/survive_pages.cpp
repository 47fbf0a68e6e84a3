#include "commands/survive_pages.hpp"

#include "commands/build_info.hpp"
#include "commands/explain_page.hpp"
#include "commands/run_outcome.hpp"
#include "commands/runs_page.hpp"
#include "commands/stop_signal.hpp"
#include "metrics/catalogue.hpp"
#include "pages/choice_model.hpp"
#include "pages/page.hpp"
#include "report/incident_tables.hpp"
#include "results/atomic_file.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>
#include <utility>

namespace dibs::commands {
namespace fs = std::filesystem;

result<void> make_survive_folder(const fs::path& folder) {
  std::error_code failed;
  if (fs::exists(fs::symlink_status(folder, failed))) {
    return failure(exit_code::usage,
                   fmt::format("survive: {} is there already; name a directory to make",
                               text::display_text(folder.string(), 400)));
  }
  fs::create_directories(folder / "runs", failed);
  if (failed) {
    return failure(exit_code::usage,
                   fmt::format("survive: {} cannot be made: {}",
                               text::display_text(folder.string(), 400),
                               failed.message()));
  }
  return {};
}

namespace {

/// Runs a cell once more, to keep it. A threshold missed or an invariant broken is what the cell is
/// about.
result<results::run_results> keep_runs(const incidents::incident_row& row,
                                       std::vector<scenario::override_value> overrides,
                                       const fs::path& directory,
                                       const survive_pages_options& how) {
  run_request r;
  r.file = row.file.string();
  r.overrides = std::move(overrides);
  r.runs = row.runs;
  r.jobs = how.jobs;
  r.out = directory.string();
  r.quiet = true;
  auto done = run_and_keep(r, how.program);
  if (const auto stopped = stopped_by()) {
    return failure(*stopped, "interrupted");
  }
  if (!done) {
    return failure(
        done.error().code,
        fmt::format("survive: the runs of {} were not kept: {}", row.name, done.error().text));
  }
  return std::move(done->all);
}

/// Of which harm the story is told: that of the figure that decided, or what is worst.
struct harm_to_tell {
  std::uint64_t seed = 0;
  std::uint32_t breach = 0;  ///< from 1, among those of its run; 0: there is none
};

harm_to_tell harm_of(const incidents::assessment& assessment, const results::run_results& kept) {
  const auto kind =
      assessment.worse.empty() ? std::nullopt : metrics::harm_of(assessment.worse.front().metric);
  harm_to_tell found;
  double severity = 0;
  for (const engine::run_result& run : kept.runs) {
    // The promises that it broke come first.
    auto number = static_cast<std::uint32_t>(run.checks.violations.size());
    for (const metrics::harm_case& each : run.metrics.notables) {
      ++number;
      const double its = each.severity + (each.kind == kind ? 1e3 : 0);
      if (its > severity) {
        found = {run.seed, number};
        severity = its;
      }
    }
  }
  return found;
}

/// The page of the story of a harm of a cell that breaks or degrades. Nothing where there is none.
result<void> make_story(const incidents::incident_cell& cell,
                        const results::run_results& kept,
                        const fs::path& stem,
                        const survive_pages_options& how) {
  const harm_to_tell harm = harm_of(cell.assessment, kept);
  const bool is_decided = cell.assessment.outcome == incidents::incident_outcome::breaks ||
                          cell.assessment.outcome == incidents::incident_outcome::degrades;
  if (harm.breach == 0 || !is_decided) {
    return {};
  }
  explain_request r;
  r.directory = stem.string();
  r.what = "breach";
  r.number = std::to_string(harm.breach);
  r.seed = harm.seed;
  r.html = true;
  r.quiet = true;
  const auto story = story_of(r);
  if (!story) {
    return tl::unexpected<error>(story.error());
  }
  const auto written = results::write_file(
      how.folder / "runs", stem.filename().string() + "-story.html", story->text);
  return written ? result<void>() : tl::unexpected<error>(written.error());
}

std::string shown_of(const incidents::paired_change& d, double value) {
  return text::format_value(value, metrics::unit_of(d.metric));
}

/// What the table says of the cell, by which rule, and why the page may say it otherwise.
std::string note_of(const incidents::incident_cell& cell, std::uint32_t runs) {
  std::string text =
      fmt::format("The survival table says `{}`", incidents::name_of(cell.assessment.outcome));
  for (const incidents::paired_change& d : cell.assessment.worse) {
    text += fmt::format("{} `{}` {} in a run with the cause (A), {} without (B)",
                        &d == &cell.assessment.worse.front() ? ":" : ",",
                        d.metric,
                        shown_of(d, d.with_cause),
                        shown_of(d, d.without));
  }
  return text +
         fmt::format(
             ". These are means of the {} runs; below, rates and percentiles are of all runs "
             "together. The table calls a figure worse whose paired difference is above 0 at "
             "95 %, and also a harm that is 0 in every run without the cause and was seen with "
             "it, for what can only come of the cause need not be frequent: of such a one this "
             "page may say `no difference seen`, since it asks for the first. Service counts "
             "in the table only if it is worse by a tenth as well.",
             runs);
}

result<void> make_cell(const incidents::incident_row& row,
                       const incidents::incident_cell& cell,
                       const survive_pages_options& how) {
  const std::string name(lease::rules_of(cell.protocol).name);
  const fs::path stem = how.folder / pages::cell_stem(row.name, name);
  const fs::path without = stem.string() + "-without";
  std::vector<scenario::override_value> overrides{{"lease.protocol", name}};
  const auto with_cause = keep_runs(row, overrides, stem, how);
  if (!with_cause) {
    return tl::unexpected<error>(with_cause.error());
  }
  for (const std::string& each : row.without) {
    overrides.push_back(scenario::override_of(each));
  }
  if (auto kept = keep_runs(row, std::move(overrides), without, how); !kept) {
    return tl::unexpected<error>(kept.error());
  }
  if (auto told = make_story(cell, *with_cause, stem, how); !told) {
    return told;
  }
  const fs::path page = stem.string() + ".html";
  const std::string story = stem.filename().string() + "-story.html";
  const auto model =
      runs_page_model({stem.string(), without.string()},
                      page,
                      {.jobs = how.jobs,
                       .quiet = true,
                       .note = note_of(cell, row.runs),
                       .story = fs::exists(how.folder / "runs" / story) ? story : ""});
  if (!model) {
    return tl::unexpected<error>(model.error());
  }
  const auto written = results::write_file(
      page.parent_path(),
      page.filename().string(),
      pages::page_of(row.name + " under " + name, text::json_for_script(*model)));
  return written ? result<void>() : tl::unexpected<error>(written.error());
}

}  // namespace

result<fs::path> make_survive_pages(const std::vector<incidents::incident_row>& rows,
                                    const survive_pages_options& how) {
  for (const incidents::incident_row& row : rows) {
    for (const incidents::incident_cell& cell : row.cells) {
      if (auto made = make_cell(row, cell, how); !made) {
        return tl::unexpected<error>(made.error());
      }
      if (how.on_cell) {
        how.on_cell();
      }
    }
  }
  const auto table =
      pages::choice_model_of(report::json_of(rows), this_build().version, how.folder);
  if (!table) {
    return tl::unexpected<error>(table.error());
  }
  constexpr const char* index = "index.html";
  if (auto written = results::write_file(
          how.folder, index, pages::page_of(table->title, text::json_for_script(table->model)));
      !written) {
    return tl::unexpected<error>(written.error());
  }
  return how.folder / index;
}

}  // namespace dibs::commands
