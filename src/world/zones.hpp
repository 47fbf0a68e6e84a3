/// Where a place is that a file of requests names in one column: a WKT point, the id of a zone
/// whose middle stands in a file of its own, or a cell of H3.
#pragma once

#include "base/result.hpp"
#include "world/geography.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace dibs::world {

/// A CSV file with the middle of each zone, and what its columns are called.
struct zone_file {
  std::filesystem::path file{};  ///< as written, relative to the scenario's folder
  std::string id = "id";
  std::string lat = "lat";  ///< degrees; with `lon` it may be one column of WKT points
  std::string lon = "lon";

  [[nodiscard]] bool operator==(const zone_file&) const = default;
};

/// By id, as `zone_id_in` has it.
using zone_map = std::map<std::string, place_in_degrees, std::less<>>;

/// An id without what programs add to it: `132` for ` 132.0 ` and for `0132`.
[[nodiscard]] std::string_view zone_id_in(std::string_view field);

/// Of an id that is there twice the first counts. Errors (exit 3), with file and line: it cannot be
/// read, a column is missing, a row is no place, or there is no row.
[[nodiscard]] result<zone_map> read_zones(const std::filesystem::path& path, const zone_file& how);

/// The same of a file that may not be there: without one there are no zones.
[[nodiscard]] result<zone_map> read_zones(const std::optional<zone_file>& at);

/// `POINT (-87.63 41.88)`: longitude first, in any case, perhaps after `SRID=4326;`. Nothing if the
/// text is none. Source: OGC 06-103r4, "Simple feature access", section 7.
[[nodiscard]] std::optional<place_in_degrees> read_wkt_point(std::string_view text);

/// A WKT point, a zone, or else the middle of a cell of H3. Nothing if it is none of them.
[[nodiscard]] std::optional<place_in_degrees> place_named(std::string_view field,
                                                          const zone_map& zones);

/// At 0, 0, south of Ghana: programs write that of a place that they do not know.
[[nodiscard]] constexpr bool is_in_sea(const place_in_degrees& place) {
  return place.lat == 0 && place.lon == 0;
}
inline constexpr std::string_view in_sea_words = "0, 0, which is in the sea";

/// What to say of a field that is none of them. `zones_at`: of these zones, if any.
[[nodiscard]] std::string no_place_named(std::string_view field,
                                         const zone_map& zones,
                                         const std::optional<zone_file>& zones_at);

}  // namespace dibs::world
