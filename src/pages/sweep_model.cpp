#include "pages/sweep_model.hpp"

#include "metrics/catalogue.hpp"
#include "pages/figure_texts.hpp"
#include "pages/sweep_charts.hpp"
#include "results/assessment.hpp"
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

/// Of each metric its figure, and what is printed of it with its interval and without.
struct figures_told {
  json figures = json::object();
  json texts = json::object();
  json plain = json::object();
};

figures_told figures_of(const sweep::measured_point& p) {
  figures_told all;
  for (const auto& [metric, e] : p.estimates) {
    json& figure = all.figures[metric] = {e.value, e.margin ? json(e.half_width()) : json()};
    if (e.margin && e.margin->lopsided) {
      figure.push_back(e.margin->below);
      figure.push_back(e.margin->above);
    }
    const text::unit unit = metrics::unit_of(metric);
    all.texts[metric] = figure_text(e, unit);
    all.plain[metric] = figure_text(stats::estimate{e.value}, unit);
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
std::string safety_of(const sweep::measured_point& p, const thresholds& all) {
  std::string safety = all.empty() ? "" : "met";
  for (const scenario::bound& b : all) {
    const auto e = p.find(b.metric);
    if (e && is_met_by_nothing_else(e->value, b)) {
      continue;
    }
    const bool low = e && results::meets(e->low(), b);
    const bool high = e && results::meets(e->high(), b);
    if (e && !low && !high) {
      return "missed";
    }
    safety = low && high ? safety : "unsure";
  }
  return p.broken > 0 ? "missed" : safety;
}

json point_of(const sweep::measured_point& p, const thresholds& bounds) {
  json fields = json::object();
  json numbers = json::object();
  for (const scenario::override_value& f : p.what.what.fields) {
    fields[f.path] = f.value;
    const auto amount = text::parse_dimensioned(f.value);
    numbers[f.path] = amount ? json(amount->value) : json();
  }
  figures_told told = figures_of(p);
  return {{"n", p.what.number},
          {"fields", fields},
          {"numbers", numbers},
          {"runs", p.runs},
          {"broken", p.broken},
          {"safety", safety_of(p, bounds)},
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

json sweep_model_of(const sweep::journal& j,
                    const std::vector<sweep::measured_point>& points,
                    const sweep_model_options& how) {
  const thresholds bounds = how.scenario ? how.scenario->thresholds : thresholds{};
  json all = json::array();
  for (const sweep::measured_point& p : points) {
    all.push_back(point_of(p, bounds));
  }
  json fields = json::array();
  for (const scenario::override_value& f : points.front().what.what.fields) {
    fields.push_back(f.path);
  }
  const std::string seeds = j.fact("seeds").value_or("0");
  const std::string seed = j.fact("seed").value_or("");
  const std::string kept = j.fact("scenario.name").value_or("");
  const std::string& named = kept.empty() ? how.directory : kept;
  json sweep = {{"name", how.scenario ? how.scenario->name : named},
                {"question", how.scenario ? how.scenario->question : ""},
                {"seeds", text::text_as_json(seeds)},
                {"seed", seed},
                {"fields", fields},
                {"thresholds", thresholds_of(how.scenario)},
                {"points", all}};
  if (!how.metrics.empty()) {
    sweep["chosen"] = how.metrics;
  }
  add_charts(sweep);
  return {{"kind", "sweep"},
          {"run", how.directory},
          {"dibs", how.version},
          {"catalogue", catalogue_json()},
          {"sweep", sweep}};
}

}  // namespace dibs::pages
