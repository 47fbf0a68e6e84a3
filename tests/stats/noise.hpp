/// Noise that several samples share.
#pragma once

#include "base/random.hpp"

#include <cstdint>

namespace dibs::stats::test {

/// The `nth` number of a seed, evenly between -0.5 and 0.5.
inline double noise(std::uint64_t seed, std::uint64_t nth) {
  stream s = stream::keyed(seed, purpose::replication, nth);
  return s.unit() - 0.5;
}

}  // namespace dibs::stats::test
