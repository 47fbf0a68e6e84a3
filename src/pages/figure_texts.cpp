#include "pages/figure_texts.hpp"

#include "metrics/catalogue.hpp"
#include "metrics/titles.hpp"
#include "pages/supply_layers.hpp"
#include "report/assignment_levels.hpp"
#include "report/json_cells.hpp"
#include "stats/confidence_interval.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::pages {
namespace {

using json = nlohmann::ordered_json;

double value_of(const json& figures, std::string_view name) {
  return report::figure_in(figures, name).value_or(stats::estimate()).value;
}

std::string range_of(const json& figures, const report::assignment_level& l) {
  const double seen = value_of(figures, l.seen);
  const double among = value_of(figures, l.among);
  if (among <= 0 || seen <= 0) {
    return "";
  }
  std::string of(l.rate.empty() ? l.seen : l.rate);
  double scale = l.rate.empty() ? 1000 / among : l.per_1000;
  auto reach = reach_of(figures, of);
  if (report::runs_of(figures) == 1) {
    of = l.seen;
    scale = 1000 / among;
    reach = stats::count_interval(seen);
  }
  const double value = value_of(figures, of);
  return reach ? text::significant((value - reach->below) * scale) + " to " +
                     text::significant((value + reach->above) * scale)
               : "";
}

}  // namespace

std::string figure_text(const std::optional<stats::estimate>& e, text::unit unit) {
  if (!e) {
    return "-";
  }
  return e->half_width() > 0 ? text::format_value(e->value, *e->margin, unit, "\u00b1")
                             : text::format_value(e->value, unit);
}

text::unit unit_named(std::string_view name) {
  const auto all = metrics::catalogue();
  const auto found = std::find_if(all.begin(), all.end(), [&](const metrics::entry& e) {
    return text::name_of(e.unit) == name;
  });
  return found == all.end() ? text::unit::ratio : found->unit;
}

std::optional<double> number_in(const json& j, const char* key) {
  const json& found = report::part_of(j, key);
  return found.is_number() ? std::optional(found.get<double>()) : std::nullopt;
}

std::optional<stats::margins> reach_of(const json& figures, const std::string& name) {
  const auto e = report::figure_in(figures, name);
  return e && e->half_width() > 0 ? e->margin : std::nullopt;
}

json texts_of(const json& figures) {
  json all = json::object();
  for (const auto& [name, value] : figures.at("metrics").items()) {
    all[name] = figure_text(report::figure_in(figures, name), metrics::unit_of(name));
  }
  return all;
}

json plain_texts_of(const json& figures) {
  json all = json::object();
  for (const auto& [name, value] : figures.at("metrics").items()) {
    if (reach_of(figures, name)) {
      all[name] = text::format_value(value_of(figures, name), metrics::unit_of(name));
    }
  }
  return all;
}

json levels_json(const json& figures) {
  json all = json::array();
  for (const report::assignment_level& l : report::assignment_levels) {
    if (!l.if_seen || value_of(figures, l.seen) > 0) {
      const std::string rate = report::rate_of(figures, l);
      all.push_back({{"label", l.label},
                     {"seen", l.seen},
                     {"rate", rate.starts_with('<') ? rate + " *" : rate},
                     {"range", range_of(figures, l)}});
    }
  }
  return all;
}

json causes_json(const json& figures) {
  std::vector<std::pair<std::string, double>> causes;
  double whole = 0;
  const json spent = figures.value("hidden_s_by_cause", json::object());
  for (const auto& [name, seconds] : spent.items()) {
    if (seconds.is_number() && seconds.get<double>() > 0) {
      causes.emplace_back(name, seconds.get<double>());
      whole += causes.back().second;
    }
  }
  std::stable_sort(causes.begin(), causes.end(), [](const auto& a, const auto& b) {
    return a.second > b.second;
  });
  json all = json::array();
  for (const auto& [name, seconds] : causes) {
    all.push_back({{"name", name},
                   {"v", seconds},
                   {"t", text::format_value(seconds / whole, text::unit::share)}});
  }
  return all;
}

nlohmann::ordered_json catalogue_json() {
  auto all = nlohmann::ordered_json::array();
  for (const metrics::entry& e : metrics::catalogue()) {
    all.push_back({{"name", e.name},
                   {"title", metrics::title_of(e.name)},
                   {"unit", text::name_of(e.unit)},
                   {"better",
                    e.meaning.direction == metrics::direction::more_is_better   ? "more"
                    : e.meaning.direction == metrics::direction::less_is_better ? "less"
                                                                                : ""},
                   {"is", e.definition},
                   {"per", e.per},
                   {"scale", e.scale}});
  }
  return all;
}

nlohmann::ordered_json layers_json() {
  nlohmann::ordered_json all;
  for (const supply_layer& each : lease_layers) {
    all[each.key] = each.says;
  }
  return all;
}

}  // namespace dibs::pages
