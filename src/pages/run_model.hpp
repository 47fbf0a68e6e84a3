/// All that a page shows of one run, as JSON: folded from its events, with `metrics.json` as it is.
///
/// The figures, the supply curves and the response times are of all drivers and rides. What is
/// drawn one by one (map, swim-lanes) is of so many drivers at most; `sample` says of how many.
#pragma once

#include "explain/explanation.hpp"
#include "explain/harm.hpp"
#include "history/indexed_run.hpp"
#include "report/explanation_text.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace dibs::pages {

struct model_options {
  std::string run;                              ///< as the user typed it
  std::string metrics;                          ///< the text of `metrics.json`
  std::vector<std::string> shown{};             ///< metrics of the page's table; if empty, all
  std::string version;                          ///< of dibs
  bool for_page = false;                        ///< with what pages alone need
  std::size_t tries_max = 60'000;               ///< that are drawn one by one
  const explain::explanation* story = nullptr;  ///< a page of this story alone
  std::vector<explain::counterfactual> counterfactuals = {};  ///< of its remedies; or none at all
};

/// Valid JSON, and safe within a script element: no `<` in it.
[[nodiscard]] std::string model_of(const history::indexed_run& c, const model_options& how);

}  // namespace dibs::pages
