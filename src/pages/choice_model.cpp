#include "pages/choice_model.hpp"

#include "pages/choice_texts.hpp"
#include "pages/figure_texts.hpp"
#include "pages/tuning_charts.hpp"
#include "report/decided_share.hpp"
#include "report/outcome_signs.hpp"
#include "text/dimensioned.hpp"
#include "text/escape.hpp"
#include "text/json_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace dibs::pages {
namespace {

using json = nlohmann::ordered_json;

bool has_all(const json& j, std::initializer_list<const char*> keys) {
  return j.is_object() &&
         std::all_of(keys.begin(), keys.end(), [&](const char* key) { return j.contains(key); });
}

bool is_list(const json& j, const char* key) { return j.contains(key) && j[key].is_array(); }

/// The value as a number, in its own base unit; null for a word.
json number_of(const json& value) {
  const auto amount = value.is_string() ? text::parse_dimensioned(value.get<std::string>())
                                        : decltype(text::parse_dimensioned("")){};
  return amount ? json(amount->value) : json();
}

void add_numbers(json& rows) {
  for (json& row : rows) {
    json numbers = json::object();
    for (const auto& [path, value] : row["values"].items()) {
      numbers[path] = number_of(value);
    }
    row["numbers"] = std::move(numbers);
  }
}

bool are_rows(const json& j) {
  return is_list(j, "rows") && std::all_of(j["rows"].begin(), j["rows"].end(), [](const json& row) {
           return has_all(row, {"values", "standing", "objective", "metrics"}) &&
                  row["values"].is_object();
         });
}

bool is_tuning(const json& j) {
  return has_all(j, {"scenario", "answer", "objective", "best", "runs", "trade_off_seeds"}) &&
         are_rows(j) && is_list(j, "trade_off") && is_list(j, "constraints") &&
         is_list(j, "thresholds");
}

bool is_region(const json& j) {
  if (!has_all(j, {"scenario", "x", "y", "seeds", "quantile"}) || !is_list(j, "cells") ||
      !is_list(j, "required") || !is_list(j["x"], "values") || !is_list(j["y"], "values")) {
    return false;
  }
  return j["cells"].size() == j["x"]["values"].size() * j["y"]["values"].size() &&
         std::all_of(j["cells"].begin(), j["cells"].end(), [](const json& cell) {
           return has_all(
               cell,
               {"verdict", "found", "room", "half", "sure", "bound", "long_enough", "differs"});
         });
}

bool is_survival(const json& rows) {
  return rows.is_array() && !rows.empty() &&
         std::all_of(rows.begin(), rows.end(), [](const json& row) {
           return has_all(row, {"incident"}) && is_list(row, "cells") &&
                  std::all_of(row["cells"].begin(), row["cells"].end(), [](const json& cell) {
                    return has_all(cell, {"protocol", "verdict", "worse"});
                  });
         });
}

/// Letters, digits and hyphens alone.
std::string slug_of(const std::string& text) {
  std::string slug;
  for (const char c : text) {
    const bool is_plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    slug += is_plain ? c : '-';
  }
  return slug;
}

std::string text_in(const json& j, const char* key) {
  return j.contains(key) && j[key].is_string() ? j[key].get<std::string>() : "";
}

/// What makes the runs of a cell, with its cause and without, and shows them side by side.
json commands_of(const json& row, const std::string& protocol, const std::string& stem) {
  const std::string seeds = row.contains("runs") && row["runs"].is_number_unsigned()
                                ? fmt::format(" --runs {}", row["runs"].get<std::uint64_t>())
                                : "";
  const std::string run = fmt::format("dibs run {} --set {}{}",
                                      text::shell_word(text_in(row, "file")),
                                      text::shell_word("lease.protocol=" + protocol),
                                      seeds);
  std::string without = run;
  for (const json& each : row.value("without", json::array())) {
    without += " --set " + text::shell_word(each.is_string() ? each.get<std::string>() : "");
  }
  return {fmt::format("{} --out {}", run, stem),
          fmt::format("{} --out {}-without", without, stem),
          fmt::format("dibs report {0} {0}-without --out {0}.html", stem)};
}

void add_runs(json& rows, const std::filesystem::path& folder) {
  for (json& row : rows) {
    for (json& cell : row["cells"]) {
      const std::string protocol = text_in(cell, "protocol");
      const std::string stem = cell_stem(text_in(row, "incident"), protocol);
      std::error_code none;
      const bool is_there = std::filesystem::is_regular_file(folder / (stem + ".html"), none);
      cell["page"] = is_there ? json(stem + ".html") : json();
      const std::string story = stem + "-story.html";
      const bool is_told = std::filesystem::is_regular_file(folder / story, none);
      cell["story"] = is_told ? json(story) : json();
      cell["commands"] =
          text_in(row, "file").empty() ? json::array() : commands_of(row, protocol, stem);
    }
  }
}

page_model page(const char* kind,
                std::string title,
                json data,
                const std::string& version,
                const json& besides = json::object()) {
  json model{{"kind", kind},
             {"run", ""},
             {"dibs", version},
             {"catalogue", catalogue_json()},
             {kind, std::move(data)}};
  model.update(besides);
  return {std::move(title), std::move(model)};
}

}  // namespace

std::string cell_stem(const std::string& incident, const std::string& protocol) {
  return "runs/" + slug_of(incident + "-" + protocol);
}

namespace {

/// What the page shows for each outcome.
json outcomes() {
  json all = json::object();
  for (const report::outcome_sign& each : report::outcome_signs) {
    all[std::string(each.outcome)] = {{"sign", each.sign}, {"says", each.says}};
  }
  return all;
}

result<page_model> read_choice(json j,
                               const std::string& version,
                               const std::filesystem::path& folder) {
  if (is_survival(j)) {
    add_runs(j, folder);
    add_survival_texts(j);
    const json counts = report::breaks_in(j);
    return page("survival",
                "which protocol survives which incident",
                std::move(j),
                version,
                {{"breaks_in", counts}, {"outcomes", outcomes()}});
  }
  const bool says = j.is_object() && j.contains("kind") && j["kind"].is_string();
  const std::string kind = says ? j["kind"].get<std::string>() : "";
  if (kind == "tuning" && is_tuning(j)) {
    add_numbers(j["rows"]);
    add_tuning_texts(j);
    for (const json& end : j.value("within_delta", json::array())) {
      j["within_numbers"].push_back(number_of(end));
    }
    j["charts"] = tuning_charts(j);
    const std::string title = "the best values for " + text_in(j, "scenario");
    return page("tuning", title, std::move(j), version);
  }
  if (kind == "region" && is_region(j)) {
    add_region_texts(j);
    const std::string title = "where everything holds in " + text_in(j, "scenario");
    return page("region", title, std::move(j), version);
  }
  return failure(exit_code::invalid_input,
                 "no directory, and not what `dibs tune`, `dibs region` or `dibs survive` print "
                 "with --format json");
}

}  // namespace

result<page_model> choice_model_of(json j,
                                   const std::string& version,
                                   const std::filesystem::path& folder) {
  // What was printed by another program may be of another shape.
  try {
    return read_choice(std::move(j), version, folder);
  } catch (const json::exception&) {
    return failure(exit_code::invalid_input, "a part of it is not as it was printed");
  }
}

}  // namespace dibs::pages
