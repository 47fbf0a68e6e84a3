#include "world/zones.hpp"

#include "text/csv_number.hpp"
#include "text/csv_reader.hpp"
#include "text/trimmed.hpp"
#include "world/h3_cell.hpp"
#include "world/request_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

namespace dibs::world {
namespace {

constexpr std::uint64_t bytes_max = std::uint64_t{1} << 28;

/// Takes the word away, in any case, and what is blank after it.
bool take_word(std::string_view& text, std::string_view word) {
  const bool is_there = text.size() >= word.size() &&
                        std::ranges::equal(text.substr(0, word.size()), word, [](char a, char b) {
                          return std::toupper(static_cast<unsigned char>(a)) == b;
                        });
  if (is_there) {
    text = text::trimmed(text.substr(word.size()));
  }
  return is_there;
}

std::optional<double> take_number(std::string_view& text) {
  double number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || !std::isfinite(number)) {
    return std::nullopt;
  }
  text = text::trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
  return number;
}

bool is_on_earth(const place_in_degrees& p) {
  return std::abs(p.lat) <= 90 && std::abs(p.lon) <= 180;
}

std::optional<place_in_degrees> place_of(const text::csv_reader& csv,
                                         std::size_t lat,
                                         std::size_t lon) {
  if (lat == lon) {
    return read_wkt_point(csv.fields()[lat]);
  }
  const auto north = text::number_in_field(csv.fields()[lat], csv.separator());
  const auto east = text::number_in_field(csv.fields()[lon], csv.separator());
  return north && east ? std::optional(place_in_degrees{*north, *east}) : std::nullopt;
}

}  // namespace

std::string_view zone_id_in(std::string_view field) {
  std::string_view id = text::trimmed(field);
  if (id.size() > 2 && id.ends_with(".0")) {
    id.remove_suffix(2);
  }
  const bool is_number = id.find_first_not_of("0123456789") == std::string_view::npos;
  while (is_number && id.size() > 1 && id.front() == '0') {
    id.remove_prefix(1);
  }
  return id;
}

std::optional<place_in_degrees> read_wkt_point(std::string_view text) {
  text = text::trimmed(text);
  if (take_word(text, "SRID=")) {
    const std::size_t end = text.find(';');
    text = text::trimmed(text.substr(std::min(end, text.size() - 1) + 1));
  }
  if (!take_word(text, "POINT")) {
    return std::nullopt;
  }
  // A height and a measure may follow.
  int more = take_word(text, "ZM") ? 2 : take_word(text, "Z") || take_word(text, "M") ? 1 : 0;
  if (!take_word(text, "(")) {
    return std::nullopt;
  }
  const auto lon = take_number(text);
  const auto lat = lon ? take_number(text) : std::nullopt;
  while (lat && more > 0 && take_number(text)) {
    --more;
  }
  if (!lat || more > 0 || text != ")") {
    return std::nullopt;
  }
  return place_in_degrees{*lat, *lon};
}

std::optional<place_in_degrees> place_named(std::string_view field, const zone_map& zones) {
  if (const auto point = read_wkt_point(field)) {
    return point;
  }
  if (const auto zone = zones.find(zone_id_in(field)); zone != zones.end()) {
    return zone->second;
  }
  const auto cell = read_h3_cell(text::trimmed(field));
  return cell ? std::optional(middle_of_h3_cell(*cell)) : std::nullopt;
}

std::string no_place_named(std::string_view field,
                           const zone_map& zones,
                           const std::optional<zone_file>& zones_at) {
  if (!zones_at) {
    return fmt::format(
        "expected a WKT point, such as POINT (-73.98 40.75), or a cell of H3, such as "
        "8a2a1072b59ffff, found '{}'; ids of zones need a file with their middles: `zones`",
        shown_field(field));
  }
  return fmt::format("no zone '{}' among the {} of {}",
                     shown_field(field),
                     zones.size(),
                     shown_field(zones_at->file.filename().string()));
}

result<zone_map> read_zones(const std::filesystem::path& path, const zone_file& how) {
  auto csv = text::csv_reader::open(path, bytes_max);
  if (!csv) {
    return tl::unexpected<error>(csv.error());
  }
  if (const auto header = csv->next(); !header || !*header) {
    return header ? csv->error_here("the file is empty; its first line names the columns")
                  : tl::unexpected<error>(header.error());
  }
  const std::size_t width = csv->fields().size();
  std::array<std::size_t, 3> at{};
  for (const auto& [place, name] :
       {std::pair(&at[0], &how.id), {&at[1], &how.lat}, {&at[2], &how.lon}}) {
    const auto names = csv->fields();
    const auto found = std::ranges::find(names, std::string_view(*name));
    if (found == names.end()) {
      return csv->error_here(fmt::format("a file of zones needs a column '{}'", *name));
    }
    *place = static_cast<std::size_t>(found - names.begin());
  }
  zone_map zones;
  while (true) {
    const auto more = csv->next();
    if (!more) {
      return tl::unexpected<error>(more.error());
    }
    if (!*more) {
      break;
    }
    const auto place = csv->has_width(width) ? place_of(*csv, at[1], at[2]) : std::nullopt;
    if (!place || !is_on_earth(*place)) {
      return csv->error_here("no latitude and longitude of the middle of a zone, in degrees");
    }
    zones.try_emplace(std::string(zone_id_in(csv->fields()[at[0]])), *place);
  }
  if (zones.empty()) {
    return csv->error_of_file("no zones after the first line");
  }
  return zones;
}

result<zone_map> read_zones(const std::optional<zone_file>& at) {
  return at ? read_zones(at->file, *at) : result<zone_map>();
}

}  // namespace dibs::world
