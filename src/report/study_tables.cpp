#include "report/study_tables.hpp"

#include "history/batch_means.hpp"
#include "metrics/catalogue.hpp"
#include "report/decided_share.hpp"
#include "report/run_lengths.hpp"
#include "report/run_table.hpp"
#include "stats/confidence_interval.hpp"
#include "text/csv_field.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace dibs::show {
namespace {

using json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 5> headlines{
    "double.commits", "supply.hidden_share", "accepts.missed_rate", "rides.match_rate", "ttm.p95"};

std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : json_as_text(value);
}

std::string field_of(const json& value) { return report::csv_field(text_of(value)); }

/// A word of the program's own, which another file may have put anything into.
std::string code_of(const std::string& text) {
  const bool is_plain =
      text.find_first_of("`|\\") == std::string::npos && scenario::shown(text, 200) == text;
  return is_plain ? "`" + text + "`" : cell_of(text);
}

std::string shown_of(const std::optional<stats::estimate>& f, metrics::unit unit) {
  if (!f) {
    return "-";
  }
  return report::shown(*f, unit, "\u00b1");
}

/// `value,low,high`
std::string ends_of(const std::optional<stats::estimate>& f) {
  if (!f) {
    return ",,";
  }
  return f->margin ? fmt::format("{},{},{}", f->value, f->low(), f->high())
                   : fmt::format("{},,", f->value);
}

/// Of a sweep: [value, half width or null, perhaps below and above].
std::optional<stats::estimate> figure_in(const json& figures, std::string_view metric) {
  const auto found = figures.find(metric);
  if (found == figures.end() || !found->is_array() || found->empty() ||
      !found->front().is_number()) {
    return std::nullopt;
  }
  const json& all = *found;
  stats::estimate f{all.at(0).get<double>(), {}};
  if (all.size() > 3) {
    f.margin = stats::margins{all.at(2).get<double>(), all.at(3).get<double>()};
  } else if (all.size() > 1 && all.at(1).is_number()) {
    f.margin = stats::margins{all.at(1).get<double>(), all.at(1).get<double>()};
  }
  return f;
}

/// Of a choice: {value, half_width_95, low_95, high_95}.
std::optional<stats::estimate> figure_of(const json& from) {
  if (!from.is_object() || !from.value("value", json()).is_number()) {
    return std::nullopt;
  }
  stats::estimate f{from.at("value").get<double>(), {}};
  const json low = from.value("low_95", json());
  const json high = from.value("high_95", json());
  if (low.is_number() && high.is_number()) {
    f.margin = stats::margins{f.value - low.get<double>(), high.get<double>() - f.value};
  }
  return f;
}

std::string rule_of(std::size_t words, std::size_t numbers) {
  std::string text = "|";
  for (std::size_t i = 0; i < words + numbers; ++i) {
    text += i < words ? "---|" : "---:|";
  }
  return text + "\n";
}

// -- a sweep -------------------------------------------------------------------------------------

std::string sweep_csv(const json& sweep) {
  std::string text = "point";
  for (const json& path : sweep.at("fields")) {
    text += "," + field_of(path);
  }
  text += ",metric,unit,mean,low_95,high_95,runs\n";
  for (const json& point : sweep.at("points")) {
    std::string start = json_as_text(point.at("n"));
    for (const json& path : sweep.at("fields")) {
      start += "," + field_of(point.at("fields").value(text_of(path), json()));
    }
    for (const auto& [metric, all] : point.at("figures").items()) {
      text += fmt::format("{},{},{},{},{}\n",
                          start,
                          metric,
                          metrics::name_of(metrics::unit_of(metric)),
                          ends_of(figure_in(point.at("figures"), metric)),
                          json_as_text(point.at("runs")));
    }
  }
  return text;
}

std::string sweep_markdown(const json& sweep) {
  std::string text = fmt::format("## {}\n\n{}\n\n|",
                                 cell_of(text_of(sweep.at("name"))),
                                 cell_of(text_of(sweep.at("question"))));
  for (const json& path : sweep.at("fields")) {
    text += fmt::format(" {} |", code_of(text_of(path)));
  }
  for (const std::string_view metric : headlines) {
    text += fmt::format(" `{}` |", metric);
  }
  text += " runs |\n" + rule_of(sweep.at("fields").size(), headlines.size() + 1);
  for (const json& point : sweep.at("points")) {
    text += "|";
    for (const json& path : sweep.at("fields")) {
      text +=
          fmt::format(" {} |", cell_of(text_of(point.at("fields").value(text_of(path), json()))));
    }
    for (const std::string_view metric : headlines) {
      text += fmt::format(
          " {} |", shown_of(figure_in(point.at("figures"), metric), metrics::unit_of(metric)));
    }
    const bool is_broken = point.value("broken", 0) > 0;
    text += fmt::format(
        " {}{} |\n",
        json_as_text(point.at("runs")),
        is_broken ? fmt::format(", promises broken in {}", json_as_text(point.at("broken"))) : "");
  }
  return text + "\nWith 95 % intervals over the runs of a point.\n";
}

