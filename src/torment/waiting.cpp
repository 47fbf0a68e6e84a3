#include "torment/waiting.hpp"

#include "base/wall_clock.hpp"

#include <poll.h>

#include <algorithm>

namespace dibs::torment {

void let_pass(sim_duration d) {
  const sim_duration until = machine_time() + d;
  for (sim_duration left = d; left > 0ns; left = until - machine_time()) {
    ::poll(nullptr, 0, static_cast<int>((left + 999'999ns) / 1ms));
  }
}

result<void> wait_until(sim_duration t, const std::atomic<bool>* stop) {
  constexpr sim_duration look_again{50ms};
  for (sim_duration left = t - machine_time(); left > 0ns; left = t - machine_time()) {
    if (stop != nullptr && stop->load()) {
      return failure(exit_code::interrupted, "interrupted");
    }
    let_pass(std::min(left, look_again));
  }
  return {};
}

}  // namespace dibs::torment
