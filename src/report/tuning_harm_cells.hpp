/// What is said of the harms that no value may do: a cell of a table, a line of an answer. Pure.
#pragma once

#include "text/terminal.hpp"
#include "tune/tuning_result.hpp"

#include <string>

namespace dibs::report {

/// With its 95 % interval.

/// `<0.35*` where none was seen, which is no promise; `seen` where it was, but not in these runs;
/// `-` without a figure.
struct harm_cell {
  std::string text;
  bool is_bound = false;
  bool is_elsewhere = false;
};
/// Drivers on 2 trips and rides with 2 drivers, in a run.
[[nodiscard]] harm_cell doubles_cell(const tune::row& r);

/// How safe a value is: what was seen, what its protocol promises, and how much may have been
/// missed.
[[nodiscard]] std::string safety_of(const tune::row& r, const std::string& plus_minus);

}  // namespace dibs::report
