/// A field that can be moved, and the values at which it stops. Pure.
#pragma once

#include "base/result.hpp"
#include "explore/explored_scenario.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace dibs::explore {

inline constexpr std::size_t sliders_max = 6;
inline constexpr std::size_t stops_max = 1000;

struct slider {
  std::string path;
  /// As `--set` takes them; quantities in rising order, words as they were typed.
  std::vector<std::string> stops;
  std::size_t own = 0;  ///< which of them is the scenario's own value
};

/// `lease.ttl`, `lease.ttl=5s..60s`, `lease.ttl=5s..60s:lin:12` or `lease.protocol=lease,fenced`.
/// A range without a count stops at some thirty round numbers, so that one meets the same points
/// again. The scenario's own value is a stop in any case. A path alone has a range around that
/// value, from a quarter of it to four times, without those ends that make no scenario. Errors
/// (exit 2): no such field, no range around its value, values that make no sense.
[[nodiscard]] result<slider> slider_of(const std::string& typed, const explored_scenario& s);

/// Those that were typed, or else those fields that say most about leases and have an effect in
/// this scenario, at most `sliders_max`. Errors (exit 2): too many, one twice, as `slider_of`.
[[nodiscard]] result<std::vector<slider>> sliders_of(const std::vector<std::string>& typed,
                                                     const explored_scenario& s);

}  // namespace dibs::explore
