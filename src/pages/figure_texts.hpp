/// Figures as pages print them. The numbers of a page that the program knows are formatted here, by
/// `text/number`, so that they read as they do on a terminal; a script formats only what is born
/// while somebody looks, such as the instant under a cursor.
#pragma once

#include "stats/estimate.hpp"
#include "text/unit.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace dibs::pages {

/// `1.21 ± 0.08 %`, or without the interval where that has no width; `-` without a value.
[[nodiscard]] std::string figure_text(const std::optional<stats::estimate>& e, text::unit unit);

/// The unit of this name (`driver-s`); a ratio where there is none.
[[nodiscard]] text::unit unit_named(std::string_view name);

/// The number under this key, if it is one.
[[nodiscard]] std::optional<double> number_in(const nlohmann::ordered_json& j, const char* key);

/// Both sides of the interval of a figure of a `metrics.json`; nothing where it has none.
[[nodiscard]] std::optional<stats::margins> reach_of(const nlohmann::ordered_json& figures,
                                                     const std::string& name);

/// `figures`: a `metrics.json`. By name what is printed of each of its figures.
[[nodiscard]] nlohmann::ordered_json texts_of(const nlohmann::ordered_json& figures);

/// The same without intervals, of those that have one.
[[nodiscard]] nlohmann::ordered_json plain_texts_of(const nlohmann::ordered_json& figures);

/// The levels of double assignment: label, figure, how often in 1,000 of its kind, and the
/// 95 % interval of that: of one run that of a count of rare things, of several over replications.
/// What should never be is left out where it was not seen.
[[nodiscard]] nlohmann::ordered_json levels_json(const nlohmann::ordered_json& figures);

/// Why supply was hidden, the most frequent cause first: name, seconds and share of all.
[[nodiscard]] nlohmann::ordered_json causes_json(const nlohmann::ordered_json& figures);

/// Name, unit, direction and definition of every metric.
[[nodiscard]] nlohmann::ordered_json catalogue_json();

/// What became of drivers' time under a lease, in words, by key.
[[nodiscard]] nlohmann::ordered_json layers_json();

}  // namespace dibs::pages
