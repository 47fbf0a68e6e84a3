/// `1 point`, `1,200 points`.
#pragma once

#include "text/number.hpp"

#include <cstdint>
#include <string>

namespace dibs::study {

[[nodiscard]] inline std::string counted(std::uint64_t n, const std::string& noun) {
  return report::grouped(n) + " " + noun + (n == 1 ? "" : "s");
}

}  // namespace dibs::study
