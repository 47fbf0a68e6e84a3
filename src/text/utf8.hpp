/// Characters of UTF-8, and which of them a terminal obeys instead of showing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dibs::text {

/// One character: how many bytes, and its code point; an invalid byte stands alone.
struct utf8_character {
  std::size_t bytes = 1;
  std::uint32_t code = 0;
  bool valid = true;
};

/// Requires: `i < text.size()`.
[[nodiscard]] utf8_character character_at(std::string_view text, std::size_t i);

/// Characters that a terminal obeys instead of showing, that change the order of a line, or that
/// nobody sees.
[[nodiscard]] bool is_unsafe_to_display(std::uint32_t code);

/// The same text with what is hazardous beyond ASCII as JSON escapes it, which changes no document
/// of JSON. What is ASCII stays: our own line ends and colours are.
[[nodiscard]] std::string display_escaped(std::string_view text);

}  // namespace dibs::text
