#include "text/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace dibs::text {
namespace {

struct code_range {
  std::uint32_t first;
  std::uint32_t last;
};

/// Controls; marks, embeddings and isolates of direction, with what has no width beside them; line
/// and paragraph ends; a byte order mark; what brackets an annotation; tags.
constexpr std::array hazards{code_range{0x00, 0x1f},
                             code_range{0x7f, 0x9f},
                             code_range{0x61c, 0x61c},
                             code_range{0x200b, 0x200f},
                             code_range{0x2028, 0x202e},
                             code_range{0x2060, 0x206f},
                             code_range{0xfeff, 0xfeff},
                             code_range{0xfff9, 0xfffb},
                             code_range{0xe0000, 0xe007f}};

std::string json_escape(std::uint32_t code) {
  if (code < 0x10000) {
    return fmt::format("\\u{:04x}", code);
  }
  const std::uint32_t rest = code - 0x10000;
  return fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (rest >> 10), 0xdc00 + (rest & 0x3ffU));
}

}  // namespace

utf8_character character_at(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[k]));
  };
  const std::uint32_t first = byte(i);
  if (first < 0x80) {
    return {1, first, true};
  }
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || i + length > text.size()) {
    return {1, first, false};
  }
  std::uint32_t code = first & (0xffU >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xc0U) != 0x80U) {
      return {1, first, false};
    }
    code = code << 6 | (byte(i + k) & 0x3fU);
  }
  // Surrogates, codes beyond Unicode and more bytes than needed: terminals differ in what they make
  // of them.
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  const bool is_overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (is_surrogate || is_overlong || code > 0x10ffff) {
    return {1, first, false};
  }
  return {length, code, true};
}

bool is_unsafe_to_display(std::uint32_t code) {
  return std::any_of(hazards.begin(), hazards.end(), [code](const code_range& each) {
    return each.first <= code && code <= each.last;
  });
}

std::string display_escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    if (static_cast<unsigned char>(text[i]) < 0x7f) {
      out += text[i++];
      continue;
    }
    const utf8_character c = character_at(text, i);
    out += c.valid && is_unsafe_to_display(c.code) ? json_escape(c.code)
                                                   : std::string(text.substr(i, c.bytes));
    i += c.bytes;
  }
  return out;
}

}  // namespace dibs::text
