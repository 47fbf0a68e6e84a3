#include "pages/tuning_charts.hpp"

#include "base/real.hpp"
#include "metrics/catalogue.hpp"
#include "metrics/titles.hpp"
#include "pages/figure_texts.hpp"
#include "pages/sweep_charts.hpp"
#include "report/standing_words.hpp"
#include "text/json_text.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::pages {
namespace {

using json = nlohmann::ordered_json;

std::string values_of(const json& row) {
  std::string text;
  for (const auto& [path, value] : row.at("values").items()) {
    text += (text.empty() ? "" : ", ") + label_of(value);
  }
  return text;
}

/// An end of the interval of a figure of a choice; the figure itself where it has none.
double end_of(const json& f, const char* which) {
  const json end = f.value(which, json());
  return (end.is_number() ? end : f.at("value")).get<double>();
}

struct standing_look {
  std::string_view standing;
  mark_form form;
  const char* colour;
};
constexpr std::array standing_looks{standing_look{"best", mark_form::dot, "#1a7f4b"},
                                    standing_look{"better", mark_form::dot, "#1a7f4b"},
                                    standing_look{"as good", mark_form::dot, "#1a7f4b"},
                                    standing_look{"open", mark_form::ring, "#a86a00"},
                                    standing_look{"worse", mark_form::hollow, "#4b5563"},
                                    standing_look{"unusable", mark_form::cross, "#c0341d"}};

const standing_look& standing_look_of(std::string_view standing) {
  const auto found = std::find_if(standing_looks.begin(),
                                  standing_looks.end(),
                                  [&](const auto& each) { return each.standing == standing; });
  return found == standing_looks.end() ? standing_looks[3] : *found;
}

void look_as(panel_mark& m, std::string_view standing) {
  m.best = standing == "best";
  m.form = standing_look_of(standing).form;
  m.colour = standing_look_of(standing).colour;
  m.told = standing;
}

/// `ttl 20s, count 4`
std::string name_of_row(const json& row) {
  std::vector<std::string> paths;
  for (const auto& [path, value] : row.at("values").items()) {
    paths.push_back(path);
  }
  return line_of({{"fields", row.at("values")}}, paths, true);
}

/// What is printed of a figure.
std::string text_in(const json& f) { return f.value("t", ""); }

/// The row of a mark, to who points at it and to scripts.
void tell(panel_mark& m, const json& row, const std::string& says) {
  const json& objective = row.at("objective");
  look_as(m, row.at("standing").get<std::string>());
  m.told = name_of_row(row) + ": " + says;
  m.data = {{"data-standing", row.at("standing").get<std::string>()},
            {"data-value", objective.is_object() ? text::json_as_text(objective.at("value")) : ""}};
}

bool has_both(const json& row) {
  return number_in(row.at("metrics").value("supply.hidden_share", json()), "value") &&
         number_in(row.at("metrics").value("accepts.missed_rate", json()), "value");
}

svg_axes front_panel(const json& tuning, bool for_page) {
  svg_axes p{.title = capital(metrics::title_of("accepts.missed_rate")),
             .across = metrics::title_of("supply.hidden_share"),
             .ticks = {},
             .across_unit = text::unit::share,
             .unit = text::unit::share,
             .lines = {{"", {}, false}}};
  for (const json& row : tuning.at("rows")) {
    if (!has_both(row)) {
      continue;
    }
    const json& x = row.at("metrics").at("supply.hidden_share");
    const json& y = row.at("metrics").at("accepts.missed_rate");
    panel_mark m{x.at("value").get<double>(),
                 y.at("value").get<double>(),
                 end_of(y, "low_95"),
                 end_of(y, "high_95"),
                 end_of(x, "low_95"),
                 end_of(x, "high_95"),
                 values_of(row),
                 row.at("standing") == "best"};
    if (for_page) {
      tell(m, row, "hidden " + text_in(x) + ", missed " + text_in(y));
      m.label = name_of_row(row) + (row.value("today", false) ? " (today)" : "");
    }
    p.lines[0].marks.push_back(std::move(m));
  }
  return p;
}

/// A scale on which equal steps are equal ratios.
double log_of(double x) { return real::log(std::max(x, 1e-9)); }

/// What is drawn of each row against the one field.
struct row_figure {
  std::string title;
  text::unit unit{};
  std::string metric{};  ///< empty: the objective

