#include "report/study_tables.hpp"

#include "history/batch_means.hpp"
#include "metrics/catalogue.hpp"
#include "report/incident_tables.hpp"
#include "report/json_cells.hpp"
#include "report/run_lengths.hpp"
#include "report/run_table.hpp"
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

constexpr std::array<std::string_view, 5> headlines{
    "double.commits", "supply.hidden_share", "accepts.missed_rate", "rides.match_rate", "ttm.p95"};

cell word(const json& value) { return {word_of(value)}; }

column figures_of(std::string_view metric) {
  return {.title = std::string(metric), .to = text::side::right, .mark = emphasis::code};
}

/// The rows `metric,unit,value` of a list of figures, each after the same cells.
void add_figure(text::table& to,
                const text::row& before,
                const std::string& metric,
                const std::string& unit,
                const std::optional<stats::estimate>& e) {
  to.rows.push_back(before);
  text::row& line = to.rows.back();
  line.insert(line.end(), {cell(metric), cell(unit), cell(e)});
}

std::string unit_name(const std::string& metric) {
  return std::string(text::name_of(metrics::unit_of(metric)));
}

/// Of a sweep: [value, half width or null, perhaps below and above].
std::optional<stats::estimate> figure_of_point(const json& figures, std::string_view metric) {
  const auto found = figures.find(metric);
  if (found == figures.end() || !found->is_array() || found->empty() ||
      !found->front().is_number()) {
    return std::nullopt;
  }
  const json& all = *found;
  stats::estimate e{all.at(0).get<double>()};
  if (all.size() > 3) {
    e.margin = {all.at(2).get<double>(), all.at(3).get<double>()};
  } else if (all.size() > 1 && all.at(1).is_number()) {
    e.margin = {all.at(1).get<double>(), all.at(1).get<double>()};
  }
  return e;
}

/// Of a choice: {value, half_width_95, low_95, high_95}.
std::optional<stats::estimate> figure_of_choice(const json& from) {
  return from.is_object() ? between(from.value("value", json()),
                                    from.value("low_95", json()),
                                    from.value("high_95", json()))
                          : std::nullopt;
}

// -- a sweep -------------------------------------------------------------------------------------

std::string sweep_csv(const json& sweep) {
  std::vector<std::string> before{"point"};
  for (const json& path : sweep.at("fields")) {
    before.push_back(word_of(path));
  }
  text::table t{figure_columns(std::move(before), "mean", {"runs"}), {}};
  for (const json& point : sweep.at("points")) {
    text::row start{word(point.at("n"))};
    for (const json& path : sweep.at("fields")) {
      start.push_back(word(point.at("fields").value(word_of(path), json())));
    }
    for (const auto& [metric, all] : point.at("figures").items()) {
      add_figure(t, start, metric, unit_name(metric), figure_of_point(point.at("figures"), metric));
      t.rows.back().push_back(word(point.at("runs")));
    }
  }
  return as_csv(t);
}

