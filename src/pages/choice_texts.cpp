#include "pages/choice_texts.hpp"

#include "metrics/catalogue.hpp"
#include "pages/figure_texts.hpp"
#include "text/number.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace dibs::pages {
namespace {

using json = nlohmann::ordered_json;

/// Of a figure with both ends of its interval; nothing where it has none.
std::optional<stats::margins> reach_in(const json& f, const char* low, const char* high) {
  const auto value = number_in(f, "value");
  const auto from = number_in(f, low);
  const auto until = number_in(f, high);
  return value && from && until ? std::optional(stats::margins{*value - *from, *until - *value})
                                : std::nullopt;
}

void add_text(json& figure, text::unit unit) {
  if (figure.is_object()) {
    figure["t"] =
        figure_text(number_in(figure, "value"), reach_in(figure, "low_95", "high_95"), unit);
  }
}

std::string difference_text(double value,
                            const std::optional<stats::margins>& reach,
                            text::unit u) {
  return reach && reach->half_width() > 0
             ? text::format_difference(value, {value, reach}, u, "\u00b1")
             : text::shown_difference(value, u);
}

/// How much worse than the best: as a share of it, or a difference in the objective's own unit.
/// `apart_t`: the same without its sign.
void add_regret_text(json& regret, const json& tuning) {
  const auto value = number_in(regret, "value");
  if (!value) {
    return;
  }
  auto reach = reach_in(regret, "low_95", "high_95");
  const bool is_relative =
      tuning.value("regrets_in", "share of the best") == std::string("share of the best");
  const text::unit unit = unit_named(tuning.value("unit", ""));
  const auto text = [&](double x) {
    return is_relative ? figure_text(x, reach, text::unit::share) : difference_text(x, reach, unit);
  };
  regret["t"] = text(*value);
  if (*value < 0 && reach) {
    reach = stats::margins{reach->above, reach->below};
  }
  regret["apart_t"] = text(std::fabs(*value));
}

void add_row_texts(json& rows, const json& tuning) {
  for (json& row : rows) {
    add_text(row["objective"], unit_named(tuning.value("unit", "")));
    if (row.contains("regret")) {
      add_regret_text(row["regret"], tuning);
    }
    for (const auto& [metric, figure] : row["metrics"].items()) {
      add_text(figure, metrics::unit_of(metric));
    }
  }
}

}  // namespace

void add_tuning_texts(json& tuning) {
  add_row_texts(tuning["rows"], tuning);
  if (tuning.contains("holdout")) {
    add_row_texts(tuning["holdout"]["rows"], tuning);
  }
  for (json& t : tuning["thresholds"]) {
    add_text(t["found"], metrics::unit_of(t.value("metric", "")));
  }
  for (json& c : tuning["constraints"]) {
    const text::unit unit = unit_named(c.value("unit", ""));
    c["room"]["t"] = text::shown_difference(number_in(c["room"], "value").value_or(0), unit);
    c["at_least_t"] = text::shown_difference(number_in(c, "at_least_95").value_or(0), unit);
  }
  for (json& e : tuning["trade_off"]) {
    add_text(e["missed_per_ride"], text::unit::ratio);
    add_text(e["hidden_s_per_ride"], text::unit::seconds);
  }
  for (const char* key : {"delta", "alpha"}) {
    tuning["texts"][key] = figure_text(number_in(tuning, key), {}, text::unit::share);
  }
}

void add_region_texts(json& region) {
  const json units = region.value("units", json::array());
  for (json& cell : region["cells"]) {
    json texts = json::array();
    for (std::size_t i = 0; i < cell["room"].size(); ++i) {
      const json& room = cell["room"][i];
      const json half = i < cell["half"].size() ? cell["half"][i] : json();
      const text::unit unit =
          unit_named(i < units.size() && units[i].is_string() ? units[i].get<std::string>() : "");
      if (!room.is_number()) {
        texts.push_back("-");
        continue;
      }
      const double h = half.is_number() ? half.get<double>() : 0;
      texts.push_back((room.get<double>() >= 0 ? "+" : "") +
                      difference_text(room.get<double>(), stats::margins{h, h}, unit));
    }
    cell["room_t"] = std::move(texts);
  }
}

void add_survival_texts(json& rows) {
  for (json& row : rows) {
    for (json& cell : row["cells"]) {
      for (json& worse : cell["worse"]) {
        const text::unit unit = metrics::unit_of(worse.value("metric", ""));
        const auto with_cause = number_in(worse, "with_cause");
        const auto without = number_in(worse, "without");
        worse["with_cause_t"] = figure_text(with_cause, {}, unit);
        worse["without_t"] = figure_text(without, {}, unit);
        if (const auto low = number_in(worse, "low"), high = number_in(worse, "high");
            low && high && with_cause && without) {
          const double apart = *with_cause - *without;
          worse["difference_t"] =
              difference_text(apart, stats::margins{apart - *low, *high - apart}, unit);
        }
      }
    }
  }
}

}  // namespace dibs::pages
