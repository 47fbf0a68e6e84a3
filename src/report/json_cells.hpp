/// Cells of tables out of JSON that some program printed, this one or another.
#pragma once

#include "stats/estimate.hpp"
#include "text/table.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::report {

/// A string as it is, null as nothing, all else as JSON writes it.
[[nodiscard]] std::string word_of(const nlohmann::ordered_json& value);

/// The member of an object; null where there is none, or no object.
[[nodiscard]] const nlohmann::ordered_json& part_of(const nlohmann::ordered_json& whole,
                                                    std::string_view key);

/// A figure of `metrics.json` with its 95 % interval, where it has one; nothing without a value.
[[nodiscard]] std::optional<stats::estimate> figure_in(const nlohmann::ordered_json& metrics_json,
                                                       std::string_view metric);

/// With the interval between both ends, if there are two; nothing if the value is no number.
[[nodiscard]] std::optional<stats::estimate> between(const nlohmann::ordered_json& value,
                                                     const nlohmann::ordered_json& low,
                                                     const nlohmann::ordered_json& high);

/// Of what `dibs tune` prints: {value, half_width_95, low_95, high_95}.
[[nodiscard]] std::optional<stats::estimate> figure_of_choice(const nlohmann::ordered_json& from);

/// The figures that tables for people have of each of many runs or points; programs get all.
struct headline {
  std::string_view metric;
  std::string_view title;  ///< where there is little room
};
inline constexpr std::array headlines{headline{"double.commits", "on 2 trips"},
                                      headline{"supply.hidden_share", "hidden"},
                                      headline{"accepts.missed_rate", "missed"},
                                      headline{"rides.match_rate", "matched"},
                                      headline{"ttm.p95", "ttm p95"}};

/// These figures, by the titles of `headlines` where they have one and else by their names; without
/// any, `headlines`. Refers to `metrics`.
[[nodiscard]] std::vector<headline> headlines_or(const std::vector<std::string>& metrics);

/// The column of a metric in Markdown.
[[nodiscard]] text::column column_of(std::string_view metric);

/// The cells below `metric,unit` and the figure with its ends.
void add_figure(text::row& to, const std::string& metric, const std::optional<stats::estimate>& e);

}  // namespace dibs::report
