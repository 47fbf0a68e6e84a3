/// How much of a run's beginning to leave out, by what the run itself shows.
///
/// MSER-5 (White, "An effective truncation heuristic for bias reduction in simulation output",
/// Simulation 69, 1997; Franklin and White 2008): of the means of five steps each, leave out as
/// many from the front as make the standard error of the rest least. A series that is best cut in
/// its second half has not settled.
#pragma once

#include "base/result.hpp"
#include "base/time.hpp"
#include "scenario/read.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dibs::sweep {

/// How many values of the front are left out, a multiple of five; nothing if the series has not
/// settled or has fewer than 20 values.
[[nodiscard]] std::optional<std::size_t> mser_5(std::span<const double> series);

struct warmup {
  sim_duration length{};
  std::uint32_t pilots = 0;
  /// `clock.warmup` and `clock.duration`, so that the measured time ends when it did.
  std::vector<scenario::override_value> overrides;

  /// In a sentence.
  [[nodiscard]] std::string text() const;
};

/// From pilot runs without any warm-up, on seeds of their own: the longest that any of drivers on
/// trips, drivers held and riders waiting takes to settle, of the mean over the pilots. Errors:
/// demand that cannot be read; it never settles (exit 7); it was stopped (exit 130).
[[nodiscard]] result<warmup> find_warmup(const scenario::scenario& s,
                                         std::uint32_t jobs,
                                         const std::atomic<bool>* stop);

}  // namespace dibs::sweep
