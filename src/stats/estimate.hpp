/// A value and how sure it is: the one type for whatever was estimated from several runs.
#pragma once

#include <cstddef>
#include <optional>

namespace dibs::stats {

/// How far an interval reaches to either side of its value.
struct margins {
  double below = 0;
  double above = 0;
  /// By how it was made: `±` would mislead, even where both sides happen to be alike.
  bool lopsided = false;

  [[nodiscard]] double half_width() const { return (below + above) / 2; }
};

struct estimate {
  double value = 0;
  std::optional<margins> margin{};  ///< of the 95 % interval; nothing where there is none
  std::size_t samples = 0;          ///< replications, or pairs of them, that have a value
  margins unsure{};  ///< how far the value may be wrong: 0 but for a percentile by buckets

  /// The ends of the interval, and half its length; the value itself and 0 where there is none.
  [[nodiscard]] double low() const { return value - (margin ? margin->below : 0); }
  [[nodiscard]] double high() const { return value + (margin ? margin->above : 0); }
  [[nodiscard]] double half_width() const { return margin ? margin->half_width() : 0; }
};

/// With an interval that is alike to both sides.
[[nodiscard]] inline estimate within(double value, double half_width, std::size_t samples = 0) {
  return {value, margins{half_width, half_width}, samples};
}

}  // namespace dibs::stats
