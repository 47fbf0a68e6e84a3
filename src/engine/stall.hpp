/// The report of a run that is stuck: since when, why, and which node waits for what.
#pragma once

#include "base/time.hpp"

#include <string>
#include <vector>

namespace dibs::engine {

struct stall {
  sim_time t{};      ///< when it was noticed
  sim_time since{};  ///< the last that brought a ride on
  std::string why;   ///< in a few words
  std::vector<std::string>
      waits;  ///< as `wait_diagnosis::waits`; none if that failed or was interrupted
};

}  // namespace dibs::engine