// -- a choice ------------------------------------------------------------------------------------

/// The fields that were searched, with the values of the first that was tried.
const json& searched(const json& tuning) {
  const json& rows = tuning.at("rows");
  return (rows.empty() ? tuning.at("ruled_out") : rows).at(0).at("values");
}

std::string tuning_csv(const json& tuning) {
  std::string text;
  for (const auto& [path, value] : searched(tuning).items()) {
    text += field_of(path) + ",";
  }
  text += "standing,seeds,metric,unit,mean,low_95,high_95\n";
  for (const json& row : tuning.at("rows")) {
    std::string start;
    for (const auto& [path, value] : row.at("values").items()) {
      start += field_of(value) + ",";
    }
    start += field_of(row.at("standing")) + "," + text_of(row.value("seeds", json()));
    text += fmt::format("{},objective,{},{}\n",
                        start,
                        field_of(tuning.value("unit", json())),
                        ends_of(figure_of(row.at("objective"))));
    for (const auto& [metric, value] : row.at("metrics").items()) {
      text += fmt::format("{},{},{},{}\n",
                          start,
                          field_of(json(metric)),
                          metrics::name_of(metrics::unit_of(metric)),
                          ends_of(figure_of(value)));
    }
  }
  return text;
}

/// The objective is in a unit of its own name.
metrics::unit objective_unit(const json& tuning) {
  for (const metrics::entry& e : metrics::catalogue()) {
    if (metrics::name_of(e.unit) == text_of(tuning.value("unit", json()))) {
      return e.unit;
    }
  }
  return metrics::unit::ratio;
}

std::string tuning_rows(const json& tuning) {
  if (tuning.at("rows").empty()) {
    return "";
  }
  std::string text = "|";
  const json& first = tuning.at("rows").at(0);
  for (const auto& [path, value] : first.at("values").items()) {
    text += fmt::format(" {} |", code_of(path));
  }
  text += " is | objective |";
  for (const auto& [metric, value] : first.at("metrics").items()) {
    text += fmt::format(" {} |", code_of(metric));
  }
  text += " seeds |\n" + rule_of(first.at("values").size() + 1, first.at("metrics").size() + 2);
  for (const json& row : tuning.at("rows")) {
    text += "|";
    for (const auto& [path, value] : row.at("values").items()) {
      text += fmt::format(" {} |", cell_of(text_of(value)));
    }
    text += fmt::format(" {}{} | {} |",
                        cell_of(text_of(row.at("standing"))),
                        row.value("today", false) ? ", today" : "",
                        shown_of(figure_of(row.at("objective")), objective_unit(tuning)));
    for (const auto& [metric, value] : row.at("metrics").items()) {
      text += fmt::format(" {} |", shown_of(figure_of(value), metrics::unit_of(metric)));
    }
    text += fmt::format(" {} |\n", text_of(row.value("seeds", json())));
  }
  return text + "\nWith 95 % intervals.\n";
}

std::string tuning_ruled_out(const json& tuning) {
  std::string text;
  for (const json& out : tuning.value("ruled_out", json::array())) {
    std::string tried;
    for (const auto& [path, value] : out.at("values").items()) {
      tried += (tried.empty() ? "" : ", ") + code_of(path + "=" + text_of(value));
    }
    text += fmt::format("- {} is ruled out: {}\n", tried, cell_of(text_of(out.at("why"))));
  }
  return text.empty() ? "" : text + "\n";
}

std::string tuning_markdown(const json& tuning) {
  std::string best;
  for (const auto& [path, value] : tuning.at("best").items()) {
    best += (best.empty() ? "" : ", ") + code_of(path + "=" + text_of(value));
  }
  std::string text =
      fmt::format("## {}: {}\n\n{}: {}{}\n\n",
                  cell_of(text_of(tuning.at("scenario"))),
                  cell_of(text_of(tuning.at("objective"))),
                  cell_of(text_of(tuning.at("answer"))),
                  best.empty() ? "no value" : best,
                  tuning.value("why", "").empty() ? "" : "; " + cell_of(tuning.value("why", "")));
  text += tuning_rows(tuning) + tuning_ruled_out(tuning);
  if (tuning.contains("safety")) {
    text += fmt::format("Safety of the best: {}.\n", cell_of(text_of(tuning.at("safety"))));
  }
  for (const json& note : tuning.value("notes", json::array())) {
    text += fmt::format("Note: {}.\n", cell_of(text_of(note)));
  }
  return text;
}

