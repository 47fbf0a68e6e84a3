#include "text/escape.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dibs::text {
namespace {

/// A letter of ASCII, a digit, or one of these signs.
bool is_plain(char c, std::string_view signs) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         signs.find(c) != std::string_view::npos;
}

}  // namespace

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

std::string markup_text(std::string_view text) {
  std::string out;
  for (const char c : display_text(text, text.size())) {
    const char* name = c == '&'    ? "&amp;"
                       : c == '<'  ? "&lt;"
                       : c == '>'  ? "&gt;"
                       : c == '"'  ? "&quot;"
                       : c == '\'' ? "&#39;"
                                   : nullptr;
    out += name != nullptr ? name : std::string(1, c);
  }
  return out;
}

std::string link_text(std::string_view path) {
  std::string link;
  for (const char c : path) {
    link += is_plain(c, "-._~/") ? std::string(1, c)
                                 : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return link;
}

std::string single_quoted(std::string_view word) {
  std::string text = "'";
  for (const char c : word) {
    text += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return text + "'";
}

std::string shell_word(std::string_view word) {
  if (!word.empty() &&
      std::ranges::all_of(word, [](char c) { return is_plain(c, "_-./=,:+@%"); })) {
    return std::string(word);
  }
  if (display_text(word, word.size()) == word) {
    return single_quoted(word);
  }
  // What would move the cursor, or turn the direction of what follows, is spelled byte by byte.
  std::string text = "$'";
  for (const char c : word) {
    if (c < ' ' || c >= 0x7f) {
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      text += c == '\'' || c == '\\' ? "\\" : "";
      text += c;
    }
  }
  return text + "'";
}

}  // namespace dibs::text
