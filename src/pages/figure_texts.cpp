#include "pages/figure_texts.hpp"

#include "metrics/catalogue.hpp"
#include "metrics/titles.hpp"
#include "text/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::pages {
namespace {

using json = nlohmann::ordered_json;

std::optional<double> value_of(const json& figures, std::string_view name) {
  const auto found = figures.at("metrics").find(name);
  const bool is_number = found != figures.at("metrics").end() && found->is_number();
  return is_number ? std::optional(found->get<double>()) : std::nullopt;
}

struct level {
  const char* label;
  const char* seen;
  const char* among;     ///< empty: it has no rate
  const char* rate;      ///< the metric whose interval is that of the rate; empty: of `seen`
  double per_1000 = 0;   ///< what one of `rate` is in 1,000
  bool if_seen = false;  ///< left out where it was not seen
};
constexpr std::array levels{
    level{"offers in conflict", "double.offers", "offers.sent", "double.offers_per_1000", 1},
    level{"accepts in conflict", "double.accepts", "accepts.in_time", "double.accepts_per_1000", 1},
    level{"drivers on 2 trips",
          "double.commits",
          "rides.committed",
          "double.commits_per_million",
          1e-3},
    level{"rides with 2 drivers", "double.rides", "rides.committed", ""},
    level{"late confirms taken", "confirms.stale_accepted", "", ""},
    level{"late writes taken", "writes.stale_taken", "", "", 0, true},
    level{"broken promises", "promises.broken", "promises.made", "promises.broken_rate", 1e3}};

double runs_of(const json& figures) { return std::max(figures.value("runs_counted", 1.0), 1.0); }

std::string rate_of(const json& figures, const level& l) {
  const double seen = value_of(figures, l.seen).value_or(0);
  const double among = value_of(figures, l.among).value_or(0);
  if (among <= 0 || seen > 0) {
    return among <= 0 ? "" : text::significant(1000 * seen / among);
  }
  // Figures are those of a run, in the mean; none was seen in all runs together.
  const double bound = stats::zero_event_bound(among * runs_of(figures));
  return "< " + text::significant(1000 * std::min(1.0, bound)) + " *";
}

std::string range_of(const json& figures, const level& l) {
  const double seen = value_of(figures, l.seen).value_or(0);
  const double among = value_of(figures, l.among).value_or(0);
  if (among <= 0 || seen <= 0) {
    return "";
  }
  std::string of = *l.rate != '\0' ? l.rate : l.seen;
  double scale = *l.rate != '\0' ? l.per_1000 : 1000 / among;
  auto reach = reach_of(figures, of);
  if (runs_of(figures) == 1) {
    of = l.seen;
    scale = 1000 / among;
    reach = stats::count_interval(seen);
  }
  const double value = value_of(figures, of).value_or(0);
  return reach ? text::significant((value - reach->below) * scale) + " to " +
                     text::significant((value + reach->above) * scale)
               : "";
}

}  // namespace

std::string figure_text(const std::optional<double>& value,
                        const std::optional<stats::margins>& reach,
                        text::unit unit) {
  if (!value) {
    return "-";
  }
  return reach && reach->half_width() > 0 ? text::format_value(*value, *reach, unit, "\u00b1")
                                          : text::format_value(*value, unit);
}

text::unit unit_named(std::string_view name) {
  const auto all = metrics::catalogue();
  const auto found = std::find_if(all.begin(), all.end(), [&](const metrics::entry& e) {
    return text::name_of(e.unit) == name;
  });
  return found == all.end() ? text::unit::ratio : found->unit;
}

std::optional<double> number_in(const json& j, const char* key) {
  const auto found = j.is_object() ? j.find(key) : j.end();
  return j.is_object() && found != j.end() && found->is_number()
             ? std::optional(found->get<double>())
             : std::nullopt;
}

std::optional<stats::margins> reach_of(const json& figures, const std::string& name) {
  const auto intervals = figures.find("intervals_95");
  const bool has_any = intervals != figures.end() && intervals->is_object();
  const json its = has_any ? intervals->value(name, json::object()) : json::object();
  const auto value = value_of(figures, name);
  const auto half = number_in(its, "half_width");
  if (!value || !half || *half <= 0) {
    return std::nullopt;
  }
  const auto low = number_in(its, "low");
  const auto high = number_in(its, "high");
  return low && high ? stats::margins{*value - *low, *high - *value} : stats::margins{*half, *half};
}

json texts_of(const json& figures) {
  json all = json::object();
  for (const auto& [name, value] : figures.at("metrics").items()) {
    all[name] =
        figure_text(value_of(figures, name), reach_of(figures, name), metrics::unit_of(name));
  }
  return all;
}

json plain_texts_of(const json& figures) {
  json all = json::object();
  for (const auto& [name, value] : figures.at("metrics").items()) {
    if (reach_of(figures, name)) {
      all[name] = figure_text(value_of(figures, name), {}, metrics::unit_of(name));
    }
  }
  return all;
}

json levels_json(const json& figures) {
  json all = json::array();
  for (const level& l : levels) {
    if (!l.if_seen || value_of(figures, l.seen).value_or(0) > 0) {
      all.push_back({{"label", l.label},
                     {"seen", l.seen},
                     {"rate", rate_of(figures, l)},
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
                   {"title", metrics::file_title_of(e.name)},
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

}  // namespace dibs::pages
