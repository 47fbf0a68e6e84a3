/// Which of several systems is best, with a stated probability of error: the fully sequential
/// procedure KN of Kim and Nelson ("A fully sequential procedure for indifference-zone selection in
/// simulation", ACM TOMACS 11, 2001), for systems that share their random numbers.
///
/// Samples of system i and l may depend on each other in one replication; replications are
/// independent. With probability at least 1 - alpha the system that is left is the best one, if the
/// best is better than all others by `delta`, and is otherwise worse than it by less than `delta`
/// (near enough; samples should be about normal). Looking at fewer stages than the procedure allows
/// only makes it surer. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace dibs::stats {

struct selection_options {
  double alpha = 0.05;  ///< probability of a wrong selection
  double delta = 0;     ///< the least difference that matters, above 0
};

class kim_nelson {
 public:
  /// `first[i]` holds the first samples of system i, which variances are estimated from; less is
  /// better. Requires: two systems or more, at least two samples of each, as many of all.
  kim_nelson(std::span<const std::vector<double>> first, const selection_options& how);

  /// By how much the sum of r differences may be above 0 before the system is out.
  [[nodiscard]] double allowance(std::size_t i, std::size_t l, std::size_t r) const;

  /// After this many replications none of these systems can be out because of another: the one with
  /// the best mean is selected.
  [[nodiscard]] std::size_t most_replications(std::span<const std::size_t> among) const;

  /// Whether system i is out because of system l, by their first r samples.
  [[nodiscard]] bool eliminates(std::size_t l,
                                std::size_t i,
                                std::span<const double> samples_of_l,
                                std::span<const double> samples_of_i) const;

 private:
  [[nodiscard]] double variance(std::size_t i, std::size_t l) const {
    return variances_[i * systems_ + l];
  }

  std::size_t systems_;
  double delta_;
  double h_squared_ = 0;
  std::vector<double> variances_;
  std::size_t first_;  ///< how many first samples there are
};

/// `2 eta (n0 - 1)` of the procedure, for k systems and n0 first samples.
[[nodiscard]] double h_squared(double alpha, std::size_t systems, std::size_t first);

}  // namespace dibs::stats
