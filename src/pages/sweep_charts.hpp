/// The charts of a sweep: curves against one of its fields, and one figure against another. For a
/// picture of the whole, and one by one for a page.
#pragma once

#include "pages/axes_svg.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace dibs::pages {

/// A value as it is written, without what would not be seen.
[[nodiscard]] std::string label_of(const nlohmann::ordered_json& value);

/// With a capital letter first.
[[nodiscard]] std::string capital(std::string text);

/// What is drawn across: the first field that varies and is a number everywhere, else the first
/// that varies, by its place.
struct across {
  std::string path;
  bool is_number = false;
  std::vector<tick> ticks;

  [[nodiscard]] double at(const nlohmann::ordered_json& point) const;
};
[[nodiscard]] across across_of(const nlohmann::ordered_json& sweep);

/// Both harms first; of double assignments nothing where none was seen.
[[nodiscard]] std::vector<std::string> main_metrics(const nlohmann::ordered_json& sweep);
/// Those that were `chosen`, else the main ones.
[[nodiscard]] std::vector<std::string> drawn_metrics(const nlohmann::ordered_json& sweep);

/// The fields that vary: that across, then the others.
[[nodiscard]] std::vector<std::string> varying_fields(const nlohmann::ordered_json& sweep,
                                                      const across& a);

/// The same without those whose value follows from another's, as one that was derived or zipped.
[[nodiscard]] std::vector<std::string> free_fields(const nlohmann::ordered_json& sweep,
                                                   const across& a);

/// The line that a point lies on: the values of these fields. Of a path its end alone, if short.
[[nodiscard]] std::string line_of(const nlohmann::ordered_json& point,
                                  const std::vector<std::string>& fields,
                                  bool is_short);

/// One figure, with a line for each of `line_of`.
[[nodiscard]] svg_axes curve_of(const nlohmann::ordered_json& sweep,
                                const std::string& metric,
                                const across& a,
                                const std::vector<std::string>& beside,
                                bool is_short);

/// What the page of a sweep shows: `across`, `varying`, `free`, the name of each point, `curves`,
/// `trade_off` by the two figures' names, and the keys to both. Requires: each point has its texts
/// and its `safety`.
void add_charts(nlohmann::ordered_json& sweep);

}  // namespace dibs::pages
