#include "report/study_tables.hpp"

#include "history/batch_means.hpp"
#include "metrics/catalogue.hpp"
#include "report/incident_tables.hpp"
#include "report/json_cells.hpp"
#include "report/run_lengths.hpp"
#include "report/run_table.hpp"
#include "report/standing_words.hpp"
#include "text/json_text.hpp"
#include "text/markdown.hpp"
#include "text/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>

namespace dibs::report {
namespace {

using json = nlohmann::ordered_json;
using text::as_csv;
using text::as_markdown;
using text::cell;
using text::column;
using text::emphasis;
using text::markdown_cell;
using text::markdown_code;

cell word(const json& value) { return {word_of(value)}; }

// -- a choice ------------------------------------------------------------------------------------

std::string tuning_csv(const json& tuning) {
  // The fields that were searched, with the values of the first that was tried.
  const json& tried = tuning.at("rows").empty() ? tuning.at("ruled_out") : tuning.at("rows");
  std::vector<std::string> before;
  for (const auto& [path, value] : tried.at(0).at("values").items()) {
    before.push_back(path);
  }
  before.insert(before.end(), {"standing", "seeds"});
  text::table t{figure_columns(std::move(before), "mean"), {}};
  for (const json& row : tuning.at("rows")) {
    text::row start;
    for (const auto& [path, value] : row.at("values").items()) {
      start.push_back(word(value));
    }
    start.push_back(word(row.at("standing")));
    start.push_back(word(row.value("seeds", json())));
    text::row& objective = t.rows.emplace_back(start);
    add_figure(objective, "objective", figure_of_choice(row.at("objective")));
    objective[objective.size() - 2] = word(tuning.value("unit", json()));
    for (const auto& [metric, value] : row.at("metrics").items()) {
      add_figure(t.rows.emplace_back(start), metric, figure_of_choice(value));
    }
  }
  return as_csv(t);
}

/// The objective is in a unit of its own name.
text::unit objective_unit(const json& tuning) {
  for (const metrics::entry& e : metrics::catalogue()) {
    if (text::name_of(e.unit) == word_of(tuning.value("unit", json()))) {
      return e.unit;
    }
  }
  return text::unit::ratio;
}

std::string tuning_rows(const json& tuning) {
  if (tuning.at("rows").empty()) {
    return "";
  }
  text::table t;
  const json& first = tuning.at("rows").at(0);
  for (const auto& [path, value] : first.at("values").items()) {
    t.columns.push_back({.title = path, .mark = emphasis::code});
  }
  t.columns.push_back({.title = "is"});
  t.columns.push_back(text::figures("objective"));
  for (const auto& [metric, value] : first.at("metrics").items()) {
    t.columns.push_back(column_of(metric));
  }
  t.columns.push_back(text::figures("seeds"));
  for (const json& row : tuning.at("rows")) {
    text::row& line = t.rows.emplace_back();
    for (const auto& [path, value] : row.at("values").items()) {
      line.push_back(word(value));
    }
    line.emplace_back(std::string(word_of_standing(word_of(row.at("standing"))).word) +
                      (row.value("today", false) ? ", today" : ""));
    line.emplace_back(figure_of_choice(row.at("objective")), objective_unit(tuning));
    for (const auto& [metric, value] : row.at("metrics").items()) {
      line.emplace_back(figure_of_choice(value), metrics::unit_of(metric));
    }
    line.push_back(word(row.value("seeds", json())));
  }
  return as_markdown(t) + "\nWith 95 % intervals.\n";
}

std::string values_told(const json& values) {
  std::string text;
  for (const auto& [path, value] : values.items()) {
    text += (text.empty() ? "" : ", ") + markdown_code(path + "=" + word_of(value));
  }
  return text;
}

std::string tuning_markdown(const json& tuning) {
  const std::string best = values_told(tuning.at("best"));
  const std::string why = tuning.value("why", "");
  std::string text = fmt::format("## {}: {}\n\n{}: {}{}\n\n{}",
                                 markdown_cell(word_of(tuning.at("scenario"))),
                                 markdown_cell(word_of(tuning.at("objective"))),
                                 markdown_cell(word_of(tuning.at("answer"))),
                                 best.empty() ? "no value" : best,
                                 why.empty() ? "" : "; " + markdown_cell(why),
                                 tuning_rows(tuning));
  const json ruled_out = tuning.value("ruled_out", json::array());
  for (const json& out : ruled_out) {
    text += fmt::format("- {} is ruled out: {}\n",
                        values_told(out.at("values")),
                        markdown_cell(word_of(out.at("why"))));
  }
  text += ruled_out.empty() ? "" : "\n";
  if (tuning.contains("safety")) {
    text += fmt::format("Safety of the best: {}.\n", markdown_cell(word_of(tuning.at("safety"))));
  }
  for (const json& note : tuning.value("notes", json::array())) {
    text += fmt::format("Note: {}.\n", markdown_cell(word_of(note)));
  }
  return text;
}

// -- where everything holds ----------------------------------------------------------------------

std::string region_markdown(const json& region) {
  const json& xs = region.at("x").at("values");
  const json& ys = region.at("y").at("values");
  const std::string corner = markdown_code(word_of(region.at("y").at("path"))) + " \\ " +
                             markdown_code(word_of(region.at("x").at("path")));
  text::table t{{{.title = corner, .mark = emphasis::markdown}}, {}};
  for (const json& x : xs) {
    t.columns.push_back({.title = word_of(x)});
  }
  for (std::size_t iy = 0; iy < ys.size(); ++iy) {
    text::row& line = t.rows.emplace_back(text::row{word(ys.at(iy))});
    for (std::size_t ix = 0; ix < xs.size(); ++ix) {
      const json& of = region.at("cells").at(iy * xs.size() + ix);
      line.emplace_back(word_of(of.at("verdict")),
                        of.at("differs") == true ? emphasis::strong : emphasis::none);
    }
  }
  std::string conditions;
  for (const json& condition : region.at("required")) {
    conditions += " " + markdown_code(word_of(condition)) + ",";
  }
  return fmt::format(
      "## {}: where everything holds\n\n{}\nIt has to hold:{} and what the protocol promises. In "
      "bold: TTL >= decision + 2 latency + skew + clean-up says otherwise. Unsure: too near to "
      "tell with so few seeds (95 %).\n",
      markdown_cell(word_of(region.at("scenario"))),
      as_markdown(t),
      conditions);
}

// ------------------------------------------------------------------------------------------------

std::string survival_csv(const json& rows) { return csv_of(rows, numbers::as_written); }

std::string survival_markdown(const json& rows) {
  return markdown_of(rows, emphasis::code) +
         "\nThe mean of a run with the cause, and in brackets without it.\n";
}

struct table_writer {
  const char* kind;
  std::string (*markdown)(const json&);
  std::string (*csv)(const json&);
};
constexpr std::array writers{table_writer{"tuning", tuning_markdown, tuning_csv},
                             table_writer{"region", region_markdown, csv_of_region},
                             table_writer{"survival", survival_markdown, survival_csv}};

result<std::string> written(const json& model, std::string (*table_writer::*how)(const json&)) {
  const std::string kind = model.at("kind").get<std::string>();
  const auto* each = std::ranges::find(writers, kind, &table_writer::kind);
  // What was printed by another program may lack a part.
  try {
    return (each->*how)(model.at(kind));
  } catch (const json::exception&) {
    return failure(exit_code::invalid_input, "a part of it is missing");
  }
}

}  // namespace

std::string csv_of_region(const json& region) {
  text::table t;
  const auto add_column = [&](std::string title) {
    t.columns.push_back({.title = std::move(title)});
  };
  add_column(word_of(region.at("x").at("path")));
  add_column(word_of(region.at("y").at("path")));
  for (const char* title : {"verdict", "found", "sure", "bound_s", "bound_holds", "differs"}) {
    add_column(title);
  }
  for (const json& condition : region.at("required")) {
    add_column("room of " + word_of(condition));
    add_column("half width of room of " + word_of(condition));
  }
  add_column("broken");
  for (const json& of : region.at("cells")) {
    text::row& line = t.rows.emplace_back();
    for (const char* key : {"x", "y", "verdict", "found"}) {
      line.push_back(word(of.at(key)));
    }
    if (of.at("found") == "invalid") {
      line.resize(line.size() + 4);
    } else {
      line.insert(line.end(),
                  {cell(of.at("sure") == true),
                   word(of.at("bound").value("ttl_s", json())),
                   cell(of.at("long_enough") == true),
                   cell(of.at("differs") == true)});
    }
    for (std::size_t i = 0; i < region.at("required").size(); ++i) {
      line.push_back(i < of.at("room").size() ? word(of.at("room").at(i)) : cell());
      line.push_back(i < of.at("half").size() ? word(of.at("half").at(i)) : cell());
    }
    line.push_back(word(of.value("broken", json::object()).value("promise", json())));
  }
  return as_csv(t);
}

result<std::string> markdown_of_study(const json& model) {
  return written(model, &table_writer::markdown);
}

result<std::string> csv_of_study(const json& model) { return written(model, &table_writer::csv); }

}  // namespace dibs::report
