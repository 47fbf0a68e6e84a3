#include "sim/clocks.hpp"

#include <cmath>

namespace dibs::sim {
namespace {

node_clock drawn(const clock_error& error, node_id node, std::size_t entry, std::uint64_t seed) {
  auto offsets = stream::keyed(seed, purpose::clock_offset, node.packed, entry);
  return {.offset = draw(error.offset, offsets),
          .drift_ppb = static_cast<std::int64_t>(std::llround(error.drift_ppm * 1000)),
          .from = at(error.from)};
}

}  // namespace

sim_time node_clock::first_at(local_time when) const {
  const sim_time undisturbed{when.time_since_epoch()};
  if (undisturbed <= from || drift_ppb == 0) {
    return undisturbed;
  }
  // local(t) = from + s + trunc(s * ppb / 10^9) with s = t - from. Start from the exact quotient
  // and walk the last nanoseconds, since truncation moves the answer by at most two.
  __extension__ using wide = __int128;
  const wide gained = (undisturbed - from).count();
  auto s = static_cast<std::int64_t>(gained * 1'000'000'000 / (1'000'000'000 + drift_ppb));
  while (local(from + sim_duration{s}) < when) {
    ++s;
  }
  while (s > 0 && local(from + sim_duration{s - 1}) >= when) {
    --s;
  }
  return from + sim_duration{s};
}

clocks::clocks(const std::vector<clock_error>& errors,
               const std::array<std::uint32_t, node_kinds>& counts,
               std::uint64_t seed) {
  for (std::size_t entry = 0; entry < errors.size(); ++entry) {
    const clock_error& error = errors[entry];
    const auto kind = static_cast<std::size_t>(error.node.kind);
    auto& table = by_kind_[kind];
    table.resize(counts[kind]);
    for (std::uint32_t i = 0; i < counts[kind]; ++i) {
      const node_id node{error.node.kind, i};
      if (error.node.covers(node)) {
        table[i] = drawn(error, node, entry, seed);
      }
    }
  }
}

}  // namespace dibs::sim
