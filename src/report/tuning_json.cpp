#include "report/tuning_harm_cells.hpp"
#include "report/tuning_text.hpp"
#include "text/json_text.hpp"
#include "text/number.hpp"

#include <nlohmann/json.hpp>

namespace dibs::report {
namespace {

using json = nlohmann::ordered_json;

json json_of(const stats::estimate& f) {
  return {{"value", json(f.value)},
          {"half_width_95", json(f.half_width())},
          {"low_95", json(f.low())},
          {"high_95", json(f.high())}};
}

json json_of(const std::optional<stats::estimate>& f) { return f ? json_of(*f) : json(); }

std::string_view name_of(tune::row_status s) {
  switch (s) {
    case tune::row_status::best:
      return "best";
    case tune::row_status::better:
      return "better";
    case tune::row_status::within:
      return "as good";
    case tune::row_status::open:
      return "open";
    case tune::row_status::worse:
      return "worse";
    case tune::row_status::unusable:
      return "unusable";
  }
  return "";
}

json values_json(const std::vector<std::string>& paths, const sweep::parameter_values& c) {
  json j = json::object();
  for (std::size_t i = 0; i < c.size(); ++i) {
    j[paths[i]] = c[i];
  }
  return j;
}

json rows_json(const tune::tuning& t, const std::vector<std::string>& paths) {
  json all = json::array();
  for (const tune::row& r : t.rows) {
    json j{{"values", values_json(paths, r.values)},
           {"standing", name_of(r.status)},
           {"seeds", r.seeds},
           {"objective", json_of(r.objective)},
           {"regret", json_of(r.regret)},
           {"on_front", r.on_front},
           {"today", r.is_today}};
    for (std::size_t m = 0; m < t.shown.size(); ++m) {
      j["metrics"][t.shown[m]] = json_of(r.figure(m));
    }
    for (std::size_t m = 0; m < sweep::forbidden_metrics.size(); ++m) {
      j["metrics"][std::string(sweep::forbidden_metrics[m].metric)] = json_of(r.forbidden[m]);
    }
    j["protocol"] = r.protocol;
    j["promises_no_double"] = r.promises_apart;
    if (!r.why.empty()) {
      j["why"] = r.why;
    }
    all.push_back(std::move(j));
  }
  return all;
}

std::string_view unit_of_regrets(const tune::tuning& t) {
  return t.in_unit ? text::name_of(t.unit) : "share of the best";
}

json exchanges_json(const tune::tuning& t) {
  json all = json::array();
  for (const tune::trade_off_point& e : t.exchanges) {
    all.push_back({{"values", values_json(t.paths, t.rows[e.row].values)},
                   {"missed_accept_weighs_from_s", json(e.from)},
                   {"from_95_s", {json(e.from_within.low), json(e.from_within.high)}},
                   {"to_s", e.to ? json(*e.to) : json()},
                   {"missed_per_ride", json_of(e.missed_per_ride)},
                   {"hidden_s_per_ride", json_of(e.hidden_per_ride)}});
  }
  return all;
}

json bounds_json(const tune::tuning& t) {
  json j;
  j["constraints"] = json::array();
  for (const tune::constraint_check& c : t.constraints) {
    j["constraints"].push_back({{"condition", c.text},
                                {"unit", text::name_of(c.unit)},
                                {"room", json_of(c.room)},
                                {"at_least_95", json(c.at_least)}});
  }
  j["thresholds"] = json::array();
  for (const tune::threshold_check& c : t.thresholds) {
    j["thresholds"].push_back(
        {{"metric", c.metric}, {"bound", c.bound}, {"found", json_of(c.found)}, {"met", c.met}});
  }
  return j;
}

json interval_json(const tune::tuning& t) {
  json j = json::object();
  for (std::size_t i = 0; i < t.interval.size(); ++i) {
    if (t.interval[i]) {
      j[t.paths[i]] = *t.interval[i];
    }
  }
  return j;
}

json common_seeds_json(const tune::tuning& t) {
  json all = json::array();
  for (const tune::neighbours& n : t.common_seeds) {
    all.push_back({{"a", values_json(t.paths, t.rows[n.a].values)},
                   {"b", values_json(t.paths, t.rows[n.b].values)},
                   {"ratio", json(n.ratio)},
                   {"variance_reduction", json(n.reduction)}});
  }
  return all;
}

json runs_json(const tune::tuning& t, const tuning_account& a) {
  return {{"warmup", t.spent.pilots},
          {"screening", t.spent.screening},
          {"selection", t.spent.selection},
          {"refinement", t.spent.refinement},
          {"fresh", t.spent.validation},
          {"held_out", a.holdout ? a.holdout->spent.all() : 0},
          {"all", t.spent.all() + (a.holdout ? a.holdout->spent.all() : 0)}};
}

}  // namespace

std::string json_of(const tune::tuning& t, const tuning_account& a) {
  json j{{"kind", "tuning"},
         {"scenario", a.name},
         {"seed", a.seed},
         {"answer", report::name_of(t.answer)},
         {"why", t.why},
         {"objective", t.objective},
         {"unit", text::name_of(t.unit)},
         {"more_is_better", t.wants_more},
         {"best", values_json(t.paths, t.best)},
         {"interval_95", interval_json(t)},
         {"allow_doubles", t.allows_doubles},
         {"delta", t.delta},
         {"told_delta", t.told_delta},
         {"alpha", t.alpha},
         {"selection_ended", t.selected},
         {"selected_among", t.screened - t.left_out},
         {"selection_seeds", t.selection_seeds}};
  if (t.selected && !t.of_grid.empty()) {
    j["chosen_of_grid"] = values_json(t.paths, t.of_grid);
  }
  if (t.set || !t.set_why.empty()) {
    j["within_delta"] = t.set ? json(*t.set) : json();
  }
  for (const sweep::parameter_values& c : t.near_optimal) {
    j["as_good"].push_back(values_json(t.paths, c));
  }
  if (!t.set_why.empty()) {
    j["within_delta_why"] = t.set_why;
  }
  if (t.selection_delta) {
    j["selection_delta"] = json(*t.selection_delta);
  }
  j["regrets_in"] = unit_of_regrets(t);
  if (!t.rows.empty() && t.rows[t.best_row].seeds > 1) {
    j["safety"] = safety_of(t.rows[t.best_row], "\u00b1");
  }
  j["notes"] = t.notes;
  for (const sweep::derivation& d : a.implied) {
    j["implied"][d.path] = d.expression;
  }
  j["rows_on"] = t.unjudged ? "seeds of the search" : "fresh seeds";
  j["rows"] = rows_json(t, t.paths);
  for (const tune::rejected_point& r : t.ruled_out) {
    j["ruled_out"].push_back({{"values", values_json(t.paths, r.values)}, {"why", r.why}});
  }
  j["trade_off"] = exchanges_json(t);
  j["trade_off_seeds"] = t.exchange_seeds;
  j.update(bounds_json(t));
  j["common_seeds"] = common_seeds_json(t);
  j["runs"] = runs_json(t, a);
  if (t.broken) {
    j["broken"] = {{"values", values_json(t.paths, t.broken_at)},
                   {"seed", t.broken->seed},
                   {"promise", t.broken->violation},
                   {"replay", a.replay}};
  }
  if (!a.stuck.empty()) {
    j["stuck"] = sweep::json_of(a.stuck);
  }
  if (a.holdout) {
    j["holdout"] = {{"scenario", a.holdout_name},
                    {"regrets_in", unit_of_regrets(*a.holdout)},
                    {"rows", rows_json(*a.holdout, t.paths)}};
    j["holdout"].update(bounds_json(*a.holdout));
  }
  return text::json_as_text(j, 2) + "\n";
}

}  // namespace dibs::report
