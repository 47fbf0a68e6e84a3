#include "text/escape.hpp"

#include <fmt/format.h>

namespace dibs::text {

std::string escaped(utf8_character c, std::string_view bytes) {
  if (!c.valid || (is_unsafe_to_display(c.code) && c.code < 0x100)) {
    return fmt::format("\\x{:02x}", c.code);
  }
  return is_unsafe_to_display(c.code) ? display_escaped(bytes) : std::string(bytes);
}

std::string display_text(std::string_view text, std::size_t length_max) {
  std::string out;
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++characters) {
    if (characters == length_max) {
      return out + "...";
    }
    const utf8_character c = character_at(text, i);
    out += escaped(c, text.substr(i, c.bytes));
    i += c.bytes;
  }
  return out;
}

}  // namespace dibs::text
