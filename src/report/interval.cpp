#include "report/interval.hpp"

#include "base/ensure.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace dibs::report {

double student_t(std::uint64_t degrees) {
  ensure(degrees >= 1, "an interval needs two replications");
  // Abramowitz and Stegun, table 26.10.
  static constexpr std::array<double, 30> table{
      12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
      2.2010,  2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
      2.0796,  2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423};
  if (degrees <= table.size()) {
    return table[degrees - 1];
  }
  // Their expansion 26.7.5, three terms of it.
  const double z = 1.959963984540054;
  const double n = static_cast<double>(degrees);
  const double z3 = z * z * z;
  const double z5 = z3 * z * z;
  const double z7 = z5 * z * z;
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

namespace {

/// What rounding alone makes of equal samples is no width.
double without_noise(double half_width, double value) {
  return half_width > 1e-9 * std::fabs(value) ? half_width : 0;
}

}  // namespace

estimate mean_interval(std::span<const double> samples) {
  ensure(samples.size() >= 2, "an interval needs two replications");
  const double n = static_cast<double>(samples.size());
  double sum = 0;
  for (const double x : samples) {
    sum += x;
  }
  const double mean = sum / n;
  double squares = 0;
  for (const double x : samples) {
    squares += (x - mean) * (x - mean);
  }
  return {mean,
          without_noise(student_t(samples.size() - 1) * std::sqrt(squares / (n - 1) / n), mean)};
}

estimate jackknife_interval(double whole, std::span<const double> without) {
  const double n = static_cast<double>(without.size());
  std::vector<double> pseudo;
  pseudo.reserve(without.size());
  for (const double left_out : without) {
    pseudo.push_back(n * whole - (n - 1) * left_out);
  }
  return {whole, without_noise(mean_interval(pseudo).half_width, whole)};
}

double none_seen_bound(double n) {
  ensure(n > 0, "a bound needs something that was seen");
  constexpr double minus_log_of_one_in_thousand = 6.908;
  return minus_log_of_one_in_thousand / n;
}

}  // namespace dibs::report
