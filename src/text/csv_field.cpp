#include "text/csv_field.hpp"

#include "text/escape.hpp"

#include <algorithm>
#include <cctype>

namespace dibs::text {
namespace {

/// `-12s`, `+5 %`, `-1e-3`: nothing that a formula could be made of.
bool is_quantity(std::string_view text) {
  const std::size_t first = text.find_first_not_of("+-");
  if (first != 1 || std::isdigit(static_cast<unsigned char>(text[first])) == 0) {
    return false;
  }
  const std::size_t unit = text.find_first_not_of("0123456789.", first);
  const std::string_view rest = unit == std::string_view::npos ? "" : text.substr(unit);
  const std::size_t digits = rest.find_first_not_of("+-", 1);
  const bool is_power = rest.size() > 1 && rest[0] == 'e' && digits <= 2 &&
                        rest.find_first_not_of("0123456789", digits) == std::string_view::npos;
  return is_power || std::all_of(rest.begin(), rest.end(), [](char c) {
           const auto byte = static_cast<unsigned char>(c);
           return std::isalpha(byte) != 0 || c == '%' || c == ' ' || c == '/';
         });
}

bool is_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@").find(text.front()) != std::string_view::npos &&
         !is_quantity(text);
}

}  // namespace

std::string csv_field(std::string_view text) {
  std::string plain = display_text(text, text.size());
  if (is_formula(plain)) {
    plain.insert(0, 1, '\'');
  }
  if (plain.find_first_of(",\"") == std::string::npos) {
    return plain;
  }
  std::string quoted = "\"";
  for (const char c : plain) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + '"';
}

}  // namespace dibs::text
