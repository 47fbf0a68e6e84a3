/// The same figure of several runs, as estimates take it.
#pragma once

#include "results/run_record.hpp"

#include <vector>

namespace dibs::results::test {

inline std::vector<const metric_sample*> pointers(const std::vector<metric_sample>& all) {
  std::vector<const metric_sample*> to;
  for (const metric_sample& m : all) {
    to.push_back(&m);
  }
  return to;
}

}  // namespace dibs::results::test
