#include "base/compressed_records.hpp"

#include "base/ensure.hpp"

#include <blosc.h>

#include <algorithm>

namespace dibs {

std::span<const std::byte> packed(std::span<const std::byte> records,
                                  std::size_t width,
                                  std::vector<std::byte>& room) {
  constexpr int level = 5;
  room.resize(std::max(room.size(), records.size() + BLOSC_MAX_OVERHEAD));
  const int used = blosc_compress_ctx(level,
                                      BLOSC_SHUFFLE,
                                      width,
                                      records.size(),
                                      records.data(),
                                      room.data(),
                                      records.size() + BLOSC_MAX_OVERHEAD,
                                      BLOSC_LZ4_COMPNAME,
                                      records.size(),
                                      1);
  ensure(used > 0, "there is room for what cannot be packed");
  return std::span(room).first(static_cast<std::size_t>(used));
}

void unpack(std::span<const std::byte> from, std::span<std::byte> to) {
  const int size = blosc_decompress_ctx(from.data(), to.data(), to.size(), 1);
  ensure(size >= 0 && static_cast<std::size_t>(size) == to.size(), "what was packed is whole");
}

}  // namespace dibs
