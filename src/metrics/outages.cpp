#include "metrics/outages.hpp"

#include <algorithm>
#include <cstddef>

namespace dibs::metrics {

void outages::began(matcher_id m, sim_time now) {
  if (m.value >= spells_.size()) {
    spells_.resize(m.value + std::size_t{1});
  }
  auto& spells = spells_[m.value];
  if (spells.empty() || spells.back().end != never) {
    spells.push_back({now, never});
  }
}

void outages::ended(matcher_id m, sim_time now) {
  if (m.value < spells_.size() && !spells_[m.value].empty()) {
    time_interval& last = spells_[m.value].back();
    last.end = std::min(last.end, now);
  }
}

sim_duration outages::length_within(matcher_id m, const time_interval& when) const {
  sim_duration length{};
  if (const auto* spells = of(m)) {
    for (const time_interval& spell : *spells) {
      length += common(spell, when).length();
    }
  }
  return length;
}

sim_time outages::first_within(matcher_id m, const time_interval& when) const {
  if (const auto* spells = of(m)) {
    for (const time_interval& spell : *spells) {
      if (const time_interval both = common(spell, when); !both.is_empty()) {
        return both.begin;
      }
      if (spell.is_empty() && when.holds(spell.begin)) {
        return spell.begin;  // down and up in one instant: it forgot all the same
      }
    }
  }
  return never;
}

const std::vector<time_interval>* outages::of(matcher_id m) const {
  return m.value < spells_.size() ? &spells_[m.value] : nullptr;
}

}  // namespace dibs::metrics