// -- where everything holds ----------------------------------------------------------------------

std::string region_csv(const json& region) {
  std::string text = fmt::format("{},{},verdict,found,sure,bound_s,bound_holds,differs",
                                 field_of(region.at("x").at("path")),
                                 field_of(region.at("y").at("path")));
  for (const json& condition : region.at("required")) {
    text += "," + field_of(json("room of " + text_of(condition)));
    text += "," + field_of(json("half width of room of " + text_of(condition)));
  }
  text += ",broken\n";
  for (const json& cell : region.at("cells")) {
    const auto yes = [&](const char* key) { return cell.at(key) == true ? "yes" : "no"; };
    const bool is_valid = cell.at("found") != "invalid";
    text += fmt::format("{},{},{},{},{},{},{},{}",
                        field_of(cell.at("x")),
                        field_of(cell.at("y")),
                        field_of(cell.at("verdict")),
                        field_of(cell.at("found")),
                        is_valid ? yes("sure") : "",
                        is_valid ? text_of(cell.at("bound").value("ttl_s", json())) : "",
                        is_valid ? yes("long_enough") : "",
                        is_valid ? yes("differs") : "");
    for (std::size_t i = 0; i < region.at("required").size(); ++i) {
      text += "," + (i < cell.at("room").size() ? text_of(cell.at("room").at(i)) : "");
      text += "," + (i < cell.at("half").size() ? text_of(cell.at("half").at(i)) : "");
    }
    const json broken = cell.value("broken", json::object());
    text += "," + field_of(broken.value("promise", json())) + "\n";
  }
  return text;
}

std::string region_markdown(const json& region) {
  const json& xs = region.at("x").at("values");
  const json& ys = region.at("y").at("values");
  std::string text = fmt::format("## {}: where everything holds\n\n| {} \\ {} |",
                                 cell_of(text_of(region.at("scenario"))),
                                 code_of(text_of(region.at("y").at("path"))),
                                 code_of(text_of(region.at("x").at("path"))));
  for (const json& x : xs) {
    text += fmt::format(" {} |", cell_of(text_of(x)));
  }
  text += "\n" + rule_of(xs.size() + 1, 0);
  for (std::size_t iy = 0; iy < ys.size(); ++iy) {
    text += fmt::format("| {} |", cell_of(text_of(ys.at(iy))));
    for (std::size_t ix = 0; ix < xs.size(); ++ix) {
      const json& cell = region.at("cells").at(iy * xs.size() + ix);
      const std::string found = cell_of(text_of(cell.at("verdict")));
      text += cell.at("differs") == true ? fmt::format(" **{}** |", found)
                                         : fmt::format(" {} |", found);
    }
    text += "\n";
  }
  text += "\nIt has to hold:";
  for (const json& condition : region.at("required")) {
    text += " " + code_of(text_of(condition)) + ",";
  }
  return text +
         " and what the protocol promises. In bold: TTL >= decision + 2 latency + skew + clean-up "
         "says otherwise. Unsure: too near to tell with so few seeds (95 %).\n";
}

// -- the survival table --------------------------------------------------------------------------

std::string survival_csv(const json& rows) {
  std::string text = "incident,protocol,verdict,metric,with_cause,without,low,high,standing\n";
  for (const json& row : rows) {
    for (const json& cell : row.at("cells")) {
      const std::string start = fmt::format("{},{},{},",
                                            field_of(row.at("incident")),
                                            field_of(cell.at("protocol")),
                                            field_of(cell.at("verdict")));
      for (const json& each : cell.at("all")) {
        text += start + field_of(each.at("metric"));
        for (const char* key : {"with_cause", "without", "low", "high", "standing"}) {
          text += "," + field_of(each.at(key));
        }
        text += "\n";
      }
    }
  }
  return text;
}

