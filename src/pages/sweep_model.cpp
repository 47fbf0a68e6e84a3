#include "pages/sweep_model.hpp"

#include "metrics/catalogue.hpp"
#include "pages/script_json.hpp"
#include "results/paired_difference.hpp"
#include "text/dimensioned.hpp"
#include "text/json_text.hpp"

#include <nlohmann/json.hpp>

#include <string_view>
#include <vector>

namespace dibs::show {
namespace {

using json = nlohmann::ordered_json;

const study::measure* find(const study::run_record& r, std::string_view metric) {
  for (const study::measure& m : r.measures) {
    if (m.metric == metric) {
      return &m;
    }
  }
  return nullptr;
}

json figures_of(const std::vector<study::run_record>& runs) {
  json all = json::object();
  for (const std::string& metric : study::metric_names()) {
    std::vector<const study::measure*> column;
    for (const study::run_record& r : runs) {
      column.push_back(find(r, metric));
    }
    if (const auto e = study::estimate_of(metric, column)) {
      all[metric] = {e->value, e->margin ? json(e->half_width()) : json()};
      if (e->margin && e->margin->lopsided) {
        all[metric].push_back(e->margin->below);
        all[metric].push_back(e->margin->above);
      }
    }
  }
  return all;
}

json point_of(const study::kept_point& p, const std::vector<study::run_record>& runs) {
  json fields = json::object();
  json numbers = json::object();
  for (const scenario::override_value& f : p.what.fields) {
    fields[f.path] = f.value;
    const auto amount = study::read_amount(f.value);
    numbers[f.path] = amount ? json(amount->value) : json();
  }
  std::size_t broken = 0;
  for (const study::run_record& r : runs) {
    broken += r.violations > 0 ? 1 : 0;
  }
  return {{"n", p.number},
          {"fields", fields},
          {"numbers", numbers},
          {"runs", runs.size()},
          {"broken", broken},
          {"figures", figures_of(runs)}};
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

result<std::string> sweep_model_of(const study::journal& j, const sweep_model_options& how) {
  const auto points = j.points();
  if (!points) {
    return tl::unexpected<error>(points.error());
  }
  json all = json::array();
  json fields = json::array();
  std::size_t runs_in_all = 0;
  for (const study::kept_point& p : *points) {
    const auto runs = j.runs_of(p.number);
    if (!runs) {
      return tl::unexpected<error>(runs.error());
    }
    runs_in_all += runs->size();
    all.push_back(point_of(p, *runs));
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
                {"seeds", text_as_json(seeds)},
                {"seed", seed},
                {"fields", fields},
                {"thresholds", thresholds_of(how.scenario)},
                {"points", all}};
  return script_safe({{"kind", "sweep"},
                      {"run", how.directory},
                      {"dibs", how.version},
                      {"catalogue", catalogue_json()},
                      {"sweep", sweep}});
}

}  // namespace dibs::show
