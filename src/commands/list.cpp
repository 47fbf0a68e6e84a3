// `dibs list`: the scenarios that ship, each with its question.

#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "commands/shipped_scenarios.hpp"
#include "scenario/read.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"
#include "text/terminal.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <filesystem>

namespace dibs::commands {

namespace fs = std::filesystem;

int list(const list_request& r) {
  const auto folder = scenarios_folder();
  if (!folder) {
    return fail(folder.error());
  }
  auto files = files_in(*folder);
  if (!files) {
    return fail(files.error());
  }
  for (const char* below : {"incidents", "designs"}) {
    if (const auto some = files_in(*folder / below)) {
      files->insert(files->end(), some->begin(), some->end());
    }
  }
  bool all_ok = true;
  std::string text;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  int width = 0;
  for (const fs::path& file : *files) {
    width = std::max(width, text::columns(text::display_text(file.string(), 400)));
  }
  // A pipe has no edge: there each scenario is one line.
  const int edge =
      ::isatty(STDOUT_FILENO) != 0 ? text::terminal_style_of(STDOUT_FILENO).width : INT_MAX;
  for (const fs::path& file : *files) {
    const scenario::reading reading = scenario::read_file(file);
    const std::string path = text::display_text(file.string(), 400);
    if (!reading.ok()) {
      all_ok = false;
      print_diagnostics(reading.diagnostics);
      continue;
    }
    text += text::fitted(
        fmt::format(
            "{}  {}\n", text::left(path, width), text::display_text(reading.value.question, 300)),
        edge);
    all.push_back({{"file", path},
                   {"name", text::display_text(reading.value.name, 400)},
                   {"question", text::display_text(reading.value.question, 4000)}});
  }
  if (r.format == format::json) {
    text = text::json_as_text(all, 2) + "\n";
  }
  return finish(text, all_ok ? exit_code::done : exit_code::invalid_input);
}

}  // namespace dibs::commands
