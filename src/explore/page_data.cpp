#include "explore/page_data.hpp"

#include "metrics/catalogue.hpp"
#include "metrics/titles.hpp"
#include "pages/figure_texts.hpp"
#include "report/json_cells.hpp"
#include "report/verdict.hpp"
#include "results/assessment.hpp"
#include "results/metric_estimates.hpp"
#include "results/metrics_json.hpp"
#include "scenario/described_field.hpp"
#include "scenario/field_needs.hpp"
#include "sweep/value_range.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace dibs::explore {
namespace {

using json = nlohmann::ordered_json;

/// Beside the levels of double assignment and the causes of hidden supply.
constexpr std::array shown{std::string_view("double.offers"),
                           std::string_view("double.accepts"),
                           std::string_view("double.commits"),
                           std::string_view("double.rides"),
                           std::string_view("confirms.stale_accepted"),
                           std::string_view("writes.stale_taken"),
                           std::string_view("promises.broken"),
                           std::string_view("supply.hidden_share"),
                           std::string_view("supply.starved_share"),
                           std::string_view("rides.requested"),
                           std::string_view("rides.match_rate"),
                           std::string_view("rides.abandon_rate"),
                           std::string_view("rides.goodput"),
                           std::string_view("ttm.p50"),
                           std::string_view("ttm.p95"),
                           std::string_view("pickup.p95"),
                           std::string_view("offers.per_match"),
                           std::string_view("accepts.missed_rate"),
                           std::string_view("accepts.lost_rate"),
                           std::string_view("accepts.late_rate"),
                           std::string_view("supply.utilisation")};

/// Value, ends of the interval, and text.
json figures_json(const json& all) {
  json figures = json::object();
  for (const std::string_view name : shown) {
    const std::string metric(name);
    if (const auto e = report::figure_in(all, name)) {
      figures[metric] = {{"v", e->value},
                         {"low", e->low()},
                         {"high", e->high()},
                         {"t", pages::figure_text(e, metrics::unit_of(name))}};
    }
  }
  return figures;
}

json bounds_json(const std::vector<results::bound_check>& bounds) {
  json all = json::array();
  for (const results::bound_check& each : bounds) {
    all.push_back({{"metric", each.bound.metric},
                   {"asked", each.bound.text},
                   {"found", each.found ? json(results::shown_against(each)) : json("-")},
                   {"met", each.met}});
  }
  return all;
}

json promises_json(const results::run_results& a) {
  const auto judged = results::promises_of(a);
  json broken = json::array();
  for (const results::promise_check& each : judged) {
    if (!each.kept) {
      broken.push_back(lease::code_of(each.invariant));
    }
  }
  return {{"protocol", lease::rules_of(a.scenario.lease.protocol).name},
          {"judged", judged.size()},
          {"broken", broken}};
}

/// Why a slider moves nothing here, where the table of fields knows it.
json idle_json(const scenario::scenario& s, const std::vector<slider>& sliders) {
  json all = json::array();
  for (const slider& each : sliders) {
    const auto why = scenario::why_idle(s, each.path);
    all.push_back(why ? json(*why) : json());
  }
  return all;
}

/// In one unit, so that a script can compare them; null for words.
json numbers_of(const slider& s) {
  const auto unit = sweep::read_value_range(s.stops[s.own], s.stops[s.own], false);
  json all = json::array();
  for (const std::string& stop : s.stops) {
    const auto value = unit ? sweep::in_unit_of(*unit, stop) : std::nullopt;
    all.push_back(value ? json(*value) : json());
  }
  return all;
}

}  // namespace

json sliders_json(const std::vector<slider>& sliders, const explored_scenario& s) {
  json all = json::array();
  for (const slider& each : sliders) {
    const auto why = scenario::why_idle(s.base(), each.path);
    all.push_back({{"path", each.path},
                   {"stops", each.stops},
                   {"numbers", numbers_of(each)},
                   {"own", each.own},
                   {"is", scenario::sentence_of_field(each.path)},
                   {"idle", why ? json(*why) : json()}});
  }
  return all;
}

std::string point_text(const results::run_results& a, const std::vector<slider>& sliders) {
  const results::metric_estimates estimates(a);
  const auto bounds = results::judge_bounds(a, estimates);
  const json figures = results::metrics_object(a, estimates, bounds);
  json changed = json::array();
  for (const scenario::override_value& o : a.overrides) {
    changed.push_back(o.path + "=" + o.value);
  }
  const auto stuck =
      std::ranges::count_if(a.runs, [](const auto& r) { return r.stuck.has_value(); });
  const json point{{"runs", a.runs.size()},
                   {"figures", figures_json(figures)},
                   {"levels", pages::levels_json(figures)},
                   {"causes", pages::causes_json(figures)},
                   {"verdict", report::verdict_of(a, estimates, bounds)},
                   {"bounds", bounds_json(bounds)},
                   {"promises", promises_json(a)},
                   {"idle", idle_json(a.scenario, sliders)},
                   {"stuck", stuck},
                   {"changed", changed},
                   {"command", command_of(a)}};
  return text::json_as_text(point);
}

std::string objection_text(const objection& o) {
  return text::json_as_text(
      json{{"objection", o.why}, {"slider", o.slider ? json(*o.slider) : json()}});
}

std::string command_of(const results::run_results& a) {
  return fmt::format("{} --runs {}", results::replay_line_of_seed(a, a.seed), a.runs_asked);
}

std::string file_of(const results::run_results& a) {
  std::string head = "# Made by `dibs explore`";
  for (const scenario::override_value& o : a.overrides) {
    head += fmt::format(
        "{} {}", head.ends_with('`') ? ":" : ",", text::display_text(o.path + "=" + o.value));
  }
  head += ".\n";
  if (!a.scenario.rows.empty()) {
    head +=
        "# Its traces lie beside the scenario from which it was made: keep it in the same "
        "folder.\n";
  }
  return head + scenario::dump(a.scenario);
}

}  // namespace dibs::explore
