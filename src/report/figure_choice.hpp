/// Which figures are shown of many.
#pragma once

#include <string>
#include <vector>

namespace dibs::report {

struct figure_choice {
  bool all = false;
  std::vector<std::string> metrics{};  ///< only these, if any; else the main ones, or all
};

}  // namespace dibs::report
