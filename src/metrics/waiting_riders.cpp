#include "metrics/waiting_riders.hpp"

#include "base/ensure.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dibs::metrics {

void waiting_riders::ride_waits(ride_id r, sim_time now) {
  ensure(!is_waiting(r), "a ride begins to wait once");
  open_.grown(r.value) = spells_.begin({{now, never}, r}) + 1;
  ++count_;
}

void waiting_riders::ride_stops(ride_id r, sim_time now) {
  if (!is_waiting(r)) {
    return;
  }
  wait_spell& spell = spells_[std::exchange(open_[r.value], 0) - 1];
  spell.when.end = now;
  total_ += common(spell.when, window_).length().count();
  --count_;
}

void waiting_riders::finish(sim_time end) {
  for (std::uint32_t r = 0; r < open_.size(); ++r) {
    if (open_[r] != 0) {
      ride_stops(ride_id{r}, end);
    }
  }
}

}  // namespace dibs::metrics
