/// `1 point`, `1,200 points`, `2 tries`.
#pragma once

#include "text/number.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace dibs::text {

/// `many` is needed where it is not the noun with an s.
[[nodiscard]] inline std::string plural(std::uint64_t n,
                                        std::string_view noun,
                                        std::string_view many = {}) {
  const std::string word(n == 1 || many.empty() ? noun : many);
  return with_thousands(n) + " " + word + (n != 1 && many.empty() ? "s" : "");
}

}  // namespace dibs::text
