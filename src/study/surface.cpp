#include "study/surface.hpp"

#include "base/ensure.hpp"
#include "study/interval.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Dense>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace dibs::study {
namespace {

using matrix = Eigen::MatrixXd;
using vector = Eigen::VectorXd;
using index = Eigen::Index;

index size_of(std::size_t n) { return static_cast<index>(n); }

/// 1, each variable, and each product of two.
std::size_t coefficients(std::size_t variables) {
  return 1 + variables + variables * (variables + 1) / 2;
}

vector terms_of(const place& z, std::size_t variables) {
  vector t(size_of(coefficients(variables)));
  index next = 0;
  t[next++] = 1;
  for (std::size_t i = 0; i < variables; ++i) {
    t[next++] = z[i];
  }
  for (std::size_t i = 0; i < variables; ++i) {
    for (std::size_t j = i; j < variables; ++j) {
      t[next++] = z[i] * z[j];
    }
  }
  return t;
}

/// c + slope z + z' bend z / 2.
struct quadratic {
  vector slope;
  matrix bend;

  quadratic(const vector& beta, std::size_t variables)
      : slope(size_of(variables)), bend(size_of(variables), size_of(variables)) {
    index next = 1;
    for (index i = 0; i < slope.size(); ++i) {
      slope[i] = beta[next++];
    }
    for (index i = 0; i < slope.size(); ++i) {
      for (index j = i; j < slope.size(); ++j) {
        bend(i, j) = bend(j, i) = i == j ? 2 * beta[next] : beta[next];
        ++next;
      }
    }
  }

  [[nodiscard]] double at(const vector& z) const { return slope.dot(z) + 0.5 * z.dot(bend * z); }
};

/// The minimum over one face of the box [-1, 1]^d: `side[i]` is -1 or 1 where a variable is held at
/// an end, 0 where it is free. Nothing if the free ones have no minimum inside.
std::optional<vector> least_on_face(const quadratic& q, const std::vector<int>& side) {
  vector z(q.slope.size());
  std::vector<index> free;
  for (index i = 0; i < z.size(); ++i) {
    z[i] = side[static_cast<std::size_t>(i)];
    if (side[static_cast<std::size_t>(i)] == 0) {
      free.push_back(i);
    }
  }
  if (free.empty()) {
    return z;
  }
  const vector slope = (q.slope + q.bend * z)(free);
  const matrix bend = q.bend(free, free);
  const Eigen::LLT<matrix> root(bend);
  if (root.info() != Eigen::Success) {
    return std::nullopt;
  }
  const vector least = root.solve(-slope);
  if (!(least.cwiseAbs().maxCoeff() < 1)) {
    return std::nullopt;
  }
  z(free) = least;
  return z;
}

/// A quadratic is least over a box at the minimum of one of its faces, of which there are 3^d.
vector least_in_box(const quadratic& q) {
  const auto d = static_cast<std::size_t>(q.slope.size());
  std::vector<int> side(d, -1);
  vector best;
  for (bool more = true; more;) {
    if (const auto z = least_on_face(q, side); z && (best.size() == 0 || q.at(*z) < q.at(best))) {
      best = *z;
    }
    std::size_t i = 0;
    while (i < d && side[i] == 1) {
      side[i++] = -1;
    }
    more = i < d;
    if (more) {
      ++side[i];
    }
  }
  return best;
}

}  // namespace

std::optional<least_place> find_least(std::span<const place> points,
                                      std::span<const std::vector<double>> samples,
                                      std::size_t variables) {
  ensure(variables >= 1 && variables <= variables_max, "a surface has one to three variables");
  ensure(points.size() == samples.size() && !points.empty(), "each point has its samples");
  const std::size_t n = samples[0].size();
  matrix design(size_of(points.size()), size_of(coefficients(variables)));
  matrix figures(size_of(points.size()), size_of(n));
  for (std::size_t p = 0; p < points.size(); ++p) {
    design.row(size_of(p)) = terms_of(points[p], variables);
    for (std::size_t r = 0; r < n; ++r) {
      figures(size_of(p), size_of(r)) = samples[p][r];
    }
  }
  const Eigen::ColPivHouseholderQR<matrix> solver(design);
  if (solver.rank() < design.cols()) {
    return std::nullopt;
  }
  const matrix each = solver.solve(figures);  // the coefficients of every replication
  const double count = static_cast<double>(n);
  const vector mean = each.rowwise().sum() / count;
  const vector whole = least_in_box(quadratic(mean, variables));
  matrix pseudo(size_of(variables), size_of(n));
  for (index r = 0; r < size_of(n); ++r) {
    const vector rest = (mean * count - each.col(r)) / (count - 1);
    pseudo.col(r) = count * whole - (count - 1) * least_in_box(quadratic(rest, variables));
  }
  least_place found;
  found.inside = whole.cwiseAbs().maxCoeff() < 1;
  for (std::size_t i = 0; i < variables; ++i) {
    std::vector<double> values(n);
    for (std::size_t r = 0; r < n; ++r) {
      values[r] = pseudo(size_of(i), size_of(r));
    }
    found.at[i] = whole[size_of(i)];
    found.half_width[i] = mean_of(values).half_width();
  }
  return found;
}

}  // namespace dibs::study
