/// Compresses many records of one kind, by Blosc: it puts all first bytes of the records before all
/// second bytes and so on (a shuffle), and compresses that by LZ4. The high bytes of neighbouring
/// instants and numbers are equal, and so are the bytes of empty fields.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dibs {

inline constexpr std::size_t packed_width_max = 255;

/// `width`: bytes of one record, at most `packed_width_max`; `records` holds a whole number of
/// them. What it returns lies in `room`, which grows as it has to.
[[nodiscard]] std::span<const std::byte> packed(std::span<const std::byte> records,
                                                std::size_t width,
                                                std::vector<std::byte>& room);

/// Requires: `from` was packed, of as many bytes as `to` has room for.
void unpack(std::span<const std::byte> from, std::span<std::byte> to);

}  // namespace dibs
