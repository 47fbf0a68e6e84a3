#include "pages/runs_model.hpp"

#include "metrics/titles.hpp"
#include "pages/axes_svg.hpp"
#include "pages/figure_texts.hpp"
#include "report/run_lengths.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace dibs::pages {
namespace {

using json = nlohmann::ordered_json;

std::string_view name_of_finding(results::difference_status f) {
  switch (f) {
    case results::difference_status::changed:
      return "changed";
    case results::difference_status::unseen:
      return "no difference seen";
    case results::difference_status::same:
      return "the same";
    case results::difference_status::alike:
      return "too few pairs";
  }
  return "";
}

/// By metric: b - a, the half width of its interval if there is one, and what that says; then the
/// ends of an interval that is lopsided.
json paired_of(const sweep::comparison& c) {
  json all = json::object();
  for (const results::paired_difference& d : c.differences) {
    const stats::estimate& by = d.change;
    json& figure = all[std::string(d.metric)];
    figure = {by.value, by.margin ? json(by.half_width()) : json(), name_of_finding(d.what)};
    if (by.margin && by.margin->lopsided) {
      figure.push_back(by.low());
      figure.push_back(by.high());
    }
  }
  return {{"pairs", c.seeds.size()}, {"figures", std::move(all)}};
}

/// By metric, b - a as it is printed: paired over common seeds where there are any, with the half
/// width of its interval if there is one and what that says; else the bare difference.
json differences_of(const json& first, const compared_run& run) {
  json all = json::object();
  for (const auto& [metric, b] : run.metrics.at("metrics").items()) {
    const auto a = number_in(first["metrics"], metric.c_str());
    if (a && b.is_number()) {
      const double apart = b.get<double>() - *a;
      all[metric] = {{"mean", apart},
                     {"half", json()},
                     {"finding", ""},
                     {"t", text::shown_difference(apart, metrics::unit_of(metric))}};
    }
  }
  if (run.from_first) {
    for (const results::paired_difference& d : run.from_first->differences) {
      const stats::estimate& by = d.change;
      all[std::string(d.metric)] = {
          {"mean", by.value},
          {"half", d.what != results::difference_status::alike ? json(by.half_width()) : json()},
          {"finding", name_of_finding(d.what)},
          {"t",
           by.half_width() > 0 ? text::format_difference(by.value, by, d.unit, "\u00b1")
                               : text::shown_difference(by.value, d.unit)}};
    }
  }
  for (json& each : all) {
    if (each["mean"] > 0) {
      each["t"] = "+" + each["t"].get<std::string>();
    }
  }
  return all;
}

/// One figure of every run with its interval, on one scale: the first run on top.
json whiskers_of(const json& runs, const std::string& metric) {
  svg_axes p{.title = "",
             .across = "",
             .ticks = {},
             .across_unit = metrics::unit_of(metric),
             .lines = {},
             .told = metrics::title_of(metric) + " of each run"};
  for (std::size_t i = runs.size(); i-- > 0;) {
    const json& run = runs[i];
    p.lines.insert(p.lines.begin(), {"", {}, false});
    const auto value = number_in(run["metrics"]["metrics"], metric.c_str());
    if (!value) {
      continue;
    }
    p.rows.emplace_back(1, static_cast<char>('A' + i % 26));
    const auto y = static_cast<double>(p.rows.size());
    const auto reach = reach_of(run["metrics"], metric).value_or(stats::margins{});
    panel_mark m{.x = *value,
                 .y = y,
                 .y_low = y,
                 .y_high = y,
                 .x_low = *value - reach.below,
                 .x_high = *value + reach.above};
    m.form = form_of(i);
    m.told = run["directory"].get<std::string>() + ": " + run["texts"][metric].get<std::string>();
    m.data = {{"data-run", std::to_string(i)}, {"data-value", text::json_as_text(*value)}};
    p.lines.front().marks.push_back(std::move(m));
  }
  return p.rows.empty()
             ? json()
             : json(drawn_for_page(p, 560, 62 + 26 * static_cast<double>(p.rows.size())));
}

}  // namespace

json runs_model_of(const std::vector<compared_run>& all,
                   const runs_page_text& said,
                   const std::string& version) {
  json runs = json::array();
  for (const compared_run& each : all) {
    json texts = texts_of(each.metrics);
    json differences =
        runs.empty() ? json::object() : differences_of(runs.front()["metrics"], each);
    runs.push_back({{"directory", each.directory},
                    {"page", text::link_text(each.page)},
                    {"make_page", each.make_page},
                    {"command", each.replay_line},
                    {"metrics", each.metrics},
                    {"texts", std::move(texts)},
                    {"from_first", each.from_first ? paired_of(*each.from_first) : json()},
                    {"differences", std::move(differences)}});
  }
  const std::string lengths = report::measured_length_note(runs);
  json drawn = json::object();
  const std::vector<std::string> main{
      "double.commits", "supply.hidden_share", "rides.match_rate", "ttm.p95"};
  for (const std::string& metric : said.metrics.empty() ? main : said.metrics) {
    if (json whiskers = whiskers_of(runs, metric); !whiskers.is_null()) {
      drawn[metric] = std::move(whiskers);
    }
  }
  return {{"kind", "runs"},
          {"run", ""},
          {"dibs", version},
          {"catalogue", catalogue_json()},
          {"layers", layers_json()},
          {"note", said.note},
          {"story", text::link_text(said.story)},
          {"lengths", lengths},
          {"drawn", std::move(drawn)},
          {"runs", std::move(runs)}};
}

}  // namespace dibs::pages
