#include "commands/survive_pages.hpp"

#include "commands/build_info.hpp"
#include "commands/commands.hpp"
#include "commands/explain_page.hpp"
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

#include <array>
#include <map>
namespace dibs::cli {
namespace {

namespace fs = std::filesystem;

result<void> make_folder(const fs::path& folder) {
  std::error_code failed;
  if (fs::exists(fs::symlink_status(folder, failed))) {
    return failure(exit_code::usage,
                   fmt::format("survive: {} is there already; name a directory to make",
                               scenario::shown(folder.string(), 400)));
  }
  fs::create_directories(folder / "runs", failed);
  if (failed) {
    return failure(exit_code::usage,
                   fmt::format("survive: {} cannot be made: {}",
                               scenario::shown(folder.string(), 400),
                               failed.message()));
  }
  return {};
}

/// Runs a cell once more, to keep it. A threshold missed or an invariant broken is what the cell is
/// about.
result<void> keep_runs(const survive::row& row,
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
  const auto code = static_cast<exit_code>(run(r, how.program));
  if (const auto stopped = stopped_by()) {
    return failure(*stopped, "interrupted");
  }
  const bool is_kept = code == exit_code::done || code == exit_code::threshold_missed ||
                       code == exit_code::invariant_broke;
  return is_kept ? result<void>()
                 : failure(code, fmt::format("survive: the runs of {} were not kept", row.name));
}

/// Of which harm the story is told: that of the figure that decided, or what is worst.
struct harm_to_tell {
  std::uint64_t seed = 0;
  std::uint32_t breach = 0;  ///< from 1, among those of its run; 0: there is none
};

/// The kind of harm that makes a figure worse; empty where no single one does.
std::string_view kind_behind(std::string_view metric) {
  static constexpr std::array<std::array<std::string_view, 2>, 9> all{
      {{"double.commits", "double_commit"},
       {"double.rides", "double_commit"},
       {"promises.broken", "broken_promise"},
       {"confirms.stale_accepted", "stale_confirm"},
       {"double.accepts", "double_accept"},
       {"accepts.lost_rate", "lost_accept"},
       {"double.offers", "double_offer"},
       {"supply.starved_share", "starved_ride"},
       {"supply.hidden_share", "hiding_lease"}}};
  for (const auto& [name, kind] : all) {
    if (name == metric) {
      return kind;
    }
  }
  return "";
}

/// `figures`: the text of its metrics.json, in which harms are in the order of breaches, run by
/// run.
harm_to_tell harm_of(const survive::finding& finding, const std::string& figures) {
  using json = nlohmann::json;
  const json j = text_as_json(figures);
  const std::string_view kind =
      finding.worse.empty() ? std::string_view() : kind_behind(finding.worse.front().metric);
  std::map<std::uint64_t, std::uint32_t> so_far;
  for (const json& broken : j["promises"]["violations"]) {
    ++so_far[broken["seed"].get<std::uint64_t>()];
  }
  harm_to_tell found;
  double severity = 0;
  for (const json& each : j["notables"]) {
    const auto seed = each["seed"].get<std::uint64_t>();
    const std::uint32_t number = ++so_far[seed];
    const double its = each["severity"].get<double>() + (each["harm"] == kind ? 1e3 : 0);
    if (its > severity) {
      found = {seed, number};
      severity = its;
    }
  }
  return found;
}

/// The page of the story of a harm of a cell that breaks or degrades. Nothing where there is none.
result<void> make_story(const survive::cell& cell,
                        const fs::path& stem,
                        const survive_pages_options& how) {
  const auto figures = report::read_whole(stem / "metrics.json");
  if (!figures) {
    return tl::unexpected<error>(figures.error());
  }
  const harm_to_tell harm = harm_of(cell.finding, *figures);
  const bool is_decided = cell.finding.verdict == survive::verdict::breaks ||
                          cell.finding.verdict == survive::verdict::degrades;
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
  const auto written = report::write_file(
      how.folder / "runs", stem.filename().string() + "-story.html", story->text);
  return written ? result<void>() : tl::unexpected<error>(written.error());
}

std::string shown_of(const survive::difference& d, double value) {
  const metrics::entry* entry = metrics::find(d.metric);
  return entry == nullptr ? report::significant(value) : report::shown(value, entry->unit);
}

/// What the table says of the cell, by which rule, and why the page may say it otherwise.
std::string note_of(const survive::cell& cell, std::uint32_t runs) {
  std::string text =
      fmt::format("The survival table says `{}`", survive::name_of(cell.finding.verdict));
  for (const survive::difference& d : cell.finding.worse) {
    text += fmt::format("{} `{}` {} in a run with the cause (A), {} without (B)",
                        &d == &cell.finding.worse.front() ? ":" : ",",
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

result<void> make_cell(const survive::row& row,
                       const survive::cell& cell,
                       const survive_pages_options& how) {
  const std::string name(lease::rules_of(cell.protocol).name);
  const fs::path stem = how.folder / show::cell_stem(row.name, name);
  const fs::path without = stem.string() + "-without";
  std::vector<scenario::override_value> overrides{{"lease.protocol", name}};
  if (auto kept = keep_runs(row, overrides, stem, how); !kept) {
    return kept;
  }
  for (const std::string& each : row.without) {
    overrides.push_back(scenario::override_of(each));
  }
  if (auto kept = keep_runs(row, std::move(overrides), without, how); !kept) {
    return kept;
  }
  if (auto told = make_story(cell, stem, how); !told) {
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
  const auto written = report::write_file(page.parent_path(),
                                          page.filename().string(),
                                          show::page_of(row.name + " under " + name, *model));
  return written ? result<void>() : tl::unexpected<error>(written.error());
}

}  // namespace

result<fs::path> make_survive_pages(const std::vector<survive::row>& rows,
                                    const survive_pages_options& how) {
  if (auto made = make_folder(how.folder); !made) {
    return tl::unexpected<error>(made.error());
  }
  for (const survive::row& row : rows) {
    for (const survive::cell& cell : row.cells) {
      if (auto made = make_cell(row, cell, how); !made) {
        return tl::unexpected<error>(made.error());
      }
      if (how.on_cell) {
        how.on_cell();
      }
    }
  }
  const auto table =
      show::choice_model_of(survive::as_json(rows), this_build().version, how.folder);
  if (!table) {
    return tl::unexpected<error>(table.error());
  }
  constexpr const char* index = "index.html";
  if (auto written =
          report::write_file(how.folder, index, show::page_of(table->title, table->model));
      !written) {
    return tl::unexpected<error>(written.error());
  }
  return how.folder / index;
}

}  // namespace dibs::cli
