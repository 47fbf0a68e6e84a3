#include "scenario/zone_columns.hpp"

#include "scenario/file_faults.hpp"
#include "text/escape.hpp"
#include "world/request_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace dibs::scenario {
namespace {

/// Which of the two files is to blame where no ids of zones are found in the requests.
tl::unexpected<error> no_ids(const std::filesystem::path& path,
                             const file_sample& zones,
                             const std::filesystem::path& requests_path,
                             const file_sample& requests) {
  const auto like = columns_like_zones(requests);
  const std::string shown = text::display_text(requests_path.string(), 400);
  if (const std::string fault = fault_of_form(requests_path, requests); !fault.empty()) {
    return failure(exit_code::invalid_input, fmt::format("{}: {}", shown, fault));
  }
  if (like.empty()) {
    return failure(exit_code::invalid_input,
                   fmt::format("{}: no column with values is named as the zone of a pick-up, as {} "
                               "are. The columns and their first values: {}",
                               shown,
                               fmt::join(names_of(column_kind::place, trip_end::from), ", "),
                               shown_columns(requests)));
  }
  return failure(
      exit_code::invalid_input,
      fmt::format(
          "{}: the columns that may name zones are {}, but no column of {} holds the ids of "
          "zones that the requests name. Its columns and their first values: {}",
          shown,
          fmt::join(like, ", "),
          text::display_text(path.string(), 400),
          shown_columns(zones)));
}

/// The share of the requests whose place is among these ids, in the column where it is greatest.
double share_named(const file_sample& requests, const std::set<std::string, std::less<>>& ids) {
  double best = 0;
  for (std::size_t i = 0; i < requests.names.size(); ++i) {
    if (fit_of(requests.names[i], column_kind::place, trip_end::from) > 0) {
      const auto known = std::ranges::count_if(
          requests.rows, [&](const auto& row) { return ids.contains(world::zone_id_in(row[i])); });
      const auto there = std::ranges::count_if(
          requests.rows, [&](const auto& row) { return !world::is_blank(row[i]); });
      best = std::max(
          best,
          static_cast<double>(known) / static_cast<double>(std::max<std::ptrdiff_t>(there, 1)));
    }
  }
  // Those of a square matrix stand in its first line.
  const auto in_header = std::ranges::count_if(
      requests.names, [&](const auto& name) { return ids.contains(world::zone_id_in(name)); });
  return std::max(best,
                  static_cast<double>(in_header) / static_cast<double>(requests.names.size()));
}

}  // namespace

std::vector<std::string> columns_like_zones(const file_sample& s) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    const auto fit = std::max(fit_of(s.names[i], column_kind::place, trip_end::from),
                              fit_of(s.names[i], column_kind::place, trip_end::to));
    const bool has_values =
        std::ranges::any_of(s.rows, [i](const auto& row) { return !world::is_blank(row[i]); });
    if (fit > 0 && has_values) {
      all.push_back(shown_column(s, i));
    }
  }
  return all;
}

result<world::zone_file> look_at_zones(const std::filesystem::path& path,
                                       const std::filesystem::path& requests_path,
                                       const file_sample& requests) {
  const auto s = read_sample(path, placed_max);
  if (!s) {
    return tl::unexpected<error>(s.error());
  }
  auto lat = column_for(*s, column_kind::latitude, trip_end::from, {});
  auto lon = column_for(*s, column_kind::longitude, trip_end::from, {});
  if (!lat || !lon) {
    lat = lon = column_for(*s, column_kind::place, trip_end::from, {});
  }
  if (!lat) {
    return no_column(path,
                     *s,
                     "latitude and longitude of a zone's middle",
                     column_kind::latitude,
                     {"lat", "lon", "latitude", "longitude", "y", "x", "centroid"});
  }
  double best = 0;
  world::zone_file found{path, "", s->names[*lat], s->names[*lon]};
  for (std::size_t i = 0; i < s->names.size(); ++i) {
    std::set<std::string, std::less<>> ids;
    for (const auto& row : s->rows) {
      ids.emplace(world::zone_id_in(row[i]));
    }
    const double share = i == *lat || i == *lon ? 0 : share_named(requests, ids);
    if (share > best) {
      best = share;
      found.id = s->names[i];
    }
  }
  if (best < fits_from) {
    return no_ids(path, *s, requests_path, requests);
  }
  return found;
}

}  // namespace dibs::scenario
