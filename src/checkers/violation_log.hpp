/// Collects the violations of promised invariants: counts them all, and describes the first few.
///
/// An invariant that was not promised is never entered. The promises are fixed before the run. A
/// scenario promises less from the start if its lease manager may forget leases or its counter, if
/// two managers may lead (`lease::variant_of`), or if its delays and clocks have no bounds
/// (`engine/bounded_promises.hpp`). No fault withdraws a promise during the run. Where a fault
/// excuses a single trip, its checker knows that (`rider_promises.hpp`). An invariant that a
/// checker could not follow to the end of the run is left undecided: neither kept nor broken.
#pragma once

#include "base/time.hpp"
#include "checkers/run_checker.hpp"
#include "lease/protocol.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <utility>

namespace dibs::checkers {

class violation_log {
 public:
  static constexpr std::size_t told_max = 20;

  explicit violation_log(std::uint32_t promises) { checks_.judged = promises; }

  /// Formats the words of the first violations only: a broken run may have millions. Null for the
  /// others; else valid until the next one.
  template <class... Args>
  violation* enter(lease::invariant broken,
                   sim_time t,
                   std::uint64_t event_index,
                   fmt::format_string<Args...> words,
                   Args&&... args) {
    const std::uint32_t bit = lease::bit(broken);
    if ((checks_.judged & bit) == 0) {
      return nullptr;
    }
    checks_.broken |= bit;
    ++checks_.violation_count;
    return checks_.violations.size() < told_max
               ? &tell(broken, t, event_index, fmt::format(words, std::forward<Args>(args)...))
               : nullptr;
  }

  [[nodiscard]] bool judges(lease::invariant i) const {
    return (checks_.judged & lease::bit(i)) != 0;
  }

  /// No violation was found, but so many drivers could not be checked to the end.
  void leave_undecided(lease::invariant i, std::uint64_t drivers, bool was_stopped);

  [[nodiscard]] check_result close();

 private:
  violation& tell(lease::invariant broken,
                  sim_time t,
                  std::uint64_t event_index,
                  std::string words);

  check_result checks_;
};

}  // namespace dibs::checkers
