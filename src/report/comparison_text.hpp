/// How a comparison is written: as text for people, as JSON or CSV for programs.
#pragma once

#include "report/figure_choice.hpp"
#include "sweep/comparison.hpp"
#include "text/terminal.hpp"

#include <span>
#include <string>

namespace dibs::report {

/// For a terminal: the verdict; what changed; what shows no difference at this size; what is the
/// same; how many figures more there are, if not all are shown.
[[nodiscard]] std::string text_of(const sweep::comparison& c,
                                  const text::terminal_style& l,
                                  const figure_choice& shown);

/// The same for programs: an object for each comparison, in a list under `comparisons`.
[[nodiscard]] std::string json_of(std::span<const sweep::comparison> all);

/// `formats::comparison_table`: a row for each metric of each.
[[nodiscard]] std::string csv_of(std::span<const sweep::comparison> all);

}  // namespace dibs::report
