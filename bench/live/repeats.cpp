#include "bench/live/repeats.hpp"

#include "base/ensure.hpp"

#include <algorithm>

namespace dibs::bench {

repeats_summary spread_of(std::vector<double> values) {
  ensure(!values.empty(), "something was measured");
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  const double median =
      values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return {median, values.front(), values.back()};
}

}  // namespace dibs::bench
