/// Counts messages by ride and kind. The count is part of the key of the network's draws, so each
/// message has draws of its own. The key holds nothing that differs between protocols: no token, no
/// global count.
///
/// A large run has millions of rides, so a ride's counts fill half a line of the cache: a column
/// for each of the kinds that the run met first. Nearly no run meets so many that some are left
/// over.
#pragma once

#include "base/block_table.hpp"
#include "base/ids.hpp"
#include "messages/messages.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>

namespace dibs::runtime {

class ride_message_count {
 public:
  ride_message_count() { columns_.fill(none_yet); }

  /// How many messages of this kind about this ride came before this one; counts it. Kinds beyond
  /// the messages (acknowledgements) are counted together. Starts again after 65,536.
  std::uint32_t count(ride_id ride, std::uint16_t kind) {
    row& its = rides_.grown(ride.value);
    kind = std::min(kind, std::uint16_t{messages::all_messages::size});
    const std::uint8_t column = columns_[kind];
    if (column >= width) [[unlikely]] {
      return count_apart(ride, kind);
    }
    return its.counts[column]++;
  }

 private:
  static constexpr std::uint8_t width = 16;
  static constexpr std::uint8_t left_over = 254;
  static constexpr std::uint8_t none_yet = 255;

  struct alignas(32) row {
    std::array<std::uint16_t, width> counts{};
  };

  /// A kind that has no column, or none yet.
  [[gnu::noinline]] std::uint32_t count_apart(ride_id ride, std::uint16_t kind) {
    std::uint8_t& column = columns_[kind];
    if (column == none_yet) {
      column = used_ < width ? used_++ : left_over;
    }
    return column == left_over ? left_over_[{ride, kind}]++ : rides_[ride.value].counts[column]++;
  }

  std::array<std::uint8_t, messages::all_messages::size + 1> columns_;  ///< by kind
  std::uint8_t used_ = 0;
  block_table<row> rides_;
  std::map<std::pair<ride_id, std::uint16_t>, std::uint16_t> left_over_;
};

}  // namespace dibs::runtime
