#include "report/json_cells.hpp"

#include "metrics/catalogue.hpp"
#include "text/json_text.hpp"

#include <algorithm>

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

const json& part_of(const json& whole, std::string_view key) {
  static const json none;
  const auto found = whole.is_object() ? whole.find(key) : whole.end();
  return found != whole.end() ? *found : none;
}

std::optional<stats::estimate> figure_in(const json& metrics_json, std::string_view metric) {
  const json& its = part_of(part_of(metrics_json, "intervals_95"), metric);
  auto e = between(
      part_of(part_of(metrics_json, "metrics"), metric), part_of(its, "low"), part_of(its, "high"));
  const json& half = part_of(its, "half_width");
  if (e && !e->margin && half.is_number()) {
    e->margin = {half.get<double>(), half.get<double>()};
  }
  return e;
}

std::optional<stats::estimate> figure_of_choice(const json& from) {
  return between(part_of(from, "value"), part_of(from, "low_95"), part_of(from, "high_95"));
}

std::vector<headline> headlines_or(const std::vector<std::string>& metrics) {
  if (metrics.empty()) {
    return {headlines.begin(), headlines.end()};
  }
  std::vector<headline> all;
  for (const std::string& metric : metrics) {
    const auto* const known = std::ranges::find(headlines, metric, &headline::metric);
    all.push_back(known == headlines.end() ? headline{metric, metric} : *known);
  }
  return all;
}

text::column column_of(std::string_view metric) {
  return {.title = std::string(metric), .to = text::side::right, .mark = text::emphasis::code};
}

void add_figure(text::row& to, const std::string& metric, const std::optional<stats::estimate>& e) {
  to.emplace_back(metric);
  to.emplace_back(std::string(text::name_of(metrics::unit_of(metric))));
  to.emplace_back(e);
}

}  // namespace dibs::report
