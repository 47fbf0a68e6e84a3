#include "world/od_matrix.hpp"

#include "base/ensure.hpp"

#include <algorithm>

namespace dibs::world {
namespace {

constexpr sim_duration whole_day = 24h;

/// The place among sums up to each at which a share of the last one lies.
std::size_t drawn(const double* begin, const double* end, double u) {
  ensure(begin != end, "there is something to draw");
  const double* found = std::upper_bound(begin, end, u * *(end - 1));
  return static_cast<std::size_t>(std::min(found, end - 1) - begin);
}

}  // namespace

sim_duration od_matrix::end_of(std::size_t place) const {
  return place + 1 < stretches.size() ? stretches[place + 1].begins : whole_day;
}

double od_matrix::rides_within(sim_duration from, sim_duration length) const {
  const auto since_midnight = [this](sim_duration t) {
    double rides = static_cast<double>(t / whole_day) * rides_a_day();
    const sim_duration rest = t % whole_day;
    for (std::size_t i = 0; i < stretches.size() && stretches[i].begins < rest; ++i) {
      const sim_duration end = std::min(rest, end_of(i));
      rides += stretches[i].rate_per_s * in_seconds(end - stretches[i].begins);
    }
    return rides;
  };
  return std::max(0.0, since_midnight(from + length) - since_midnight(from));
}

const trace_row& od_matrix::pair_in(std::size_t place, double u) const {
  const std::size_t first = stretches[place].first;
  const std::size_t end =
      place + 1 < stretches.size() ? stretches[place + 1].first : pair_of.size();
  return pairs[pair_of[first + drawn(rate_up_to.data() + first, rate_up_to.data() + end, u)]];
}

const trace_row& od_matrix::pair_of_day(double u) const {
  return pairs[drawn(rides_up_to.data(), rides_up_to.data() + rides_up_to.size(), u)];
}

}  // namespace dibs::world
