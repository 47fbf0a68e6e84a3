/// The same figure of several runs, as estimates take it.
#pragma once

#include "results/run_record.hpp"

#include <vector>

namespace dibs::results::test {

inline std::vector<const measure*> pointers(const std::vector<measure>& all) {
  std::vector<const measure*> to;
  for (const measure& m : all) {
    to.push_back(&m);
  }
  return to;
}

}  // namespace dibs::results::test
