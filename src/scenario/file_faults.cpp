#include "scenario/file_faults.hpp"

#include "text/clock_time.hpp"
#include "text/csv_number.hpp"
#include "text/escape.hpp"
#include "world/request_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

namespace dibs::scenario {
namespace {

bool has(const file_sample& s, char c) {
  return std::ranges::any_of(
      s.names, [c](const std::string& name) { return name.find(c) != std::string::npos; });
}

bool is_value(const std::string& name) {
  return text::number_in_field(name, ';') || text::clock_time_reader().read(name);
}

std::string shown(const file_sample& s, std::size_t column, std::string_view value) {
  return fmt::format(
      "{} ({})", text::display_text(s.names[column], 60), text::display_text(value, 30));
}

/// The first value that is a number, of any.
std::optional<double> first_number(const file_sample& s, std::size_t column) {
  for (const auto& row : s.rows) {
    if (const auto number = text::number_in_field(row[column], s.separator)) {
      return number;
    }
  }
  return std::nullopt;
}

std::string fault_of_time(const file_sample& s, std::size_t column) {
  constexpr double from = 20'000;  // 1954
  constexpr double to = 80'000;    // 2119
  const std::string& value = s.rows.front()[column];
  if (const auto day = text::clock_time_reader().read(value + " 00:00"); day && day->has_date) {
    return shown(s, column, value) + " is a date without a time of day";
  }
  if (value.size() >= 10 && value[2] == '-' && value[5] == '-') {
    return shown(s, column, value) +
           " is a date with dashes that does not begin with its year: write it as 2024-02-13 "
           "17:00:10 or 13.02.2024 17:00:10";
  }
  const std::size_t colon = value.find(':');
  if (colon != std::string::npos && value.find(':', colon + 1) == std::string::npos &&
      value.find('.', colon) != std::string::npos) {
    return shown(s, column, value) +
           " is minutes and seconds, as a spreadsheet shows a time, and the hour is lost: export "
           "the "
           "column anew as 2024-02-13 17:00:10";
  }
  const auto number = first_number(s, column);
  return number && *number >= from && *number <= to && *number != std::floor(*number)
             ? fmt::format(
                   "{} looks like days since 1900, as spreadsheets count: write the column as "
                   "2024-02-13 17:00:10",
                   shown(s, column, fmt::format("{}", *number)))
             : "";
}

/// Of a column that has such a name, and whose values are no such thing.
std::string fault_of_named(const file_sample& s, column_kind kind) {
  if (kind != column_kind::time && kind != column_kind::latitude) {
    return "";
  }
  const bool is_time = kind == column_kind::time;
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    const auto is_wrong = [&](const std::string& value) {
      text::clock_time_reader any;
      return !world::is_blank(value) &&
             !(is_time ? any.read(value).has_value() || any.has_met_other_order()
                       : text::number_in_field(value, s.separator).has_value());
    };
    // A bare end may be something else.
    const bool has_name = fit_of(s.names[i], kind, trip_end::from) > (is_time ? 1 : 0);
    const auto wrong =
        std::ranges::find_if(s.rows, [&](const auto& row) { return is_wrong(row[i]); });
    if (has_name && wrong != s.rows.end()) {
      return fmt::format("{} has the name, but its value is not understood: {}",
                         shown(s, i, (*wrong)[i]),
                         is_time ? "write it as 2024-02-13 17:00:10" : "write it as 40.75");
    }
  }
  return "";
}

/// `1.3081, 103.8821`.
bool is_pair(std::string_view value, char separator) {
  const std::size_t part = value.find(',');
  return part != std::string_view::npos &&
         text::number_in_field(value.substr(0, part), separator) &&
         text::number_in_field(value.substr(part + 1), separator);
}

std::string fault_of_place(const file_sample& s, std::size_t column) {
  std::string name = s.names[column];
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::string& value = s.rows.front()[column];
  if (name.find("polyline") != std::string::npos || value.starts_with("[[") ||
      value.starts_with("LINESTRING")) {
    return shown(s, column, value) +
           " holds a whole way: write its first point into columns `lat` and `lon`, its last into "
           "`to_lat` and `to_lon`";
  }
  if (value.find("POLYGON") != std::string::npos) {
    return shown(s, column, value) +
           " holds areas: write the middle of each, as POINT (-73.98 40.75)";
  }
  const bool may_be_point = fit_of(s.names[column], column_kind::place, trip_end::from) > 0;
  if (may_be_point && is_pair(value, ',')) {
    return shown(s, column, value) +
           " holds both degrees: write them into two columns, `lat` and `lon`, or as POINT "
           "(103.88 1.31), longitude first";
  }
  const auto number = first_number(s, column);
  const bool is_place = fit_of(s.names[column], column_kind::latitude, trip_end::from) > 0 ||
                        fit_of(s.names[column], column_kind::longitude, trip_end::from) > 0;
  if (!is_place) {
    return "";
  }
  if (number && std::abs(*number) > 180) {
    return shown(s, column, value) +
           " is no degrees, but looks like metres of a projection, or parts of degrees: convert it "
           "to latitude and longitude in degrees (EPSG:4326)";
  }
  const bool is_lettered =
      !value.empty() && std::string_view("NSEWnsew").find(value.back()) != std::string_view::npos;
  return is_lettered ? shown(s, column, value) +
                           " ends in a letter: write degrees with a sign, as 40.75 and -73.98"
                     : "";
}

}  // namespace

std::string fault_of_form(const file_sample& s) {
  if (s.names.empty()) {
    return "";
  }
  if (s.encoding == text::text_encoding::two_bytes) {
    return "it is no UTF-8, but looks like Korean, Chinese or Japanese text: convert it, as with "
           "`iconv -f CP949 -t UTF-8` (Korean), `-f GB18030` (Chinese) or `-f CP932` (Japanese)";
  }
  if (has(s, '\0')) {
    return "it holds zero bytes, as UTF-16 without a byte order mark does: convert it, as with "
           "`iconv -f UTF-16LE -t UTF-8`";
  }
  if (has(s, '\r')) {
    return "its lines end in CR alone: convert it, as with `tr '\\r' '\\n'`";
  }
  const std::string& first = s.names.front();
  if (s.names.size() == 1 && std::ranges::count(first, ' ') > 1) {
    return fmt::format(
        "its first line has no commas, semicolons, tabs or bars, which part columns; spaces do "
        "not: '{}'",
        text::display_text(first, 60));
  }
  const auto values = std::ranges::count_if(s.names, is_value);
  return values > 0 && 2 * static_cast<std::size_t>(values) >= s.names.size()
             ? "the first line looks like data, not like names: write a line above it that names "
               "the "
               "columns, such as time,lat,lon"
             : "";
}

std::string fault_of_values(const file_sample& s, column_kind kind) {
  for (std::size_t i = 0; i < s.names.size(); ++i) {
    const bool may_be_time = fit_of(s.names[i], column_kind::time, trip_end::from) > 0;
    std::string fault;
    if (kind == column_kind::latitude) {
      fault = fault_of_place(s, i);
    } else if (kind == column_kind::time && may_be_time) {
      fault = fault_of_time(s, i);
    }
    if (!fault.empty()) {
      return fault;
    }
  }
  return fault_of_named(s, kind);
}

}  // namespace dibs::scenario