std::string sweep_markdown(const json& sweep) {
  text::table t;
  for (const json& path : sweep.at("fields")) {
    t.columns.push_back({.title = word_of(path), .mark = emphasis::code});
  }
  std::transform(headlines.begin(), headlines.end(), std::back_inserter(t.columns), figures_of);
  t.columns.push_back(text::figures("runs"));
  for (const json& point : sweep.at("points")) {
    text::row& line = t.rows.emplace_back();
    for (const json& path : sweep.at("fields")) {
      line.push_back(word(point.at("fields").value(word_of(path), json())));
    }
    for (const std::string_view metric : headlines) {
      line.emplace_back(figure_of_point(point.at("figures"), metric), metrics::unit_of(metric));
    }
    line.push_back(word(point.at("runs")));
    if (point.value("broken", 0) > 0) {
      line.back() =
          word_of(point.at("runs")) + ", promises broken in " + word_of(point.at("broken"));
    }
  }
  return fmt::format("## {}\n\n{}\n\n{}\nWith 95 % intervals over the runs of a point.\n",
                     markdown_cell(word_of(sweep.at("name"))),
                     markdown_cell(word_of(sweep.at("question"))),
                     as_markdown(t));
}

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
    add_figure(t,
               start,
               "objective",
               word_of(tuning.value("unit", json())),
               figure_of_choice(row.at("objective")));
    for (const auto& [metric, value] : row.at("metrics").items()) {
      add_figure(t, start, metric, unit_name(metric), figure_of_choice(value));
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
    t.columns.push_back(figures_of(metric));
  }
  t.columns.push_back(text::figures("seeds"));
  for (const json& row : tuning.at("rows")) {
    text::row& line = t.rows.emplace_back();
    for (const auto& [path, value] : row.at("values").items()) {
      line.push_back(word(value));
    }
    line.emplace_back(word_of(row.at("standing")) + (row.value("today", false) ? ", today" : ""));
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

// -- runs side by side ---------------------------------------------------------------------------

std::string runs_csv(const json& runs) {
  text::table t{figure_columns({"run"}, "value"), {}};
  for (const json& run : runs) {
    for (const auto& [metric, value] : run.at("metrics").at("metrics").items()) {
      add_figure(t,
                 {word(run.at("directory"))},
                 metric,
                 unit_name(metric),
                 figure_in(run.at("metrics"), metric));
    }
  }
  return as_csv(t);
}

std::string runs_markdown(const json& runs) {
  text::table t{{{.title = "figure"}}, {}};
  for (const json& run : runs) {
    t.columns.push_back(text::figures(word_of(run.at("directory"))));
  }
  for (const std::string_view metric : headlines) {
    text::row& line = t.rows.emplace_back(text::row{{std::string(metric), emphasis::code}});
    for (const json& run : runs) {
      line.emplace_back(figure_in(run.at("metrics"), metric), metrics::unit_of(metric));
    }
  }
  std::string text = as_markdown(t);
  const bool is_of_stretches = std::any_of(runs.begin(), runs.end(), [](const json& run) {
    const json intervals = run.at("metrics").value("intervals_95", json::object());
    return std::any_of(intervals.begin(), intervals.end(), [](const json& each) {
      return each.value("of", "") == of_batches;
    });
  });
  if (is_of_stretches) {
    text += fmt::format(
        "\n\u00b1: 95 % intervals; of a single run out of {} equal stretches of it, a little too "
        "narrow. {}\n",
        history::batches,
        why_none());
  }
  const std::string lengths = measured_length_note(runs);
  return lengths.empty() ? text : text + "\n" + markdown_cell(lengths) + "\n";
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
constexpr std::array writers{table_writer{"sweep", sweep_markdown, sweep_csv},
                             table_writer{"tuning", tuning_markdown, tuning_csv},
                             table_writer{"region", region_markdown, csv_of_region},
                             table_writer{"survival", survival_markdown, survival_csv},
                             table_writer{"runs", runs_markdown, runs_csv}};

result<std::string> written(const std::string& model,
                            std::string (*table_writer::*how)(const json&)) {
  const json j = text::text_as_json(model);
  const std::string kind = j.is_object() ? word_of(j.value("kind", json())) : "";
  for (const table_writer& each : writers) {
    if (kind == each.kind && j.contains(kind)) {
      // What was printed by another program may lack a part.
      try {
        return (each.*how)(j.at(kind));
      } catch (const json::exception&) {
        return failure(exit_code::invalid_input, "a part of it is missing");
      }
    }
  }
  return failure(exit_code::usage, "report: there is no table of a page of this kind");
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

result<std::string> markdown_of_study(const std::string& model) {
  return written(model, &table_writer::markdown);
}

result<std::string> csv_of_study(const std::string& model) {
  return written(model, &table_writer::csv);
}

}  // namespace dibs::report
