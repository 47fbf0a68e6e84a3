#include "scenario/file_faults.hpp"

#include "text/clock_time.hpp"
#include "text/csv_number.hpp"
#include "text/escape.hpp"
#include "text/text_source.hpp"
#include "world/request_fields.hpp"
#include "world/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::scenario {
namespace {

bool has(const file_sample& s, char c) {
  return std::ranges::any_of(
      s.names, [c](const std::string& name) { return name.find(c) != std::string::npos; });
}

bool is_time(const std::string& name) {
  text::clock_time_reader times;
  return !text::number_in_field(name, ';') &&
         (times.read(name) || times.read(name + " 00:00") || times.has_met_other_order());
}

bool is_value(const std::string& name) { return text::number_in_field(name, ';') || is_time(name); }

/// Names are no numbers and times, and no two are alike beside a time.
bool look_like_data(const std::vector<std::string>& fields) {
  const auto values = std::ranges::count_if(fields, is_value);
  std::set<std::string, std::less<>> all;
  const bool are_alike = std::ranges::any_of(fields, [&](const std::string& each) {
    return !world::is_blank(each) && !all.insert(each).second;
  });
  return (values > 0 && 2 * static_cast<std::size_t>(values) >= fields.size()) ||
         (are_alike && std::ranges::any_of(fields, is_time));
}

/// The first so many bytes of the text; nothing where it cannot be read.
std::string beginning_of(const std::filesystem::path& path) {
  constexpr std::size_t telling_bytes = 65'536;
  std::string text;
  auto source = text::text_source::open(path, world::trace_options{}.bytes_max);
  while (source && text.size() < telling_bytes) {
    if (!source->append_to(text).value_or(false)) {
      break;
    }
  }
  return text;
}

std::vector<std::string> fields_of(std::string_view line, char separator) {
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  for (const char c : line) {
    is_quoted = is_quoted != (c == '"');
    if (c == separator && !is_quoted) {
      fields.emplace_back();
    } else if (c != '"' && c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

/// How many fields most lines have, where that is more than one, and how many lines have so many.
std::pair<std::size_t, std::size_t> usual_width(const std::vector<std::string_view>& lines,
                                                char separator) {
  std::map<std::size_t, std::size_t> lines_of;
  for (const std::string_view line : lines) {
    const std::size_t width = fields_of(line, separator).size();
    lines_of[width] += width > 1 ? 1U : 0U;
  }
  const auto most = std::ranges::max_element(
      lines_of, {}, [](const auto& each) { return std::pair(each.second, each.first); });
  return most == lines_of.end() ? std::pair<std::size_t, std::size_t>()
                                : std::pair<std::size_t, std::size_t>(most->first, most->second);
}

bool names_something(const std::string& name) {
  return std::ranges::any_of(std::array{column_kind::time,
                                        column_kind::latitude,
                                        column_kind::longitude,
                                        column_kind::place,
                                        column_kind::rides},
                             [&](column_kind kind) {
                               // A bare end, `d`, may be anything.
                               return fit_of(name, kind, trip_end::from) > 1 ||
                                      fit_of(name, kind, trip_end::to) > 1;
                             });
}

/// The line of the names, where it is not the first: it has as many fields as most lines have, and
/// hardly a blank one, as lines of a title have that a spreadsheet wrote. 0 if it is the first, or
/// there is none.
std::size_t names_below(const std::string& text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(std::string_view(text).substr(at, end - at));
    at = end + 1;
  }
  std::pair<std::size_t, std::size_t> usual;  // a width, and the lines that have it
  char separator = ',';
  for (const char each : std::string_view(",;\t|")) {
    const auto found = usual_width(lines, each);
    if (found.second > usual.second) {
      usual = found;
      separator = each;
    }
  }
  if (2 * usual.second < lines.size()) {
    return 0;
  }
  std::size_t above = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto fields = fields_of(lines[i], separator);
    const auto blank = static_cast<std::size_t>(std::ranges::count_if(fields, world::is_blank));
    if (fields.size() == usual.first && 2 * blank < fields.size()) {
      return above > 0 && !look_like_data(fields) && std::ranges::any_of(fields, names_something)
                 ? i + 1
                 : 0;
    }
    above += blank < fields.size() && !lines[i].starts_with("sep=") ? 1U : 0U;
  }
  return 0;
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

/// `1.3081, 103.8821`, or, perhaps below an address, the same in brackets.
bool is_pair(std::string_view value, char separator) {
  const std::size_t bracket = value.find_last_of("([");
  if (bracket != std::string_view::npos && value.find_first_of(")]", bracket) == value.size() - 1) {
    value = value.substr(bracket + 1, value.size() - bracket - 2);
  }
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
  if (value.starts_with('{') && value.find("coordinates") != std::string::npos) {
    return shown(s, column, value) +
           " holds GeoJSON: write it as POINT (-73.98 40.75), longitude first, or into two "
           "columns, `lat` and `lon`";
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
  if (s.separator == ',' && std::ranges::count(value, ',') == 1 && value.find('.') == value.npos) {
    return shown(s, column, value) +
           " has a comma before its decimals, in a file whose commas part the fields: write a "
           "point, as 40.75, or part the fields by semicolons";
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

std::string fault_of_format(const std::filesystem::path& path) {
  const std::string text = beginning_of(path);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const std::string_view begins = std::string_view(text).substr(std::min(first, text.size()));
  const auto is = [&](std::string_view word) {
    return begins.size() >= word.size() &&
           std::ranges::equal(begins.substr(0, word.size()), word, [](char a, char b) {
             return std::tolower(static_cast<unsigned char>(a)) == b;
           });
  };
  const std::size_t next = begins.find_first_not_of(" \t\r\n", 1);
  const char second = next == std::string_view::npos ? '\0' : begins[next];
  if ((is("{") && (second == '"' || second == '}')) ||
      (is("[") && (second == '{' || second == '[' || second == '"'))) {
    return "it is JSON, not CSV: write a line of names, and below it a row for each request, as "
           "time,lat,lon";
  }
  if (is("<!doctype") || is("<html")) {
    return "it is an HTML page, not CSV: what was downloaded is perhaps a page that links to the "
           "file, or that says why there is none";
  }
  if (is("version https://git-lfs")) {
    return "it is a pointer of Git LFS to the file, not the file: fetch that with `git lfs pull`";
  }
  return "";
}

std::string fault_of_form(const std::filesystem::path& path, const file_sample& s) {
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
  if (const std::size_t line = names_below(beginning_of(path)); line > 0) {
    return fmt::format("the names seem to stand in line {}: take away the lines above it", line);
  }
  const std::string& first = s.names.front();
  if (s.names.size() == 1 && std::ranges::count(first, ' ') > 1) {
    return fmt::format(
        "its first line has no commas, semicolons, tabs or bars, which part columns; spaces do "
        "not: '{}'",
        text::display_text(first, 60));
  }
  const auto blank = std::ranges::count_if(s.names, world::is_blank);
  if (s.names.size() > 2 && 2 * static_cast<std::size_t>(blank) > s.names.size()) {
    return fmt::format(
        "the first line looks like a title, not like names, for {} of its {} fields "
        "are blank: '{}'. Begin with a line that names the columns, such as "
        "time,lat,lon",
        blank,
        s.names.size(),
        text::display_text(first, 60));
  }
  return look_like_data(s.names)
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
