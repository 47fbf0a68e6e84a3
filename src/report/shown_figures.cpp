#include "report/shown_figures.hpp"

#include "text/escape.hpp"
#include "text/word_list.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace dibs::report {
namespace {

using json = nlohmann::ordered_json;

std::vector<std::string> metrics_of(const json& tuning) {
  std::vector<std::string> all;
  const json rows = tuning.value("rows", json::array());
  if (rows.is_array() && !rows.empty() && rows[0].is_object()) {
    const json metrics = rows[0].value("metrics", json::object());
    for (const auto& [name, figure] : metrics.items()) {
      all.push_back(name);
    }
  }
  return all;
}

void keep_of_survival(json& rows, const std::vector<std::string>& metrics) {
  const auto is_left_away = [&](const json& change) {
    return !change.is_object() ||
           std::ranges::find(metrics, change.value("metric", "")) == metrics.end();
  };
  for (json& row : rows) {
    for (json& cell : row["cells"]) {
      for (const char* list : {"worse", "all"}) {
        if (cell.is_object() && cell.contains(list) && cell[list].is_array()) {
          json& all = cell[list];
          all.erase(std::remove_if(all.begin(), all.end(), is_left_away), all.end());
        }
      }
    }
  }
}

bool has_cells(const json& study) {
  return std::ranges::all_of(study, [](const json& row) {
    return row.is_object() && row.contains("cells") && row["cells"].is_array();
  });
}

}  // namespace

result<void> keep_shown(json& study, const std::vector<std::string>& metrics) {
  if (study.is_object()) {
    study.erase("shown");
  }
  if (metrics.empty()) {
    return {};
  }
  if (study.is_array()) {
    if (has_cells(study)) {
      keep_of_survival(study, metrics);
    }
    return {};
  }
  if (!study.is_object() || !study.contains("rows")) {
    return failure(
        exit_code::usage,
        "report: --show is not for a map of where everything holds: `dibs region --show` "
        "has the figures of its cells");
  }
  const std::vector<std::string> known = metrics_of(study);
  for (const std::string& each : metrics) {
    if (std::ranges::find(known, each) == known.end()) {
      return failure(exit_code::usage,
                     fmt::format("report: the study has no {}; it has {}, and others if `dibs tune "
                                 "--show` asks for them",
                                 each,
                                 text::display_text(text::word_list(known), 400)));
    }
  }
  study["shown"] = metrics;
  return {};
}

std::vector<std::string> shown_of(const json& tuning) {
  return is_chosen(tuning) ? tuning.at("shown").get<std::vector<std::string>>()
                           : metrics_of(tuning);
}

bool is_chosen(const json& tuning) { return tuning.contains("shown"); }

}  // namespace dibs::report
