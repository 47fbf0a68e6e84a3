#include "text/base64.hpp"

#include <cstddef>
#include <cstdint>

namespace dibs::text {
namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    held += 8;
    while (held >= 6) {
      held -= 6;
      text += letters[bits >> held & 63U];
    }
  }
  if (held > 0) {
    text += letters[bits << (6 - held) & 63U];
  }
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return std::nullopt;
  }
  for (int i = 0; i < 2 && text.ends_with('='); ++i) {
    text.remove_suffix(1);
  }
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const std::size_t value = letters.find(c);
    if (value == std::string_view::npos) {
      return std::nullopt;
    }
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes += static_cast<char>(bits >> held & 255U);
    }
  }
  return bytes;
}

}  // namespace dibs::text
