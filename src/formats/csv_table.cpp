#include "formats/csv_table.hpp"

#include "metrics/catalogue.hpp"
#include "text/unit.hpp"

#include <algorithm>
#include <array>

namespace dibs::formats {
namespace {

// What several tables have, in the same words.
constexpr csv_column its_fields{
    "<field>", holds::number, "", "each field that is varied, as under Fields", stands_for::fields};
constexpr csv_column its_metric{"metric", holds::text, "", "its name, as `dibs metrics` lists it"};
constexpr csv_column its_unit{
    "unit", holds::text, "", "of the figures in this row, as under Units"};
constexpr csv_column its_value{
    "value", holds::number, "unit", "the figure over the runs", stands_for::estimate};
constexpr csv_column its_runs{"runs", holds::whole, "", "runs that the figure comes out of"};
constexpr csv_column its_point{"point", holds::whole, "", "number of the point, from 1"};

constexpr std::array series_columns{
    csv_column{"replication", holds::whole, "", "number of the run, from 1"},
    csv_column{"t_s", holds::number, "s", "true time since the start: the end of the step"},
    csv_column{"online", holds::whole, "", "drivers online just before `t_s`"},
    csv_column{"available", holds::whole, "", "of these, neither leased nor on a trip"},
    csv_column{"leased", holds::whole, "", "of these, leased and not on a trip"},
    csv_column{"on_trip", holds::whole, "", "of these, on a trip"},
    csv_column{"waiting", holds::whole, "", "riders without a live offer or a driver"},
    csv_column{"requested", holds::whole, "", "rides requested since the start"},
    csv_column{"committed", holds::whole, "", "commits since the start"},
    csv_column{"double_offers",
               holds::whole,
               "",
               "pairs of offers of different rides that one driver saw at the same time, since the "
               "start"},
    csv_column{
        "double_commits",
        holds::whole,
        "",
        "pairs of rides that one driver was committed to at the same time, since the start"}};

constexpr std::array points_columns{
    its_point,
    its_fields,
    csv_column{"replication", holds::whole, "", "number of the run at its point, from 1"},
    csv_column{"seed", holds::whole, "", "of the run, up to 2^64 - 1"},
    csv_column{"history", holds::text, "", "hash of all events of the run, 16 hexadecimal digits"},
    csv_column{"violations", holds::whole, "", "of what the protocol promises"},
    csv_column{"stuck", holds::truth, "", "the run got nowhere and was ended"},
    csv_column{"<metric>",
               holds::number,
               "",
               "each metric, as under Metrics; empty where it has no value",
               stands_for::metrics}};

constexpr std::array summary_columns{
    its_point, its_fields, its_metric, its_unit, its_value, its_runs};

constexpr std::array run_columns{
    its_metric,
    its_unit,
    csv_column{"value",
               holds::number,
               "unit",
               "the figure of the run, or over all runs of the directory",
               stands_for::estimate},
    csv_column{"interval",
               holds::text,
               "",
               "out of what the interval comes: `seeds`, or `stretches` of one run"}};

constexpr std::array runs_columns{
    csv_column{"run", holds::text, "", "its directory, as it was typed"},
    its_metric,
    its_unit,
    its_value};

constexpr std::array comparison_columns{
    csv_column{"a", holds::text, "", "what the first set of runs is called"},
    csv_column{"b", holds::text, "", "what the second one is called"},
    its_metric,
    its_unit,
    csv_column{"finding",
               holds::text,
               "",
               "whether it changed, in the words that `--format json` has as well"},
    csv_column{"value_a", holds::number, "unit", "the figure of A"},
    csv_column{"value_b", holds::number, "unit", "the figure of B"},
    csv_column{"difference", holds::number, "unit", "B - A over the pairs", stands_for::estimate},
    csv_column{"pairs", holds::whole, "", "of runs on one seed"}};

constexpr std::array tuning_columns{
    its_fields,
    csv_column{"standing",
               holds::text,
               "",
               "of these values: `best`, `better`, `as good`, `open`, `worse`, `unusable`"},
    csv_column{"metric", holds::text, "", "its name, or `objective`: what was tuned for"},
    its_unit,
    its_value,
    its_runs};

constexpr std::array region_columns{
    its_fields,
    csv_column{
        "verdict",
        holds::text,
        "",
        "`holds`, `misses`, `breaks` (a promise), `stuck`, `unsure`, or `invalid` (no scenario)"},
    csv_column{"found", holds::text, "", "the verdict, sure or not"},
    csv_column{"sure", holds::truth, "", "every condition is far enough from its bound, at 95 %"},
    csv_column{"bound_s", holds::number, "s", "the least TTL by the closed form"},
    csv_column{"bound_holds", holds::truth, "", "the TTL is at least that long"},
    csv_column{"differs", holds::truth, "", "the closed form says otherwise"},
    csv_column{"broken", holds::text, "", "the first promise that a run broke"},
    csv_column{"condition", holds::text, "", "that has to hold; a row for each"},
    its_unit,
    csv_column{"room",
               holds::number,
               "unit",
               "how far the condition is from its bound; below 0 it is missed",
               stands_for::estimate}};

constexpr std::array survival_columns{
    csv_column{"incident", holds::text, "", "its name"},
    csv_column{"protocol", holds::text, "", "under which it was run"},
    csv_column{
        "verdict", holds::text, "", "`survives`, `degrades`, `breaks`, `untouched`, `undecided`"},
    csv_column{"metric", holds::text, "", "a metric that was looked at"},
    its_unit,
    csv_column{"with_cause", holds::number, "unit", "its mean over the runs with the cause"},
    csv_column{"without", holds::number, "unit", "the same of those without"},
    csv_column{
        "change", holds::number, "unit", "with - without over the pairs", stands_for::estimate},
    csv_column{"standing", holds::text, "", "`no worse`, `unclear`, `worse`"}};

/// Of a family as the catalogue has it, too: `ttm.<stat>`.
text::unit unit_of_any(std::string_view metric) {
  const auto all = metrics::catalogue();
  const auto entry = std::ranges::find(all, metric, &metrics::entry::name);
  return entry != all.end() ? entry->unit : metrics::unit_of(metric);
}

}  // namespace

const csv_table series_table{"series.csv",
                             "`dibs run`, `torment` and `load`, into the run's directory",
                             "a step of each run, `output.series` long",
                             series_columns};
const csv_table points_table{
    "points.csv", "`dibs sweep`, into its directory", "a run", points_columns};
const csv_table summary_table{"summary.csv",
                              "`dibs sweep`, into its directory; `dibs report SWEEP --format csv`",
                              "a metric at a point",
                              summary_columns};
const csv_table run_table{
    "figures of a run", "`dibs report RUN --format csv`", "a metric", run_columns};
const csv_table runs_table{"figures of several runs",
                           "`dibs report RUN RUN... --format csv`",
                           "a metric of a run",
                           runs_columns};
const csv_table comparison_table{"a comparison",
                                 "`dibs compare A B --format csv`",
                                 "a metric, what changed most first",
                                 comparison_columns};
const csv_table tuning_table{"a choice",
                             "`dibs tune --format csv`, and `dibs report` of its JSON",
                             "a metric at values that were tried, or the objective",
                             tuning_columns};
const csv_table region_table{"a region",
                             "`dibs region --format csv`, and `dibs report` of its JSON",
                             "a condition in a cell of the map",
                             region_columns};
const csv_table survival_table{"a survival table",
                               "`dibs survive --format csv`, and `dibs report` of its JSON",
                               "a metric of an incident under a protocol",
                               survival_columns};

std::string_view name_of(holds what) {
  switch (what) {
    case holds::text:
      return "text";
    case holds::whole:
      return "whole number";
    case holds::number:
      return "number";
    case holds::truth:
      return "`true` or `false`";
  }
  return "";
}

std::span<const csv_table* const> csv_tables() {
  static constexpr std::array all{&series_table,
                                  &points_table,
                                  &summary_table,
                                  &run_table,
                                  &runs_table,
                                  &comparison_table,
                                  &tuning_table,
                                  &region_table,
                                  &survival_table};
  return all;
}

std::string metric_column(std::string_view metric) {
  switch (unit_of_any(metric)) {
    case text::unit::seconds:
      return std::string(metric) + "_s";
    case text::unit::per_hour:
      return std::string(metric) + "_per_h";
    case text::unit::driver_s:
    case text::unit::rider_s:  // named so in the catalogue: `supply.hidden_s.zombie`
    case text::unit::count:
    case text::unit::share:
    case text::unit::ratio:
      break;
  }
  return std::string(metric);
}

std::vector<text::column> columns_of(const csv_table& t,
                                     const std::vector<text::column>& of_fields,
                                     std::span<const std::string> of_metrics) {
  std::vector<text::column> all;
  for (const csv_column& c : t.columns) {
    switch (c.is) {
      case stands_for::itself:
        all.push_back({.title = std::string(c.name)});
        break;
      case stands_for::estimate:
        all.push_back({.title = std::string(c.name), .has_ends = true});
        break;
      case stands_for::fields:
        all.insert(all.end(), of_fields.begin(), of_fields.end());
        break;
      case stands_for::metrics:
        for (const std::string& name : of_metrics) {
          all.push_back({.title = metric_column(name)});
        }
        break;
    }
  }
  return all;
}

}  // namespace dibs::formats
