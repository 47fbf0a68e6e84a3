#include "metrics/waiting_riders.hpp"

#include "base/ensure.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dibs::metrics {

void waiting::ride_waits(ride_id r, sim_time now) {
  ensure(!is_waiting(r), "a ride begins to wait once");
  open_.grown(r.value) = spells_.begin({{now, never}, r}) + 1;
  ++count_;
}

void waiting::ride_stops(ride_id r, sim_time now) {
  if (!is_waiting(r)) {
    return;
  }
  wait_spell& spell = spells_[std::exchange(open_[r.value], 0) - 1];
  spell.when.end = now;
  total_ += common(spell.when, window_).length().count();
  --count_;
}

void waiting::finish(sim_time end) {
  std::vector<ride_id> left;
  open_.each([&left](std::size_t r, std::uint32_t open) {
    if (open != 0) {
      left.push_back(ride_id{static_cast<std::uint32_t>(r)});
    }
  });
  for (const ride_id r : left) {
    ride_stops(r, end);
  }
}

}  // namespace dibs::metrics
