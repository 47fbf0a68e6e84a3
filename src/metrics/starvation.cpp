#include "metrics/starvation.hpp"

#include "base/ensure.hpp"
#include "metrics/run_tables.hpp"
#include "metrics/starvation_rule.hpp"

#include <cstdint>

namespace dibs::metrics {

starvation starve(const run_tables& told,
                  const time_interval& window,
                  std::optional<double> radius_m) {
  const starvation_inputs all = starvation_inputs_of(told);
  ensure(!all.waits.is_followed(), "a story that is joined at once has kept all of it");
  starvation_evaluator judge(all, window, radius_m);
  for (std::uint32_t i = 0; i < all.waits.size(); ++i) {
    judge.add_wait(i);
  }
  for (std::uint32_t i = 0; i < all.available.size(); ++i) {
    judge.add_available(i);
  }
  for (std::uint32_t i = 0; i < all.held.size(); ++i) {
    judge.add_held(i);
  }
  while (!judge.slice().is_empty()) {
    judge.judge_slice();
  }
  return judge.found();
}

}  // namespace dibs::metrics
