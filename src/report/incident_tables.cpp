#include "report/incident_tables.hpp"

#include "formats/csv_table.hpp"
#include "metrics/catalogue.hpp"
#include "report/decided_share.hpp"
#include "report/json_cells.hpp"
#include "report/outcome_signs.hpp"
#include "report/verdict.hpp"
#include "text/json_text.hpp"
#include "text/markdown.hpp"
#include "text/number.hpp"
#include "text/terminal.hpp"
#include "text/wrapping.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace dibs::report {
namespace {

using json = nlohmann::ordered_json;

std::string_view protocol_of(const incidents::incident_cell& c) {
  return lease::rules_of(c.protocol).name;
}

/// `3.2 (0)`
std::string values_told(std::string_view metric, double with_cause, double without) {
  const text::unit unit = metrics::unit_of(metric);
  return fmt::format(
      "{} ({})", text::format_value(with_cause, unit), text::format_value(without, unit));
}

std::string worst_told(const json& worst, text::emphasis of_metrics) {
  const std::string metric = word_of(worst.at("metric"));
  return (of_metrics == text::emphasis::code ? text::markdown_code(metric) : metric) + " " +
         values_told(
             metric, worst.at("with_cause").get<double>(), worst.at("without").get<double>());
}

int name_width_of(std::span<const incidents::incident_row> rows) {
  int width = 0;
  for (const incidents::incident_row& r : rows) {
    width = std::max(width, text::columns(r.name));
  }
  return width;
}

json json_of(const std::vector<incidents::paired_change>& all) {
  json list = json::array();
  for (const incidents::paired_change& d : all) {
    list.push_back({{"metric", d.metric},
                    {"with_cause", d.with_cause},
                    {"without", d.without},
                    {"change", d.change.value},
                    {"low_95", d.change.low()},
                    {"high_95", d.change.high()},
                    {"standing", incidents::name_of(d.status)}});
  }
  return list;
}

bool any(incidents::incident_outcome wanted, std::span<const incidents::incident_row> rows) {
  return std::any_of(rows.begin(), rows.end(), [wanted](const incidents::incident_row& r) {
    return std::any_of(r.cells.begin(), r.cells.end(), [wanted](const incidents::incident_cell& c) {
      return c.assessment.outcome == wanted;
    });
  });
}

std::string sign_of(incidents::incident_outcome v) {
  return v == incidents::incident_outcome::survives    ? "."
         : v == incidents::incident_outcome::untouched ? "-"
                                                       : std::string(incidents::name_of(v));
}

std::string breaks_told(std::span<const incidents::incident_row> rows) {
  const std::vector<std::string> all = breaks_in(report::json_of(rows));
  std::string text = "\nBreaks in\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string name(protocol_of(rows.front().cells[i]));
    text += fmt::format("  {}  {}\n", text::left(name, 11), all[i]);
  }
  return text;
}

/// What the signs say, as far as there are any.
std::string key_of(std::span<const incidents::incident_row> rows) {
  std::string text;
  for (const auto outcome :
       {incidents::incident_outcome::untouched, incidents::incident_outcome::undecided}) {
    if (any(outcome, rows)) {
      text += fmt::format(
          "\n{}: {}\n", sign_of(outcome), sign_of_outcome(incidents::name_of(outcome)).says);
    }
  }
  return text;
}

std::string worse_of(std::span<const incidents::incident_row> rows, const figure_choice& shown) {
  if (!shown.all && shown.metrics.empty()) {
    return "\nWhat is worse in each cell, and by how much: --all\n";
  }
  const int width = name_width_of(rows);
  std::string text;
  for (const incidents::incident_row& r : rows) {
    for (const incidents::incident_cell& c : r.cells) {
      for (const incidents::paired_change& d : c.assessment.worse) {
        if (!shown.metrics.empty() &&
            std::ranges::find(shown.metrics, d.metric) == shown.metrics.end()) {
          continue;
        }
        text += fmt::format("  {}  {}  {} {}\n",
                            text::left(r.name, width),
                            text::left(std::string(protocol_of(c)), 11),
                            d.metric,
                            values_told(d.metric, d.with_cause, d.without));
      }
    }
  }
  return text.empty()
             ? shown.metrics.empty() ? "\nNothing is worse with the cause than without.\n"
                                     : "\nNothing of that is worse with the cause than without.\n"
             : "\nWhat is worse, as the mean of a run with the cause (and without it)\n" + text;
}

}  // namespace

