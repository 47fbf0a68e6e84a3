#include "scenario/zone_columns.hpp"

#include "scenario/file_faults.hpp"
#include "text/csv_number.hpp"
#include "text/escape.hpp"
#include "world/request_fields.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

namespace dibs::scenario {
namespace {

/// A share that is lower by no more than that is as good.
constexpr double as_good = 0.98;

std::string first_few(const auto& words) {
  constexpr std::size_t few = 5;
  const auto count = static_cast<std::ptrdiff_t>(std::min(few, words.size()));
  return fmt::format("{}", fmt::join(words.begin(), std::next(words.begin(), count), ", "));
}

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

/// How well a name is that of an id: 2 if columns of the requests that may name zones have a word
/// of it, 0 if programs call a row's number so.
int fit_of_id(std::string_view name, const file_sample& requests) {
  constexpr auto of_rows = std::to_array<std::string_view>(
      {"", "objectid", "object", "fid", "gid", "oid", "ogc", "index", "unnamed", "row"});
  constexpr auto plain = std::to_array<std::string_view>({"", "id", "no", "code", "name", "key"});
  const std::vector<std::string> words = plain_words_of(name);
  const auto is_one_of = [](const auto& all) {
    return [&all](const std::string& word) {
      return std::ranges::find(all, std::string_view(word)) != all.end();
    };
  };
  if (words.empty() || std::ranges::any_of(words, is_one_of(of_rows))) {
    return 0;
  }
  for (const std::string& column : requests.names) {
    if (fit_of(column, column_kind::place, trip_end::from) == 0) {
      continue;
    }
    const std::vector<std::string> others = plain_words_of(column);
    if (std::ranges::any_of(words, [&](const std::string& each) {
          return !is_one_of(plain)(each) && std::ranges::find(others, each) != others.end();
        })) {
      return 2;
    }
  }
  return 1;
}

/// Where a column of requests holds ids of this column of zones, and too many others.
std::optional<std::string> unknown_ids(const std::filesystem::path& path,
                                       const file_sample& zones,
                                       const std::string& id,
                                       const file_sample& requests) {
  const auto at =
      static_cast<std::size_t>(std::ranges::find(zones.names, id) - zones.names.begin());
  std::set<std::string, std::less<>> ids;
  for (const auto& row : zones.rows) {
    ids.emplace(world::zone_id_in(row[at]));
  }
  std::size_t best = 0;
  std::string said;
  for (std::size_t i = 0; i < requests.names.size(); ++i) {
    if (fit_of(requests.names[i], column_kind::place, trip_end::from) == 0) {
      continue;
    }
    std::set<std::string> others;
    std::size_t known = 0;
    std::size_t there = 0;
    for (const auto& row : requests.rows) {
      const bool is_known = ids.contains(world::zone_id_in(row[i]));
      known += is_known ? 1U : 0U;
      there += world::is_blank(row[i]) ? 0U : 1U;
      if (!is_known && !world::is_blank(row[i])) {
        others.insert(text::display_text(row[i], 30));
      }
    }
    if (known > best) {
      best = known;
      said = fmt::format(
          "{} of {} rows name a zone in {} that {} does not have, as {}: add their middles to it, "
          "or take such rows out",
          there - known,
          there,
          text::display_text(requests.names[i], 60),
          text::display_text(path.string(), 400),
          first_few(others));
    }
  }
  return best == 0 ? std::nullopt : std::optional(said);
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
  int best_name = 0;
  world::zone_file found{path, "", s->names[*lat], s->names[*lon]};
  for (std::size_t i = 0; i < s->names.size(); ++i) {
    std::set<std::string, std::less<>> ids;
    for (const auto& row : s->rows) {
      ids.emplace(world::zone_id_in(row[i]));
    }
    const double share = i == *lat || i == *lon ? 0 : share_named(requests, ids);
    const int name = fit_of_id(s->names[i], requests);
    // Numbers of rows may be among the ids as well: then the name tells.
    const bool is_as_good = share >= fits_from && share >= as_good * best;
    if (is_as_good && best >= fits_from ? name > best_name : share > best) {
      best = share;
      best_name = name;
      found.id = s->names[i];
    }
  }
  if (best < fits_from) {
    const auto some = best > 0.1 ? unknown_ids(path, *s, found.id, requests) : std::nullopt;
    return some ? failure(exit_code::invalid_input,
                          text::display_text(requests_path.string(), 400) + ": " + *some)
                : no_ids(path, *s, requests_path, requests);
  }
  return found;
}

void doubt_zones(const world::zone_file& zones, request_file& found) {
  constexpr double apart_degrees = 0.001;
  const auto s = read_sample(zones.file, placed_max);
  if (!s) {
    return;
  }
  const auto at = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(s->names, name) - s->names.begin());
  };
  const std::size_t id = at(zones.id);
  const auto place = [&](const auto& row) -> std::optional<world::place_in_degrees> {
    const std::size_t lat = at(zones.lat);
    const auto north = text::number_in_field(row[lat], s->separator);
    const auto east = text::number_in_field(row[at(zones.lon)], s->separator);
    return zones.lat == zones.lon ? world::read_wkt_point(row[lat])
           : north && east        ? std::optional(world::place_in_degrees{*north, *east})
                                  : std::nullopt;
  };
  std::map<std::string_view, world::place_in_degrees> first;
  std::set<std::string> twice;
  for (const auto& row : s->rows) {
    if (const auto middle = place(row)) {
      const auto [there, is_new] = first.try_emplace(world::zone_id_in(row[id]), *middle);
      if (!is_new && (std::abs(there->second.lat - middle->lat) > apart_degrees ||
                      std::abs(there->second.lon - middle->lon) > apart_degrees)) {
        twice.insert(text::display_text(row[id], 30));
      }
    }
  }
  if (!twice.empty()) {
    found.doubts.push_back(
        fmt::format("{} in {} with middles that differ, and the first counts: {}",
                    twice.size() == 1 ? "one zone stands twice"
                                      : fmt::format("{} zones stand twice", twice.size()),
                    text::display_text(zones.file.filename().string(), 200),
                    first_few(twice)));
  }
}

}  // namespace dibs::scenario
