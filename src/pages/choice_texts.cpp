#include "pages/choice_texts.hpp"

#include "metrics/catalogue.hpp"
#include "pages/figure_texts.hpp"
#include "report/json_cells.hpp"
#include "report/region_signs.hpp"
#include "report/standing_words.hpp"
#include "text/number.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>

namespace dibs::pages {
namespace {

using json = nlohmann::ordered_json;

void add_text(json& figure, text::unit unit) {
  if (figure.is_object()) {
    figure["t"] = figure_text(report::figure_of_choice(figure), unit);
  }
}

std::string difference_text(const stats::estimate& e, text::unit u) {
  return e.half_width() > 0 ? text::format_difference(e.value, e, u, "\u00b1")
                            : text::shown_difference(e.value, u);
}

/// How much worse than the best: as a share of it, or a difference in the objective's own unit.
/// `apart_t`: the same without its sign.
void add_regret_text(json& regret, const json& tuning) {
  auto e = report::figure_of_choice(regret);
  if (!e) {
    return;
  }
  const bool is_relative =
      tuning.value("regrets_in", "share of the best") == std::string("share of the best");
  const text::unit unit = unit_named(tuning.value("unit", ""));
  const auto text = [&] {
    return is_relative ? figure_text(e, text::unit::share) : difference_text(*e, unit);
  };
  regret["t"] = text();
  if (e->value < 0 && e->margin) {
    std::swap(e->margin->below, e->margin->above);
  }
  e->value = std::fabs(e->value);
  regret["apart_t"] = text();
}

void add_row_texts(json& rows, const json& tuning) {
  for (json& row : rows) {
    row["word"] = report::word_of_standing(row.value("standing", "")).word;
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
  for (const char* key : {"delta", "told_delta", "alpha"}) {
    tuning["texts"][key] =
        figure_text(report::between(report::part_of(tuning, key), {}, {}), text::unit::share);
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
                      difference_text(stats::within(room.get<double>(), h), unit));
    }
    cell["room_t"] = std::move(texts);
    cell["sign"] = std::string(
        1, report::region_sign_of(cell.value("verdict", ""), cell.value("long_enough", false)));
  }
  for (const auto& [sign, says] : report::region_signs) {
    region["signs"][std::string(1, sign)] = says;
  }
}

void add_survival_texts(json& rows) {
  for (json& row : rows) {
    for (json& cell : row["cells"]) {
      for (json& worse : cell["worse"]) {
        const text::unit unit = metrics::unit_of(worse.value("metric", ""));
        const auto with_cause = report::between(report::part_of(worse, "with_cause"), {}, {});
        const auto without = report::between(report::part_of(worse, "without"), {}, {});
        worse["with_cause_t"] = figure_text(with_cause, unit);
        worse["without_t"] = figure_text(without, unit);
        if (with_cause && without) {
          const auto apart = report::between(json(with_cause->value - without->value),
                                             report::part_of(worse, "low_95"),
                                             report::part_of(worse, "high_95"));
          if (apart->margin) {
            worse["difference_t"] = difference_text(*apart, unit);
          }
        }
      }
    }
  }
}

}  // namespace dibs::pages
