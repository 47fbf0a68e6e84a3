#include "text/markdown.hpp"

#include "text/escape.hpp"

#include <string_view>

namespace dibs::text {

std::string markdown_cell(const std::string& text) {
  constexpr std::string_view special = "\\`*_{}[]()<>#+!|~&";
  std::string out;
  for (const char c : display_text(text, 400)) {
    if (special.find(c) != std::string_view::npos) {
      out += '\\';
    }
    out += c;
  }
  return out;
}

std::string markdown_code(const std::string& text) {
  const bool is_plain =
      text.find_first_of("`|\\") == std::string::npos && display_text(text, 200) == text;
  return is_plain ? "`" + text + "`" : markdown_cell(text);
}

}  // namespace dibs::text
