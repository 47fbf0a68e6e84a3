#include "base/packed_records.hpp"

#include "base/ensure.hpp"

#include <blosc.h>

namespace dibs {

std::vector<std::byte> packed(std::span<const std::byte> records, std::size_t width) {
  constexpr int level = 5;
  std::vector<std::byte> room(records.size() + BLOSC_MAX_OVERHEAD);
  const int used = blosc_compress_ctx(level,
                                      BLOSC_SHUFFLE,
                                      width,
                                      records.size(),
                                      records.data(),
                                      room.data(),
                                      room.size(),
                                      BLOSC_LZ4_COMPNAME,
                                      records.size(),
                                      1);
  ensure(used > 0, "there is room for what cannot be packed");
  return {room.begin(), room.begin() + used};
}

void unpack(std::span<const std::byte> from, std::span<std::byte> to) {
  const int size = blosc_decompress_ctx(from.data(), to.data(), to.size(), 1);
  ensure(size >= 0 && static_cast<std::size_t>(size) == to.size(), "what was packed is whole");
}

}  // namespace dibs
