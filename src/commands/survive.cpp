// `dibs survive`: which protocol survives which incident.

#include "commands/build_info.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/progress_watcher.hpp"
#include "commands/shared_journal.hpp"
#include "commands/shipped_incidents.hpp"
#include "commands/stop_signal.hpp"
#include "commands/survive_pages.hpp"
#include "incidents/incident_runs.hpp"
#include "report/incident_tables.hpp"
#include "text/escape.hpp"
#include "text/terminal.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

namespace dibs::commands {
namespace {

namespace fs = std::filesystem;

std::string text_of(const std::vector<incidents::incident_row>& rows, const survive_request& r) {
  switch (r.format) {
    case table_format::text:
      return report::as_text(rows, text::terminal_style_of(STDOUT_FILENO).width, r.shown);
    case table_format::md:
      return report::as_markdown(rows);
    case table_format::csv:
      return report::as_csv(rows);
    case table_format::json:
      return report::as_json(rows);
  }
  return "";
}

bool any_broken_promise(const std::vector<incidents::incident_row>& rows) {
  return std::ranges::any_of(rows, [](const incidents::incident_row& r) {
    return std::ranges::any_of(
        r.cells, [](const incidents::incident_cell& c) { return c.broken_promises > 0; });
  });
}

/// An incident whose cause changes nothing says nothing.
bool any_idle(const std::vector<incidents::incident_row>& rows) {
  bool any = false;
  for (const incidents::incident_row& r : rows) {
    if (r.is_idle()) {
      any = true;
      print_diagnostics(text::fitted(
          fmt::format(
              "dibs: {}: the cause touches nothing: under each protocol every run is the "
              "same with it as without. See what `incident.without` takes away, and whether "
              "the faults are triggered (`dibs run {}`)\n",
              r.name,
              text::display_text(r.file.string(), 400)),
          text::terminal_style_of(STDERR_FILENO).width));
    }
  }
  return any;
}

result<void> make_pages(const survive_request& r,
                        const std::string& program,
                        const std::vector<incidents::incident_row>& rows) {
  if (!r.pages) {
    return {};
  }
  result<fs::path> index;
  {
    const std::size_t cells = rows.empty() ? 0 : rows.size() * rows.front().cells.size();
    count_line counter(r.quiet, cells, "cells");
    std::size_t done = 0;
    index = make_survive_pages(
        rows, {.folder = *r.pages, .program = program, .jobs = r.jobs, .on_cell = [&] {
                 counter.show(++done, "kept, with its page");
               }});
  }
  if (!index) {
    return tl::unexpected<error>(index.error());
  }
  print_diagnostics(fmt::format("dibs: the table and the runs of each cell: {}\n",
                                text::display_text(index->string(), 400)));
  return {};
}

/// Where nothing was shown, nothing is left that the same command would stumble over.
void remove_unused_folder(const survive_request& r) {
  if (r.pages) {
    std::error_code ignored;
    fs::remove(fs::path(*r.pages) / "runs", ignored);
    fs::remove(*r.pages, ignored);
  }
}

}  // namespace

int survive(const survive_request& r, const std::string& program) {
  const auto files = incident_files("survive", r.incidents);
  if (!files) {
    return fail(files.error());
  }
  std::vector<incidents::incident> incidents;
  for (const fs::path& file : *files) {
    incidents::incident_reading read = incidents::read_incident(file);
    if (!read.diagnostics.empty()) {
      print_diagnostics(read.diagnostics);
      return static_cast<int>(exit_code::invalid_input);
    }
    incidents.push_back(std::move(read.value));
  }
  if (const auto made = r.pages ? make_survive_folder(*r.pages) : result<void>(); !made) {
    return fail(made.error());
  }
  incidents::incident_options how;
  how.runs = r.runs;
  how.jobs = r.jobs;
  how.stop = stop_flag();
  const auto others = journal_of(r.sharing);
  if (!others) {
    return fail(others.error());
  }
  how.shared = {others->get(), decider_of(r.sharing, r.jobs), this_build()};
  for (const lease::rules& each : lease::all_rules()) {
    how.protocols.push_back(each.which);
  }
  std::vector<incidents::incident_row> rows;
  {
    count_line counter(r.quiet, incidents.size() * how.protocols.size(), "cells");
    std::size_t done = 0;
    for (const incidents::incident& each : incidents) {
      how.on_cell = [&] { counter.show(++done, each.with_cause.name); };
      auto row = incidents::run_incident(each, how);
      if (!row) {
        const auto by_signal = stopped_by();
        remove_unused_folder(r);
        return fail(by_signal ? error{*by_signal, "interrupted; nothing is shown of a part"}
                              : row.error());
      }
      rows.push_back(std::move(*row));
    }
  }
  if (const auto done = make_pages(r, program, rows); !done) {
    return fail(done.error());
  }
  return finish(text_of(rows, r),
                any_broken_promise(rows) ? exit_code::invariant_broke
                : any_idle(rows)         ? exit_code::inconclusive
                                         : exit_code::done);
}

}  // namespace dibs::commands
