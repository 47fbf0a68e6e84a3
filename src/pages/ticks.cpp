#include "pages/ticks.hpp"

#include "pages/svg.hpp"

#include <algorithm>
#include <array>

namespace dibs::pages {
namespace {

constexpr std::array<sim_duration, 26> steps{
    10ms, 20ms, 50ms,  100ms, 200ms, 500ms, 1s, 2s, 5s, 10s, 15s, 30s, 1min,
    2min, 5min, 10min, 15min, 20min, 30min, 1h, 2h, 4h, 6h,  12h, 24h, 240h};

}  // namespace

std::vector<time_tick> time_ticks(sim_time from,
                                  sim_time until,
                                  double width,
                                  double letters,
                                  const std::function<std::string(sim_time, sim_duration)>& label) {
  constexpr double gap = 14;
  const sim_duration span = until - from;
  for (const sim_duration step : steps) {
    const double apart = width * in_seconds(step) / std::max(in_seconds(span), 1e-9);
    if (apart < gap) {
      continue;
    }
    std::vector<time_tick> all;
    double widest = 0;
    const auto first = (from.time_since_epoch() + step - 1ns) / step;
    for (sim_time t{first * step}; t <= until; t += step) {
      all.push_back({t, label(t, step)});
      widest = std::max(widest, width_of(all.back().label, letters));
    }
    if (apart >= widest + gap) {
      return all;
    }
  }
  return {};
}

std::vector<double> value_ticks(double most) {
  constexpr double marks_max = 5;
  double decade = 1;
  while (decade > most) {
    decade /= 10;
  }
  while (decade * 10 <= most) {
    decade *= 10;
  }
  decade /= 10;
  double step = decade;
  for (const double times : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0}) {
    step = times * decade;
    if (most / step < marks_max + 1) {
      break;
    }
  }
  std::vector<double> all;
  for (int i = 1; i * step <= most; ++i) {
    all.push_back(i * step);
  }
  return all;
}

}  // namespace dibs::pages
