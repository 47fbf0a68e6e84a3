#include "report/study_tables.hpp"

#include "formats/csv_table.hpp"
#include "formats/field_columns.hpp"
#include "history/batch_means.hpp"
#include "metrics/catalogue.hpp"
#include "report/incident_tables.hpp"
#include "report/json_cells.hpp"
#include "report/run_lengths.hpp"
#include "report/run_table.hpp"
#include "report/shown_figures.hpp"
#include "report/standing_words.hpp"
#include "text/json_text.hpp"
#include "text/markdown.hpp"
#include "text/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

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

/// A count; nothing where there is none.
cell whole(const json& value) {
  const bool is_one = value.is_number_integer() && value.get<std::int64_t>() >= 0;
  return is_one ? cell(value.get<std::uint64_t>()) : cell();
}

/// Something that is so or not; nothing where that is not said.
cell truth(const json& value) { return value.is_boolean() ? cell(value.get<bool>()) : cell(); }

std::vector<std::string> words_in(const json& values) {
  std::vector<std::string> all;
  for (const json& value : values) {
    all.push_back(word_of(value));
  }
  return all;
}

// -- a choice ------------------------------------------------------------------------------------

/// The columns of the fields of rows that have each its `values`.
formats::field_columns fields_of(const json& rows) {
  std::vector<std::string> paths;
  if (!rows.empty()) {
    for (const auto& [path, value] : rows.at(0).at("values").items()) {
      paths.push_back(path);
    }
  }
  std::vector<std::vector<std::string>> values;
  for (const json& row : rows) {
    values.push_back(words_in(row.at("values")));
  }
  return {std::move(paths), values};
}

}  // namespace

std::string csv_of_tuning(const json& tuning) {
  // The fields that were searched, with the values that were tried.
  const json& rows = tuning.at("rows");
  const formats::field_columns fields =
      fields_of(rows.empty() ? tuning.value("ruled_out", json::array()) : rows);
  text::table t{formats::columns_of(formats::tuning_table, fields.columns()), {}};
  for (const json& row : rows) {
    const auto add = [&](const std::string& metric, const json& figure) -> text::row& {
      text::row& line = t.rows.emplace_back(fields.cells_of(words_in(row.at("values"))));
      line.push_back(word(row.at("standing")));
      add_figure(line, metric, figure_of_choice(figure));
      line.push_back(whole(row.value("seeds", json())));
      return line;
    };
    text::row& objective = add("objective", row.at("objective"));
    constexpr std::size_t from_unit = 3;  // the unit, the figure, the runs
    objective[objective.size() - from_unit] = word(tuning.value("unit", json()));
    for (const auto& [metric, value] : row.at("metrics").items()) {
      add(metric, value);
    }
  }
  return as_csv(t);
}

namespace {

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
  const std::vector<std::string> shown = shown_of(tuning);
  for (const std::string& metric : shown) {
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
    for (const std::string& metric : shown) {
      line.emplace_back(figure_of_choice(row.at("metrics").value(metric, json())),
                        metrics::unit_of(metric));
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

/// One of a list; null beyond its end.
json at_or_none(const json& list, std::size_t i) {
  return list.is_array() && i < list.size() ? list.at(i) : json();
}

cell number(const json& value) { return value.is_number() ? cell(value.get<double>()) : cell(); }

std::optional<stats::estimate> room_of(const json& room, const json& half) {
  if (!room.is_number()) {
    return std::nullopt;
  }
  stats::estimate e{room.get<double>()};
  if (half.is_number()) {
    e.margin = {half.get<double>(), half.get<double>()};
  }
  return e;
}

// ------------------------------------------------------------------------------------------------

std::string survival_csv(const json& rows) { return csv_of(rows); }

std::string survival_markdown(const json& rows) {
  return markdown_of(rows, emphasis::code) +
         "\nThe mean of a run with the cause, and in brackets without it.\n";
}

struct table_writer {
  const char* kind;
  std::string (*markdown)(const json&);
  std::string (*csv)(const json&);
};
constexpr std::array writers{table_writer{"tuning", tuning_markdown, csv_of_tuning},
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
  const json& cells = region.at("cells");
  std::vector<std::vector<std::string>> values;
  for (const json& of : cells) {
    values.push_back({word_of(of.at("x")), word_of(of.at("y"))});
  }
  const formats::field_columns fields(
      {word_of(region.at("x").at("path")), word_of(region.at("y").at("path"))}, values);
  text::table t{formats::columns_of(formats::region_table, fields.columns()), {}};
  const json& required = region.at("required");
  for (std::size_t n = 0; n < cells.size(); ++n) {
    const json& of = cells.at(n);
    text::row start = fields.cells_of(values[n]);
    const bool is_valid = of.at("found") != "invalid";
    for (const char* key : {"verdict", "found"}) {
      start.push_back(word(of.at(key)));
    }
    start.push_back(is_valid ? truth(of.at("sure")) : cell());
    start.push_back(is_valid ? number(of.at("bound").value("ttl_s", json())) : cell());
    start.push_back(is_valid ? truth(of.at("long_enough")) : cell());
    start.push_back(is_valid ? truth(of.at("differs")) : cell());
    start.push_back(word(of.value("broken", json::object()).value("promise", json())));
    // A cell of which nothing has to hold has a row as well.
    for (std::size_t i = 0; i < std::max<std::size_t>(required.size(), 1); ++i) {
      text::row& line = t.rows.emplace_back(start);
      line.push_back(i < required.size() ? word(required.at(i)) : cell());
      line.push_back(word(at_or_none(part_of(region, "units"), i)));
      line.emplace_back(room_of(at_or_none(of.at("room"), i), at_or_none(of.at("half"), i)));
    }
  }
  return as_csv(t);
}

result<std::string> markdown_of_study(const json& model) {
  return written(model, &table_writer::markdown);
}

result<std::string> csv_of_study(const json& model) { return written(model, &table_writer::csv); }

}  // namespace dibs::report
