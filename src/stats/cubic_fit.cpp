#include "stats/cubic_fit.hpp"

#include "base/ensure.hpp"
#include "stats/confidence_interval.hpp"

#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace dibs::stats {
namespace {

using coefficients_of_cubic = Eigen::Vector4d;

/// How far beyond the outermost points, at -1 and 1, an interval may reach.
constexpr double reach = 1.5;
constexpr double step = 1.0 / 256;

Eigen::Vector4d value_at(double z) { return {1, z, z * z, z * z * z}; }
Eigen::Vector4d slope_at(double z) { return {0, 1, 2 * z, 3 * z * z}; }
Eigen::Vector4d bend_at(double z) { return {0, 0, 2, 6 * z}; }

/// The coefficients' means over all replications, and the covariance of these means.
struct cubic {
  coefficients_of_cubic mean;
  Eigen::Matrix4d covariance;
  double t = 0;  ///< two-sided, at 95 %

  [[nodiscard]] double error(const Eigen::Vector4d& of) const {
    return std::sqrt(std::max(0.0, of.dot(covariance * of)));
  }
  [[nodiscard]] bool surely_falls(double z) const {
    return slope_at(z).dot(mean) + t * error(slope_at(z)) < 0;
  }
  [[nodiscard]] bool surely_rises(double z) const {
    return slope_at(z).dot(mean) - t * error(slope_at(z)) > 0;
  }
};

/// Over [-1, 1]: at an end, or where the slope is 0 and the cubic bends upwards.
double least_of(const coefficients_of_cubic& c) {
  std::vector<double> candidates{-1, 1};
  const double a = 3 * c[3];
  const double b = 2 * c[2];
  const double root = b * b - 4 * a * c[1];
  if (root >= 0 && b + std::sqrt(root) != 0) {
    // The root with the upward bend, in the form that holds for a cubic part of 0 too.
    candidates.push_back(-2 * c[1] / (b + std::sqrt(root)));
  }
  double best = -1;
  for (const double z : candidates) {
    if (std::abs(z) <= 1 && value_at(z).dot(c) < value_at(best).dot(c)) {
      best = z;
    }
  }
  return best;
}

/// Of each row the mean, in its standard errors, and the largest of these; what rounding leaves of
/// a curve through all points is none.
double largest_mean(const Eigen::MatrixXd& rows) {
  constexpr double rounding = 1e-9;
  const auto n = static_cast<double>(rows.cols());
  double most = 0;
  for (const auto& row : rows.rowwise()) {
    const double mean = row.mean();
    const double error = std::sqrt((row.array() - mean).square().sum() / (n * (n - 1)));
    most = error > rounding ? std::max(most, std::abs(mean) / error) : most;
  }
  return most;
}

/// The first z from there on, that way, that is shown to lie beside the least.
template <class Shown>
double end_of(double from, double way, Shown shown) {
  for (double z = from; std::abs(z) <= reach; z += way * step) {
    if (shown(z)) {
      return z;
    }
  }
  return way * std::numeric_limits<double>::infinity();
}

}  // namespace

std::optional<located_minimum> minimise_cubic(std::span<const place> points,
                                              std::span<const std::vector<double>> samples) {
  ensure(points.size() == samples.size() && !points.empty(), "each point has its samples");
  const auto n = static_cast<Eigen::Index>(samples[0].size());
  Eigen::MatrixXd design(points.size(), 4);
  Eigen::MatrixXd figures(points.size(), n);
  for (std::size_t p = 0; p < points.size(); ++p) {
    design.row(static_cast<Eigen::Index>(p)) = value_at(points[p][0]);
    for (Eigen::Index r = 0; r < n; ++r) {
      figures(static_cast<Eigen::Index>(p), r) = samples[p][static_cast<std::size_t>(r)];
    }
  }
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> solver(design);
  if (solver.rank() < design.cols()) {
    return std::nullopt;
  }
  const Eigen::MatrixXd each = solver.solve(figures);  // the coefficients of every replication
  cubic whole;
  whole.mean = each.rowwise().mean();
  const Eigen::MatrixXd apart = each.colwise() - Eigen::VectorXd(whole.mean);
  whole.covariance = apart * apart.transpose() / static_cast<double>(n * (n - 1));
  whole.t = student_t_quantile(samples[0].size() - 1);

  const double at = least_of(whole.mean);
  const double bend = bend_at(at).dot(whole.mean);
  const double error = whole.error(bend_at(at));
  located_minimum found;
  found.at[0] = at;
  found.inside = std::abs(at) < 1;
  found.low[0] = end_of(at, -1, [&](double z) { return whole.surely_falls(z); });
  found.high[0] = end_of(at, 1, [&](double z) { return whole.surely_rises(z); });
  found.bend[0] =
      error > 0 ? bend / error : std::copysign(std::numeric_limits<double>::infinity(), bend);
  found.order = 3;
  found.misfit = largest_mean(figures - design * each);
  return found;
}

}  // namespace dibs::stats
