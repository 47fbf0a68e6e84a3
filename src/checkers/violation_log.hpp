/// Where violations are entered: those of promised invariants, the first few in words.
///
/// An invariant that is not among the promises is never entered. The promises are fixed before the
/// run: a scenario in which the lease manager may forget its leases or its counter, or in which two
/// may lead, promises less from the start (`lease::variant_of`), and so does one whose delays and
/// clocks keep no bounds. No fault withdraws a promise during the run; what one excuses for a
/// single trip, its checker knows (`rider_promises.hpp`). An invariant that could not be looked
/// through to the end is left open: neither kept nor broken.
#pragma once

#include "base/time.hpp"
#include "checkers/run_checker.hpp"
#include "lease/protocol.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <string>
#include <utility>

namespace dibs::checkers {

class docket {
 public:
  static constexpr std::size_t told_max = 20;

  explicit docket(std::uint32_t promises) { judgement_.judged = promises; }

  /// The words are put together only for the first breaches: a broken run may have millions.
  template <class... Args>
  void enter(lease::invariant broken,
             sim_time t,
             std::uint64_t event_index,
             fmt::format_string<Args...> words,
             Args&&... args) {
    const std::uint32_t bit = lease::bit(broken);
    if ((judgement_.judged & bit) == 0) {
      return;
    }
    judgement_.broken |= bit;
    ++judgement_.violation_count;
    if (judgement_.violations.size() < told_max) {
      tell(broken, t, event_index, fmt::format(words, std::forward<Args>(args)...));
    }
  }

  [[nodiscard]] bool judges(lease::invariant i) const {
    return (judgement_.judged & lease::bit(i)) != 0;
  }

  /// Not broken as far as could be seen, but so much could not be looked through.
  void leave_open(lease::invariant i, std::uint64_t drivers, bool was_stopped);

  [[nodiscard]] judgement close();

 private:
  void tell(lease::invariant broken, sim_time t, std::uint64_t event_index, std::string words);

  judgement judgement_;
};

}  // namespace dibs::checkers
