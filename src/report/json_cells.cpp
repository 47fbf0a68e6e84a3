#include "report/json_cells.hpp"

#include "metrics/catalogue.hpp"
#include "text/json_text.hpp"

namespace dibs::report {

using json = nlohmann::ordered_json;

std::string word_of(const json& value) {
  return value.is_string() ? value.get<std::string>()
         : value.is_null() ? ""
                           : text::json_as_text(value);
}

std::optional<stats::estimate> between(const json& value, const json& low, const json& high) {
  if (!value.is_number()) {
    return std::nullopt;
  }
  stats::estimate e{value.get<double>()};
  if (low.is_number() && high.is_number()) {
    e.margin = {e.value - low.get<double>(), high.get<double>() - e.value};
  }
  return e;
}

std::optional<stats::estimate> figure_in(const json& metrics_json, std::string_view metric) {
  const json intervals = metrics_json.value("intervals_95", json::object());
  const json its =
      intervals.is_object() ? intervals.value(std::string(metric), json::object()) : json::object();
  auto e = between(metrics_json.at("metrics").value(std::string(metric), json()),
                   its.value("low", json()),
                   its.value("high", json()));
  const json half = its.value("half_width", json());
  if (e && !e->margin && half.is_number()) {
    e->margin = {half.get<double>(), half.get<double>()};
  }
  return e;
}

text::column column_of(std::string_view metric) {
  return {.title = std::string(metric), .to = text::side::right, .mark = text::emphasis::code};
}

void add_figure(text::row& to, const std::string& metric, const std::optional<stats::estimate>& e) {
  to.emplace_back(metric);
  to.emplace_back(std::string(text::name_of(metrics::unit_of(metric))));
  to.emplace_back(e);
}

std::vector<text::column> figure_columns(std::vector<std::string> before,
                                         std::string value,
                                         std::vector<std::string> after) {
  std::vector<text::column> all;
  for (std::string& title : before) {
    all.push_back({.title = std::move(title)});
  }
  all.push_back({.title = "metric"});
  all.push_back({.title = "unit"});
  all.push_back({.title = std::move(value), .has_ends = true});
  for (std::string& title : after) {
    all.push_back({.title = std::move(title)});
  }
  return all;
}

}  // namespace dibs::report
