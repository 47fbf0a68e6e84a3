#include "sim/triggers.hpp"

#include <algorithm>

namespace dibs::sim {

std::optional<std::uint8_t> message_word(std::string_view name) {
  const auto found = std::ranges::find(message_words, name);
  if (found == message_words.end()) {
    return std::nullopt;
  }
  return static_cast<std::uint8_t>(found - message_words.begin());
}

}  // namespace dibs::sim
