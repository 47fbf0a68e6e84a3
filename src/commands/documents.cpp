// `dibs validate`, `schema`, `reference`, `formats` and `metrics`: what can be said without a run.

#include "commands/build_info.hpp"
#include "commands/commands.hpp"
#include "commands/console.hpp"
#include "formats/formats_page.hpp"
#include "metrics/catalogue.hpp"
#include "metrics/titles.hpp"
#include "scenario/file_text.hpp"
#include "scenario/read.hpp"
#include "scenario/warnings.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"
#include "text/roff.hpp"
#include "text/spelling.hpp"
#include "text/terminal.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <filesystem>
#include <string>
#include <vector>

namespace dibs::commands {
namespace {

/// What names of metrics begin with, up to a dot: `dibs metrics` shows all that begin so.
std::vector<std::string> groups_of_metrics() {
  std::vector<std::string> groups;
  for (const metrics::entry& e : metrics::catalogue()) {
    for (auto dot = e.name.find('.'); dot != std::string_view::npos;
         dot = e.name.find('.', dot + 1)) {
      groups.emplace_back(e.name.substr(0, dot));
    }
  }
  return groups;
}

std::string_view name_of(metrics::direction d) {
  switch (d) {
    case metrics::direction::more_is_better:
      return "more";
    case metrics::direction::less_is_better:
      return "less";
    case metrics::direction::neither:
      return "";
  }
  return "";
}

}  // namespace

int validate(const validate_request& r) {
  std::string text;
  bool all_ok = true;
  for (const std::string& file : r.files) {
    const scenario::reading reading = scenario::read_file(file, r.overrides);
    all_ok = all_ok && reading.ok();
    if (reading.ok()) {
      text += fmt::format("{}: ok\n", text::display_text(scenario::called(file), 400));
      for (const std::string& remark : scenario::remarks_on(reading.value)) {
        print_diagnostics(
            fmt::format("{}: note: {}\n", text::display_text(scenario::called(file), 400), remark));
      }
    } else {
      print_diagnostics(reading.diagnostics);
    }
  }
  return finish(text, all_ok ? exit_code::done : exit_code::invalid_input);
}

int schema() {
  std::string text = scenario::json_schema();
  return finish(text.ends_with('\n') ? text : text + "\n");
}

std::string man_page_of_scenarios() {
  return fmt::format(
      ".TH DIBS-SCENARIO 5 \"\" \"{}\" \"File formats of dibs\"\n"
      ".SH NAME\ndibs\\-scenario \\- what a scenario of dibs says, field by field\n"
      ".SH DESCRIPTION\n{}"
      ".SH SEE ALSO\n.BR dibs (1),\n.BR dibs\\-run (1),\n.BR dibs\\-validate (1)\n",
      name_and_version(),
      text::roff_of_markdown(scenario::reference_page()));
}

int reference(const reference_request& r) {
  std::string text =
      r.format == reference_format::man ? man_page_of_scenarios() : scenario::reference_page();
  return finish(text.ends_with('\n') ? text : text + "\n");
}

int formats_table(const formats_request& r) {
  return finish(r.format == formats_format::json ? formats::formats_json(this_build().version)
                                                 : formats::formats_page());
}

std::string described(const std::string& title, std::string_view definition) {
  return definition.starts_with(title) ? std::string(definition)
                                       : fmt::format("{}: {}", title, definition);
}

int metrics_table(const metrics_request& r) {
  std::vector<const metrics::entry*> wanted;
  const metrics::entry* const named = metrics::find(r.name);
  for (const metrics::entry& e : metrics::catalogue()) {
    if (r.name.empty() || named == &e || e.name == r.name || e.name.starts_with(r.name + ".")) {
      wanted.push_back(&e);
    }
  }
  if (wanted.empty()) {
    std::string near = metrics::nearest(r.name);
    near = near.empty() ? text::closest_spelling(r.name, groups_of_metrics()) : near;
    return fail({exit_code::usage,
                 fmt::format("there is no metric {}{}",
                             text::display_text(r.name, 80),
                             near.empty() ? "" : "; did you mean " + near + "?")});
  }
  if (r.format == format::json) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const metrics::entry* e : wanted) {
      all.push_back({{"name", e->name},
                     {"unit", text::name_of(e->unit)},
                     {"better", name_of(e->meaning.direction)},
                     {"definition", e->definition}});
    }
    return finish(text::json_as_text(all, 2) + "\n");
  }
  int width = 0;
  for (const metrics::entry* e : wanted) {
    width = std::max(width, text::columns(e->name));
  }
  constexpr int unit_width = 8;
  constexpr int better_width = 6;
  // A pipe has no edge: there each metric is one line.
  const int terminal = text::terminal_style_of(STDOUT_FILENO).width;
  const int edge = ::isatty(STDOUT_FILENO) != 0 ? terminal : INT_MAX;
  const auto row = [&](std::string_view name,
                       std::string_view unit,
                       std::string_view better,
                       std::string_view definition) {
    return text::fitted(fmt::format("{}  {}  {}  {}\n",
                                    text::left(name, width),
                                    text::left(unit, unit_width),
                                    text::left(better, better_width),
                                    definition),
                        edge);
  };
  std::string text = row("metric", "unit", "better", "is");
  for (const metrics::entry* e : wanted) {
    text += row(e->name,
                text::name_of(e->unit),
                name_of(e->meaning.direction),
                described(metrics::title_of(e->name), e->definition));
  }
  constexpr int text_width = 100;
  return finish(
      text +
      text::paragraph(
          fmt::format(
              "\n<stat> is mean, min, max or a percentile: p50, p90, p95, p99, p99.9, ... {}",
              metrics::percentile_definition()),
          std::min(terminal, text_width)));
}

}  // namespace dibs::commands
