/// How long a run may go on without progress of any ride before it counts as stuck.
///
/// One list has every duration of the scenario language: how long a node may wait for it, or why no
/// node waits. A test compares the list with the table of fields.
#pragma once

#include "base/time.hpp"
#include "scenario/scenario.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace dibs::engine {

struct stall_limits {
  sim_duration quiet_max = forever;  ///< longer than anything that a scenario waits for
  std::uint64_t events_at_once_max = 10'000'000;
  std::uint64_t events_in_vain_max = 100'000'000;
  /// Offers may go on and on, at one instant or at many, and bring no ride to its end: so many, and
  /// a hundred for each ride that waits.
  std::uint64_t offers_in_vain_max = 20'000;
};

/// A duration of the scenario language.
struct awaited_field {
  using longest = sim_duration (*)(const scenario::scenario&);

  /// Its keys; an entry of a list adds none, one of several kinds its kind: `network.latency`,
  /// `faults.partition.for`. `*` stands for any one key.
  std::string_view path;
  longest wait = nullptr;  ///< at most, 0 where it does not happen; null: nobody waits for it
  std::string_view why{};  ///< nobody does
};

[[nodiscard]] std::span<const awaited_field> awaited_fields();

/// Longer than anything that this scenario may wait for in good order: what waits for one thing may
/// then wait for the next, so all of them add up, as often as messages may be lost in a row.
[[nodiscard]] stall_limits stall_limits_of(const scenario::scenario& s);

}  // namespace dibs::engine
