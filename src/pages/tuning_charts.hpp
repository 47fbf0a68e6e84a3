/// The charts of a choice: its objective against the one field that was searched, and one harm
/// against the other. For a picture of the whole, and one by one for a page.
#pragma once

#include "pages/axes_svg.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace dibs::pages {

/// The marks of the rows that have both figures, the best one told apart.
[[nodiscard]] svg_axes front_of(const nlohmann::ordered_json& tuning);

/// Nothing where more than one field is chosen, or a value is no number.
[[nodiscard]] std::optional<svg_axes> objective_of(const nlohmann::ordered_json& tuning);

/// The same of metrics; none where it is nothing.
[[nodiscard]] std::vector<svg_axes> curves_of(const nlohmann::ordered_json& tuning,
                                              const std::vector<std::string>& metrics);

/// What its page draws: lists `objective` and `front`, each of all values, and of those near the
/// best where the others dwarf them; with `title`, `svg` and the `key` to its marks. Requires: the
/// rows have their texts and numbers.
[[nodiscard]] nlohmann::ordered_json tuning_charts(const nlohmann::ordered_json& tuning);

}  // namespace dibs::pages
