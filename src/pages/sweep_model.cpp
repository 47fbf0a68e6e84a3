#include "pages/sweep_model.hpp"

#include "metrics/catalogue.hpp"
#include "pages/figure_texts.hpp"
#include "pages/sweep_charts.hpp"
#include "results/assessment.hpp"
#include "results/paired_difference.hpp"
#include "text/dimensioned.hpp"
#include "text/json_text.hpp"

#include <nlohmann/json.hpp>

#include <string_view>
#include <utility>
#include <vector>

namespace dibs::pages {
namespace {

using json = nlohmann::ordered_json;
using thresholds = std::vector<scenario::bound>;

const results::metric_sample* find(const results::run_record& r, std::string_view metric) {
  for (const results::metric_sample& m : r.measures) {
    if (m.metric == metric) {
      return &m;
    }
  }
  return nullptr;
}

/// Of each metric its figure, and what is printed of it with its interval and without.
struct figures_told {
  json figures = json::object();
  json texts = json::object();
  json plain = json::object();
};

figures_told figures_of(const std::vector<results::run_record>& runs) {
  figures_told all;
  for (const std::string& metric : results::metric_names()) {
    std::vector<const results::metric_sample*> column;
    for (const results::run_record& r : runs) {
      column.push_back(find(r, metric));
    }
    if (const auto e = results::estimate_of(metric, column)) {
      json& figure = all.figures[metric] = {e->value, e->margin ? json(e->half_width()) : json()};
      if (e->margin && e->margin->lopsided) {
        figure.push_back(e->margin->below);
        figure.push_back(e->margin->above);
      }
      const text::unit unit = metrics::unit_of(metric);
      all.texts[metric] = figure_text(e->value, e->margin, unit);
      all.plain[metric] = figure_text(e->value, {}, unit);
    }
  }
  return all;
}

/// That none was seen, or of a share all, where just that is asked for: more seeds could refute it,
/// and no number of them can show it.
bool is_met_by_nothing_else(double value, const scenario::bound& b) {
  using scenario::comparison;
  const bool is_least = b.is == comparison::at_most || b.is == comparison::equal;
  const bool is_most = b.is == comparison::at_least || b.is == comparison::equal;
  return (value == 0 && b.value == 0 && is_least) ||
         (value == 1 && b.value == 1 && is_most && metrics::unit_of(b.metric) == text::unit::share);
}

/// `met` where every threshold is at both ends of its interval, `missed` where one is at neither.
std::string safety_of(const json& figures, std::size_t broken, const thresholds& all) {
  std::string safety = all.empty() ? "" : "met";
  for (const scenario::bound& b : all) {
    const json f = figures.value(b.metric, json::array());
    const double value = f.empty() ? 0 : f[0].get<double>();
    if (!f.empty() && is_met_by_nothing_else(value, b)) {
      continue;
    }
    const double half = !f.empty() && f[1].is_number() ? f[1].get<double>() : 0;
    const bool low = results::meets(value - (f.size() > 3 ? f[2].get<double>() : half), b);
    const bool high = results::meets(value + (f.size() > 3 ? f[3].get<double>() : half), b);
    if (!f.empty() && !low && !high) {
      return "missed";
    }
    safety = f.empty() || low != high ? "unsure" : safety;
  }
  return broken > 0 ? "missed" : safety;
}

json point_of(const sweep::kept_point& p,
              const std::vector<results::run_record>& runs,
              const thresholds& bounds) {
  json fields = json::object();
  json numbers = json::object();
  for (const scenario::override_value& f : p.what.fields) {
    fields[f.path] = f.value;
    const auto amount = text::parse_dimensioned(f.value);
    numbers[f.path] = amount ? json(amount->value) : json();
  }
  std::size_t broken = 0;
  for (const results::run_record& r : runs) {
    broken += r.violations > 0 ? 1 : 0;
  }
  figures_told told = figures_of(runs);
  return {{"n", p.number},
          {"fields", fields},
          {"numbers", numbers},
          {"runs", runs.size()},
          {"broken", broken},
          {"safety", safety_of(told.figures, broken, bounds)},
          {"figures", std::move(told.figures)},
          {"texts", std::move(told.texts)},
          {"plain", std::move(told.plain)}};
}

std::string_view sign_of(scenario::comparison c) {
  switch (c) {
    case scenario::comparison::less:
      return "<";
    case scenario::comparison::at_most:
      return "<=";
    case scenario::comparison::equal:
      return "==";
    case scenario::comparison::at_least:
      return ">=";
    case scenario::comparison::greater:
      return ">";
  }
  return "";
}

json thresholds_of(const std::optional<scenario::scenario>& s) {
  json all = json::array();
  if (s) {
    for (const scenario::bound& b : s->thresholds) {
      all.push_back(
          {{"metric", b.metric}, {"is", sign_of(b.is)}, {"value", b.value}, {"text", b.text}});
    }
  }
  return all;
}

}  // namespace

result<std::string> sweep_model_of(const sweep::journal& j, const sweep_model_options& how) {
  const auto points = j.points();
  if (!points) {
    return tl::unexpected<error>(points.error());
  }
  const thresholds bounds = how.scenario ? how.scenario->thresholds : thresholds{};
  json all = json::array();
  json fields = json::array();
  std::size_t runs_in_all = 0;
  for (const sweep::kept_point& p : *points) {
    const auto runs = j.runs_of(p.number);
    if (!runs) {
      return tl::unexpected<error>(runs.error());
    }
    runs_in_all += runs->size();
    all.push_back(point_of(p, *runs, bounds));
  }
  if (runs_in_all == 0) {
    return failure(exit_code::invalid_input, "the sweep holds no finished run yet");
  }
  for (const scenario::override_value& f : points->front().what.fields) {
    fields.push_back(f.path);
  }
  const std::string seeds = j.fact("seeds").value_or("0");
  const std::string seed = j.fact("seed").value_or("");
  json sweep = {{"name", how.scenario ? how.scenario->name : how.directory},
                {"question", how.scenario ? how.scenario->question : ""},
                {"seeds", text::text_as_json(seeds)},
                {"seed", seed},
                {"fields", fields},
                {"thresholds", thresholds_of(how.scenario)},
                {"points", all}};
  add_charts(sweep);
  return text::json_for_script({{"kind", "sweep"},
                                {"run", how.directory},
                                {"dibs", how.version},
                                {"catalogue", catalogue_json()},
                                {"sweep", sweep}});
}

}  // namespace dibs::pages
