/// The survival table as pages to walk through: the table, and for each cell its runs.
#pragma once

#include "base/result.hpp"
#include "incidents/incident_runs.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace dibs::commands {

struct survive_pages_options {
  std::filesystem::path folder;     ///< from `make_survive_folder`
  std::string program;              ///< for the commands that repeat a run
  std::uint32_t jobs = 1;           ///< replications at a time
  std::function<void()> on_cell{};  ///< called after each cell
};

/// Makes the folder of the pages, before what they show has run. Errors: it is there already, or
/// cannot be made (exit 2).
[[nodiscard]] result<void> make_survive_folder(const std::filesystem::path& folder);

/// Makes `index.html`, the table, whose cells link to `runs/INCIDENT-PROTOCOL.html`: the runs of
/// the cell, with its cause and without, kept in directories beside their page. A cell that breaks
/// or degrades has `runs/INCIDENT-PROTOCOL-story.html` too: how a harm came about, with its
/// swim-lanes. Returns the table's file. Errors: the folder cannot be written (exit 3);
/// interrupted, with what was made left in place.
[[nodiscard]] result<std::filesystem::path> make_survive_pages(
    const std::vector<incidents::incident_row>& rows, const survive_pages_options& how);

}  // namespace dibs::commands
