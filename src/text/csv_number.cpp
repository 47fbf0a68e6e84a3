#include "text/csv_number.hpp"

#include "text/trimmed.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace dibs::text {

namespace {

/// Whether groups of three digits begin at the first comma, up to a point or the end.
bool has_thousands(std::string_view text, std::size_t comma) {
  const std::size_t end = std::min(text.find('.'), text.size());
  bool is_sound = comma > 0 && comma <= 3 && end > comma && (end - comma) % 4 == 0;
  for (std::size_t i = comma; is_sound && i < end; ++i) {
    is_sound = (i - comma) % 4 == 0 ? text[i] == ',' : text[i] >= '0' && text[i] <= '9';
  }
  return is_sound;
}

}  // namespace

std::optional<double> number_in_field(std::string_view field, char separator) {
  std::string_view text = trimmed(field);
  if (text.size() > 1 && text[0] == '+' && text[1] >= '0' && text[1] <= '9') {
    text.remove_prefix(1);
  }
  std::string plain;
  if (const std::size_t comma = text.find(','); comma != std::string_view::npos) {
    plain = text;
    if (separator != ',' && std::ranges::count(text, ',') == 1) {
      plain[comma] = '.';
    } else if (has_thousands(text, comma)) {
      std::erase(plain, ',');
    }
    text = plain;
  }
  double number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  return status == std::errc() && end == text.data() + text.size() && std::isfinite(number)
             ? std::optional(number)
             : std::nullopt;
}

}  // namespace dibs::text
