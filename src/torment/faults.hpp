/// What is done to real servers, processes and links, and when: as data.
///
/// A case names a few faults that belong together, such as a stop and a continue. `schedule_of`
/// repeats them over the run, each time a little earlier or later, as its seed says.
#pragma once

#include "base/time.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace dibs::torment {

enum class fault_action : std::uint8_t {
  stop,         ///< SIGSTOP
  go_on,        ///< SIGCONT
  kill,         ///< SIGKILL
  start,        ///< what was killed begins again
  hold_link,    ///< nothing passes; what was sent comes when the link is open again
  cut_link,     ///< nothing passes; each end's TCP finds out for itself
  refuse_link,  ///< connections break, and no new one is made
  delay_link,   ///< what passes comes later, `by` so much
  open_link,    ///< all is well again
  move_clock,   ///< the server's clock jumps ahead, `by` so much
  promote,      ///< a Redis replica becomes the primary, and clients are led to it
};

enum class fault_target : std::uint8_t { matcher, postgres, redis, link };

struct real_fault {
  sim_duration at{};
  fault_action what{};
  fault_target whom{};
  std::uint32_t which = 0;
  sim_duration by{};
  bool at_grant = false;  ///< as soon as a matcher is granted a lease, from `at` on

  friend bool operator==(const real_fault&, const real_fault&) = default;
};

/// Faults that belong together, at times from the first of them on.
struct fault_pattern {
  std::vector<real_fault> faults;
  sim_duration first{1s};  ///< when they begin
  sim_duration every{2s};  ///< and again
  std::uint32_t times_max = UINT32_MAX;
  std::uint32_t among = 1;  ///< processes that take turns: `which` goes on by one each time
};

/// In the order of their times. A repetition begins up to a quarter of `every` late. One that would
/// not be over `rest` before the end of the run is left out.
[[nodiscard]] std::vector<real_fault> schedule_of(const fault_pattern& p,
                                                  sim_duration length,
                                                  std::uint64_t seed);

/// How long before the end of a run the last faults are over.
inline constexpr sim_duration rest = 500ms;

/// "stops matcher process 1".
[[nodiscard]] std::string text_of(const real_fault& f);

}  // namespace dibs::torment
