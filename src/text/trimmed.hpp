/// A text without the spaces at its ends.
#pragma once

#include <algorithm>
#include <string_view>

namespace dibs::text {

[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  text.remove_suffix(text.size() - (text.find_last_not_of(' ') + 1));
  return text;
}

}  // namespace dibs::text