std::string survival_markdown(const json& rows) {
  std::string text = "| incident |";
  for (const json& cell : rows.at(0).at("cells")) {
    text += fmt::format(" {} |", code_of(text_of(cell.at("protocol"))));
  }
  text += "\n" + rule_of(rows.at(0).at("cells").size() + 1, 0);
  for (const json& row : rows) {
    text += fmt::format("| {} |", cell_of(text_of(row.at("incident"))));
    for (const json& cell : row.at("cells")) {
      const std::string verdict = cell_of(text_of(cell.at("verdict")));
      if (cell.at("worse").empty()) {
        text += fmt::format(" {} |", verdict);
        continue;
      }
      const json& worst = cell.at("worse").at(0);
      const std::string metric = text_of(worst.at("metric"));
      text +=
          fmt::format(" **{}** {} {} ({}) |",
                      verdict,
                      code_of(metric),
                      report::shown(worst.at("with_cause").get<double>(), metrics::unit_of(metric)),
                      report::shown(worst.at("without").get<double>(), metrics::unit_of(metric)));
    }
    text += "\n";
  }
  text += "| breaks in |";
  for (const std::string& each : breaks_in(rows)) {
    text += fmt::format(" {} |", each);
  }
  return text + "\n\nThe mean of a run with the cause, and in brackets without it.\n";
}

// -- runs side by side ---------------------------------------------------------------------------

std::optional<stats::estimate> figure_of_run(const json& run, const std::string& metric) {
  const json& m = run.at("metrics");
  const json value = m.at("metrics").value(metric, json());
  if (!value.is_number()) {
    return std::nullopt;
  }
  stats::estimate f{value.get<double>(), {}};
  const json spread = m.value("intervals_95", json::object()).value(metric, json::object());
  const json half = spread.value("half_width", json());
  const json low = spread.value("low", json());
  const json high = spread.value("high", json());
  if (low.is_number() && high.is_number()) {
    f.margin = stats::margins{f.value - low.get<double>(), high.get<double>() - f.value};
  } else if (half.is_number()) {
    f.margin = stats::margins{half.get<double>(), half.get<double>()};
  }
  return f;
}

std::string runs_csv(const json& runs) {
  std::string text = "run,metric,unit,value,low_95,high_95\n";
  for (const json& run : runs) {
    for (const auto& [metric, value] : run.at("metrics").at("metrics").items()) {
      text += fmt::format("{},{},{},{}\n",
                          field_of(run.at("directory")),
                          field_of(json(metric)),
                          metrics::name_of(metrics::unit_of(metric)),
                          ends_of(figure_of_run(run, metric)));
    }
  }
  return text;
}

std::string runs_markdown(const json& runs) {
  std::string text = "| figure |";
  for (const json& run : runs) {
    text += fmt::format(" {} |", cell_of(text_of(run.at("directory"))));
  }
  text += "\n" + rule_of(1, runs.size());
  for (const std::string_view metric : headlines) {
    text += fmt::format("| `{}` |", metric);
    for (const json& run : runs) {
      text += fmt::format(
          " {} |", shown_of(figure_of_run(run, std::string(metric)), metrics::unit_of(metric)));
    }
    text += "\n";
  }
  const bool is_of_stretches = std::any_of(runs.begin(), runs.end(), [](const json& run) {
    const json intervals = run.at("metrics").value("intervals_95", json::object());
    return std::any_of(intervals.begin(), intervals.end(), [](const json& each) {
      return each.value("of", "") == of_stretches;
    });
  });
  if (is_of_stretches) {
    text += fmt::format(
        "\n\u00b1: 95 % intervals; of a single run out of {} equal stretches of it, a little too "
        "narrow. {}\n",
        stretches,
        why_none());
  }
  const std::string lengths = lengths_told(runs);
  return lengths.empty() ? text : text + "\n" + cell_of(lengths) + "\n";
}

struct table_writer {
  const char* kind;
  std::string (*markdown)(const json&);
  std::string (*csv)(const json&);
};
constexpr std::array writers{table_writer{"sweep", sweep_markdown, sweep_csv},
                             table_writer{"tuning", tuning_markdown, tuning_csv},
                             table_writer{"region", region_markdown, region_csv},
                             table_writer{"survival", survival_markdown, survival_csv},
                             table_writer{"runs", runs_markdown, runs_csv}};

result<std::string> written(const std::string& model,
                            std::string (*table_writer::*how)(const json&)) {
  const json j = text_as_json(model);
  const std::string kind = j.is_object() ? text_of(j.value("kind", json())) : "";
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

result<std::string> markdown_of_study(const std::string& model) {
  return written(model, &table_writer::markdown);
}

result<std::string> csv_of_study(const std::string& model) {
  return written(model, &table_writer::csv);
}

}  // namespace dibs::show