  [[nodiscard]] json of(const json& row) const {
    return metric.empty() ? row.at("objective") : row.at("metrics").value(metric, json());
  }
};

row_figure objective_figure(const json& tuning) {
  return {capital(metrics::title_of(label_of(tuning.at("objective")))),
          unit_named(tuning.value("unit", ""))};
}

/// For a page along a scale of ratios.
std::optional<svg_axes> curve_panel(const json& tuning, const row_figure& of, bool for_page) {
  svg_axes p{
      .title = of.title, .across = "", .ticks = {}, .unit = of.unit, .lines = {{"", {}, true}}};
  for (const json& row : tuning.at("rows")) {
    const json numbers = row.value("numbers", json::object());
    if (numbers.size() != 1 || !numbers.begin()->is_number()) {
      return std::nullopt;
    }
    p.across = numbers.begin().key();
    const json f = of.of(row);
    if (!number_in(f, "value")) {
      continue;
    }
    const bool is_best = row.at("standing") == "best";
    const double x = numbers.begin()->get<double>();
    panel_mark m{.x = for_page ? log_of(x) : x,
                 .y = f.at("value").get<double>(),
                 .y_low = end_of(f, "low_95"),
                 .y_high = end_of(f, "high_95"),
                 .label = is_best ? "best: " + values_of(row) : "",
                 .best = is_best};
    if (for_page) {
      tell(m, row, text_in(f));
      m.label = is_best ? "best" : row.value("today", false) ? "today" : "";
    }
    p.ticks.push_back({m.x, values_of(row)});
    p.lines[0].marks.push_back(std::move(m));
  }
  const auto by_x = [](const auto& a, const auto& b) { return a.x < b.x; };
  std::sort(p.lines[0].marks.begin(), p.lines[0].marks.end(), by_x);
  std::sort(
      p.ticks.begin(), p.ticks.end(), [](const tick& a, const tick& b) { return a.at < b.at; });
  return p;
}

/// A line through those that no other beats in both harms, from the left.
std::vector<std::pair<double, double>> unbeaten(const std::vector<panel_mark>& marks) {
  std::vector<std::pair<double, double>> all;
  for (const panel_mark& m : marks) {
    const bool is_beaten = std::any_of(marks.begin(), marks.end(), [&](const panel_mark& other) {
      return other.x <= m.x && other.y <= m.y && (other.x < m.x || other.y < m.y);
    });
    if (!is_beaten) {
      all.emplace_back(m.x, m.y);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

json front_chart(const json& tuning) {
  svg_axes p = front_panel(tuning, true);
  p.thread = unbeaten(p.lines[0].marks);
  p.told = p.title + " against " + p.across;
  return drawn_for_page(p, 1000, 460);
}

json objective_chart(const json& tuning) {
  auto p = curve_panel(tuning, objective_figure(tuning), true);
  if (!p || p->lines[0].marks.size() < 2) {
    return json();
  }
  const json set = tuning.value("within_numbers", json());
  if (set.is_array() && set.size() == 2 && set[0].is_number() && set[1].is_number()) {
    p->shaded = {log_of(set[0].get<double>()), log_of(set[1].get<double>())};
  }
  p->told = p->title + " against " + p->across;
  p->title.clear();
  return drawn_for_page(*p, 1000, 420);
}

json key_to(const json& rows) {
  json all = json::array();
  for (const standing_look& look : standing_looks) {
    const bool is_there = std::any_of(rows.begin(), rows.end(), [&](const json& row) {
      return row.at("standing") == look.standing;
    });
    if (is_there) {
      panel_mark m;
      look_as(m, look.standing);
      all.push_back(
          {{"words", report::word_of_standing(look.standing).says}, {"svg", key_to_mark(m)}});
    }
  }
  all.push_back({{"words", "95 % intervals"}, {"svg", key_to_intervals()}});
  return all;
}

/// At most half as bad again as the best: what differs there is lost beside the others.
bool is_near(const json& row) {
  const auto regret = number_in(row.value("regret", json()), "value");
  return regret ? *regret <= 0.5 : row.at("standing") == "best";
}

json of_rows(const json& tuning, json rows) {
  json part = tuning;
  part["rows"] = std::move(rows);
  return part;
}

/// Of all rows, and of those near the best where the others dwarf them.
json both(const json& tuning, json (*chart)(const json&)) {
  json close = json::array();
  for (const json& row : tuning.at("rows")) {
    if (is_near(row)) {
      close.push_back(row);
    }
  }
  const bool is_apart = close.size() >= 3 && close.size() < tuning.at("rows").size();
  json all = json::array();
  all.push_back({{"title", is_apart ? "Every value" : ""},
                 {"svg", chart(tuning)},
                 {"key", key_to(tuning.at("rows"))}});
  if (is_apart) {
    json key = key_to(close);
    all.push_back({{"title", "Near the best"},
                   {"svg", chart(of_rows(tuning, std::move(close)))},
                   {"key", std::move(key)}});
  }
  return all;
}

}  // namespace

svg_axes front_of(const json& tuning) { return front_panel(tuning, false); }

std::optional<svg_axes> objective_of(const json& tuning) {
  return curve_panel(tuning, objective_figure(tuning), false);
}

std::vector<svg_axes> curves_of(const json& tuning, const std::vector<std::string>& metrics) {
  std::vector<svg_axes> all;
  for (const std::string& metric : metrics) {
    const row_figure figure{capital(metrics::title_of(metric)), metrics::unit_of(metric), metric};
    if (auto p = curve_panel(tuning, figure, false)) {
      all.push_back(std::move(*p));
    }
  }
  return all;
}

json tuning_charts(const json& tuning) {
  const json& rows = tuning.at("rows");
  json drawn = json::array();
  for (const json& row : rows) {
    if (row.at("objective").is_object() && number_in(row.at("objective"), "value")) {
      drawn.push_back(row);
    }
  }
  const bool has_curve = !objective_chart(tuning).is_null();
  return {{"objective", has_curve ? both(of_rows(tuning, drawn), objective_chart) : json::array()},
          {"front",
           std::any_of(rows.begin(), rows.end(), has_both) ? both(tuning, front_chart)
                                                           : json::array()}};
}

}  // namespace dibs::pages
