#include "report/run_table.hpp"

#include "formats/csv_table.hpp"
#include "history/batch_means.hpp"
#include "metrics/catalogue.hpp"
#include "report/assignment_levels.hpp"
#include "report/json_cells.hpp"
#include "report/run_lengths.hpp"
#include "text/json_text.hpp"
#include "text/markdown.hpp"
#include "text/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace dibs::report {
namespace {

using json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 10> service_metrics{"supply.hidden_share",
                                                           "supply.starved_share",
                                                           "rides.requested",
                                                           "rides.match_rate",
                                                           "rides.abandon_rate",
                                                           "ttm.p50",
                                                           "ttm.p95",
                                                           "offers.per_match",
                                                           "accepts.missed_rate",
                                                           "supply.utilisation"};

/// Out of what its interval comes; empty where it has none.
std::string source_of(const json& all, const std::string& name) {
  const auto figure = figure_in(all, name);
  return figure && figure->margin ? all["intervals_95"][name].value("of", "seeds") : "";
}

text::cell cell_with(const json& all, std::string_view name) {
  return text::cell(figure_in(all, name), metrics::unit_of(name));
}

std::string text_in(const json& from, const char* name) {
  const auto found = from.find(name);
  return found != from.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

std::string why_none() {
  return fmt::format(
      "Without one: counts, and figures of which some stretch holds fewer than {} rides or "
      "answers, "
      "or each the same.",
      history::batch_samples_min);
}

result<json> read_figures(std::string_view metrics_json) {
  json all = text::text_as_json(metrics_json);
  if (!all.is_object() || !all.contains("metrics") || !all["metrics"].is_object()) {
    return failure(exit_code::invalid_input, "metrics.json holds no figures");
  }
  return all;
}

void add_batches(json& figures, const history::half_widths& within) {
  json& intervals = figures["intervals_95"];
  for (const auto& [name, half] : within) {
    if (!intervals.contains(name)) {
      intervals[name] = {{"half_width", half}, {"of", of_batches}};
    }
  }
}

std::string markdown_of_run(const json& figures) {
  text::table doubles{
      {{.title = "double assignment"}, text::figures("seen"), text::figures("per 1,000")}, {}};
  for (const assignment_level& l : assignment_levels) {
    if (l.if_seen) {
      continue;
    }
    doubles.rows.push_back({std::string(l.label),
                            cell_with(figures, l.seen),
                            {rate_of(figures, l), text::emphasis::markdown}});
  }
  text::table service{{{.title = "figure"}, text::figures("value")}, {}};
  bool is_of_one_run = false;
  for (const std::string_view name : service_metrics) {
    service.rows.push_back({{std::string(name), text::emphasis::code}, cell_with(figures, name)});
    is_of_one_run = is_of_one_run || source_of(figures, std::string(name)) == of_batches;
  }
  std::string text =
      fmt::format("## {}\n\n{}\n\n{}\nWhere none was seen: at most so many, at 99.9 %.\n\n{}",
                  text::markdown_cell(text_in(figures, "scenario")),
                  text::markdown_cell(text_in(figures, "question")),
                  text::as_markdown(doubles),
                  text::as_markdown(service));
  if (is_of_one_run) {
    text += fmt::format(
        "\n\u00b1: 95 % intervals out of {} equal stretches of this one run, a little too narrow; "
        "`--runs` gives intervals over seeds. {}\n",
        history::batches,
        why_none());
  }
  text::table bounds{
      {{.title = "bound"}, text::figures("value"), text::figures("should be"), {.title = ""}}, {}};
  for (const char* kind : {"thresholds", "expect"}) {
    for (const json& b : figures.value(kind, json::array())) {
      const json met = b.value("met", json());
      const std::string metric = text_in(b, "metric");
      bounds.rows.push_back({{metric, text::emphasis::code},
                             cell_with(figures, metric),
                             text_in(b, "bound"),
                             met.is_null() ? text::cell(std::string("not judged"))
                             : met == true
                                 ? text::cell(std::string("met"))
                                 : text::cell(std::string("missed"), text::emphasis::strong)});
    }
  }
  return bounds.rows.empty() ? text : text + "\n" + text::as_markdown(bounds);
}

std::string csv_of_run(const json& figures) {
  text::table t{formats::columns_of(formats::run_table), {}};
  for (const auto& [name, value] : figures.at("metrics").items()) {
    text::row& line = t.rows.emplace_back();
    add_figure(line, name, figure_in(figures, name));
    line.emplace_back(source_of(figures, name));
  }
  return text::as_csv(t);
}

std::string csv_of_runs(const json& runs) {
  text::table t{formats::columns_of(formats::runs_table), {}};
  for (const json& run : runs) {
    for (const auto& [metric, value] : run.at("metrics").at("metrics").items()) {
      add_figure(t.rows.emplace_back(text::row{word_of(run.at("directory"))}),
                 metric,
                 figure_in(run.at("metrics"), metric));
    }
  }
  return text::as_csv(t);
}

std::string markdown_of_runs(const json& runs, const std::vector<std::string>& metrics) {
  text::table t{{{.title = "figure"}}, {}};
  for (const json& run : runs) {
    t.columns.push_back(text::figures(word_of(run.at("directory"))));
  }
  for (const headline& h : headlines_or(metrics)) {
    text::row& line = t.rows.emplace_back(text::row{{std::string(h.metric), text::emphasis::code}});
    for (const json& run : runs) {
      line.emplace_back(figure_in(run.at("metrics"), h.metric), metrics::unit_of(h.metric));
    }
  }
  std::string text = text::as_markdown(t);
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
  return lengths.empty() ? text : text + "\n" + text::markdown_cell(lengths) + "\n";
}

}  // namespace dibs::report
