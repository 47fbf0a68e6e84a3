/// What a sweep says in a few sentences: which points are best in both harms and in what riders
/// get, or are not told from the best.
#pragma once

#include "sweep/journal.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::report {

class sweep_verdict {
 public:
  /// The next point, with its runs.
  void add(const sweep::kept_point& p, std::span<const results::run_record> runs);

  /// Points are compared on common seeds, each with the best of its figure; those whose 95 %
  /// interval of the difference covers 0 are not told from it. Empty where there are fewer than
  /// two points. Points are named by the fields that do not follow from others.
  [[nodiscard]] std::string text();

 private:
  /// The two harms, how many riders were matched, and what the harms cost where there are prices.
  static constexpr std::array<std::string_view, 5> metrics{"double.commits",
                                                           "double.rides",
                                                           "supply.hidden_share",
                                                           "rides.match_rate",
                                                           "costs.per_ride"};
  static constexpr std::size_t doubled_rides = 1;
  static constexpr std::size_t costs = 4;

  struct point {
    std::vector<scenario::override_value> fields{};
    std::string label{};
    /// By seed, so that points with different numbers of runs are paired as well.
    std::map<std::uint64_t, std::array<results::metric_sample, metrics.size()>> runs{};
  };
  /// The best of a metric, and which points are not told from it (with itself).
  struct best_of {
    std::string value;  ///< empty where no point has one
    std::size_t best = 0;
    std::vector<bool> as_good{};
  };
  void name_points();
  [[nodiscard]] best_of best_in(std::size_t metric) const;
  /// Where the two harms are least and most riders are matched.
  [[nodiscard]] std::string ends_of(std::span<const best_of> best) const;
  /// Whether any run has a ride with two drivers.
  /// At which any run has some of it.
  [[nodiscard]] std::vector<bool> points_with(std::size_t metric) const;
  [[nodiscard]] bool has_doubled_rides() const;
  [[nodiscard]] std::string said(const best_of& b, std::string_view per = "") const;
  [[nodiscard]] std::vector<std::string> labels_of(const std::vector<bool>& which) const;
  [[nodiscard]] bool is_worse(std::size_t metric, const point& p, const point& than) const;

  std::vector<point> points_;
};

}  // namespace dibs::report
