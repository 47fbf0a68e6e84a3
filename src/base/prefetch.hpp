/// Prefetches cache lines that are needed soon.
#pragma once

#include <cstddef>

namespace dibs {

inline void fetch_line(const void* at) {
  __builtin_prefetch(at);
  // A compiler may take a function that only prefetches for one without effect, and drop its calls
  // (GCC 12 does); this it keeps.
  asm volatile("");
}

/// All of an object, line by line.
template <class T>
void fetch_whole(const T& what) {
  const auto* const first = reinterpret_cast<const std::byte*>(&what);
  for (std::size_t at = 0; at < sizeof(T); at += 64) {
    fetch_line(first + at);
  }
}

}  // namespace dibs
