#include "cli/survive_pages.hpp"

#include "cli/build.hpp"
#include "cli/commands.hpp"
#include "cli/runs_page.hpp"
#include "cli/stop.hpp"
#include "report/file.hpp"
#include "scenario/complaints.hpp"
#include "show/choice_model.hpp"
#include "show/page.hpp"
#include "survive/table.hpp"

#include <fmt/format.h>

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

scenario::override_value override_of(const std::string& text) {
  const std::size_t sign = text.find('=');
  return {text.substr(0, sign), text.substr(sign + 1)};
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

result<void> make_cell(const survive::row& row,
                       lease::protocol protocol,
                       const survive_pages_options& how) {
  const std::string name(lease::rules_of(protocol).name);
  const fs::path stem = how.folder / show::cell_stem(row.name, name);
  const fs::path without = stem.string() + "-without";
  std::vector<scenario::override_value> overrides{{"lease.protocol", name}};
  if (auto kept = keep_runs(row, overrides, stem, how); !kept) {
    return kept;
  }
  for (const std::string& each : row.without) {
    overrides.push_back(override_of(each));
  }
  if (auto kept = keep_runs(row, std::move(overrides), without, how); !kept) {
    return kept;
  }
  const fs::path page = stem.string() + ".html";
  const auto model =
      runs_page_model({stem.string(), without.string()}, page, {.jobs = how.jobs, .quiet = true});
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
      if (auto made = make_cell(row, cell.protocol, how); !made) {
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
