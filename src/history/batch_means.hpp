/// 95 % intervals of a single run's figures, by the method of batch means: from equal parts of its
/// measured time.
///
/// Neighbouring parts depend on each other a little, which makes these intervals a little too
/// narrow. Intervals over seeds have no such fault.
#pragma once

#include "history/indexed_run.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace dibs::history {

/// How many stretches.
inline constexpr std::size_t batches = 10;

/// Fewer rides or answers than these in a stretch tell nothing of it.
inline constexpr std::size_t batch_samples_min = 20;

/// The half width of each figure's interval, by the figure's name.
using half_widths = std::vector<std::pair<std::string, double>>;

/// Of those figures for which each stretch has something to say and not all say the same.
[[nodiscard]] half_widths half_widths_within(const indexed_run& c);

}  // namespace dibs::history
