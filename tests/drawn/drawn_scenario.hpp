/// Whole scenarios, drawn from the table of fields itself: a field that is added is drawn from then
/// on. The same seed gives the same text.
///
/// What rules over several fields refuse is mended where they complain, a few times; what is still
/// refused then is no scenario, and says so. The world is kept small, so that a run takes little:
/// drivers, matchers, rides at once. All else may be anything that its field takes.
#pragma once

#include "scenario/read.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace dibs::drawn {

struct drawn_scenario {
  std::string text;           ///< of a YAML file in `folder`
  scenario::reading reading;  ///< of that text, by the usual reader
};

/// `folder` is where a trace `rows.csv` lies.
[[nodiscard]] drawn_scenario draw_scenario(std::uint64_t seed, const std::filesystem::path& folder);

/// The rows of that trace.
[[nodiscard]] std::string trace_rows();

}  // namespace dibs::drawn