std::string as_text(std::span<const incidents::incident_row> rows,
                    int width,
                    const figure_choice& shown) {
  if (rows.empty()) {
    return "";
  }
  text::table t{{{.title = ""}}, {}};
  for (const incidents::incident_cell& c : rows.front().cells) {
    t.columns.push_back({.title = std::string(protocol_of(c))});
  }
  for (const incidents::incident_row& r : rows) {
    text::row& line = t.rows.emplace_back(text::row{r.name});
    for (const incidents::incident_cell& c : r.cells) {
      line.emplace_back(sign_of(c.assessment.outcome));
    }
  }
  return text::fitted(verdict_of(rows) + "\n\n", width) + text::as_text(t, {}, {.width = width}) +
         text::fitted(key_of(rows) + breaks_told(rows) + worse_of(rows, shown), width);
}

std::string as_markdown(std::span<const incidents::incident_row> rows) {
  return rows.empty() ? "" : markdown_of(report::json_of(rows), text::emphasis::none);
}

std::string as_csv(std::span<const incidents::incident_row> rows) {
  return csv_of(report::json_of(rows));
}

json json_of(std::span<const incidents::incident_row> rows) {
  json all = json::array();
  for (const incidents::incident_row& r : rows) {
    json cells = json::array();
    for (const incidents::incident_cell& c : r.cells) {
      cells.push_back({{"protocol", protocol_of(c)},
                       {"verdict", incidents::name_of(c.assessment.outcome)},
                       {"worse", json_of(c.assessment.worse)},
                       {"all", json_of(c.assessment.all)},
                       {"runs_with_broken_promises", c.broken_promises}});
    }
    all.push_back({{"incident", r.name},
                   {"cause", r.cause},
                   {"source", r.source},
                   {"file", r.file.string()},
                   {"without", r.without},
                   {"seed", r.seed},
                   {"runs", r.runs},
                   {"cells", cells}});
  }
  return all;
}

std::string as_json(std::span<const incidents::incident_row> rows) {
  return text::json_as_text(report::json_of(rows), 2) + "\n";
}

std::string markdown_of(const json& rows, text::emphasis of_metrics) {
  text::table t{{{.title = "incident"}}, {}};
  for (const json& c : rows.at(0).at("cells")) {
    t.columns.push_back({.title = word_of(c.at("protocol")), .mark = text::emphasis::code});
  }
  for (const json& r : rows) {
    text::row& line = t.rows.emplace_back(text::row{word_of(r.at("incident"))});
    for (const json& c : r.at("cells")) {
      const std::string verdict = word_of(c.at("verdict"));
      line.push_back(c.at("worse").empty()
                         ? text::cell(verdict)
                         : text::cell(fmt::format("**{}** {}",
                                                  text::markdown_cell(verdict),
                                                  worst_told(c.at("worse").at(0), of_metrics)),
                                      text::emphasis::markdown));
    }
  }
  text::row& last = t.rows.emplace_back(text::row{std::string("breaks in")});
  for (std::string& each : breaks_in(rows)) {
    last.emplace_back(std::move(each));
  }
  return text::as_markdown(t);
}

std::string csv_of(const json& rows) {
  text::table t{formats::columns_of(formats::survival_table), {}};
  for (const json& r : rows) {
    for (const json& c : r.at("cells")) {
      for (const json& each : c.at("all")) {
        const std::string metric = word_of(each.at("metric"));
        t.rows.push_back(
            {word_of(r.at("incident")),
             word_of(c.at("protocol")),
             word_of(c.at("verdict")),
             metric,
             std::string(text::name_of(metrics::unit_of(metric))),
             text::cell(between(each.at("with_cause"), {}, {})),
             text::cell(between(each.at("without"), {}, {})),
             text::cell(between(
                 part_of(each, "change"), part_of(each, "low_95"), part_of(each, "high_95"))),
             word_of(each.at("standing"))});
      }
    }
  }
  return text::as_csv(t);
}

}  // namespace dibs::report
