#include "world/request_fields.hpp"

#include "text/csv_number.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dibs::world {

std::string shown_field(std::string_view found) {
  constexpr std::size_t length_max = 40;
  std::string text(found.substr(0, length_max));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, '?');
  return found.size() > length_max ? text + "..." : text;
}

std::optional<text::clock_time> time_in_field(text::clock_time_reader& times,
                                              std::string_view field,
                                              char separator) {
  const std::size_t comma = field.find(',');
  if (separator == ',' || comma == std::string_view::npos ||
      !text::number_in_field(field, separator)) {
    return times.read(field);
  }
  std::string with_point(field);
  with_point[comma] = '.';
  return times.read(with_point);
}

std::string no_time(std::string_view field) {
  return fmt::format(
      "expected a time, such as 25210.5 (seconds since midnight), 07:00:10, "
      "2015-01-31 07:00:10 or 01/31/2015 07:00 AM, found '{}'",
      shown_field(field));
}

}  // namespace dibs::world
