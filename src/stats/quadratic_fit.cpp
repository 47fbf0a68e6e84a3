#include "stats/quadratic_fit.hpp"

#include "base/ensure.hpp"
#include "stats/sample_mean.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

namespace dibs::stats {
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

/// Along one variable, the others following to where they are least: in each replication the slope
/// at the least place of all, and by how much it grows from there. How the others follow is taken
/// from all replications; the slope towards them is 0 there, so what is wrong with that is small.
struct profile {
  std::vector<double> slopes;
  std::vector<double> bends;
};

profile profile_of(const quadratic& whole, const vector& least, index along, const matrix& each) {
  vector way = vector::Unit(least.size(), along);
  std::vector<index> others;
  for (index i = 0; i < least.size(); ++i) {
    if (i != along && std::abs(least[i]) < 1) {
      others.push_back(i);
    }
  }
  if (!others.empty()) {
    const Eigen::LLT<matrix> root(matrix(whole.bend(others, others)));
    const vector follow = root.solve(vector(whole.bend(others, along)));
    way(others) = -follow;
  }
  profile p;
  for (index r = 0; r < each.cols(); ++r) {
    const quadratic one(each.col(r), static_cast<std::size_t>(least.size()));
    p.slopes.push_back(way.dot(one.slope + one.bend * least));
    p.bends.push_back(way.dot(one.bend * way));
  }
  return p;
}

struct interval_around {
  double low = 0;
  double high = 0;
  double bend = 0;  ///< in its standard errors
};

/// Of the w at which slope + w bend is 0.
interval_around interval_of(const profile& p) {
  const sample_mean bend = mean_of(p.bends);
  const interval quotient = fieller_interval(p.slopes, p.bends);
  return {-quotient.high,
          -quotient.low,
          bend.error > 0 ? bend.mean / bend.error
                         : std::copysign(std::numeric_limits<double>::infinity(), bend.mean)};
}

}  // namespace

std::optional<located_minimum> minimise_quadratic(std::span<const place> points,
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
  const vector mean = each.rowwise().sum() / static_cast<double>(n);
  const quadratic whole(mean, variables);
  const vector least = least_in_box(whole);
  located_minimum found;
  found.inside = least.cwiseAbs().maxCoeff() < 1;
  for (std::size_t i = 0; i < variables; ++i) {
    const auto [low, high, bend] = interval_of(profile_of(whole, least, size_of(i), each));
    found.at[i] = least[size_of(i)];
    found.low[i] = found.at[i] + low;
    found.high[i] = found.at[i] + high;
    found.bend[i] = bend;
  }
  return found;
}

}  // namespace dibs::stats
