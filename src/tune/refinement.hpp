/// Refines the winner of a grid: fits a curve through values around it and takes its least value.
///
/// The curve is fitted in the logarithms of the parameters that have a range. For one parameter it
/// is a cubic (`stats/cubic_fit.hpp`), for several a quadratic (`stats/quadratic_fit.hpp`).
///
/// A first fit reaches out to values that are clearly worse; a second one is narrower. How far the
/// least value moved between them shows how wrong the curve may still be. The least value is taken
/// unless it is shown to be worse than the best so far, and is given with its interval. If a value
/// that was run for the fit is shown to be better, that value is taken instead.
#pragma once

#include "base/result.hpp"
#include "stats/quadratic_fit.hpp"
#include "tune/search_context.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dibs::tune {

struct refined {
  std::uint32_t point = 0;
  std::vector<std::optional<std::array<std::string, 2>>> interval;  ///< of each parameter
  int fits = 0;
  bool misfits = false;   ///< the last one, or one after the first, so badly that no interval holds
  bool hindered = false;  ///< some value that was tried cannot be chosen, or is not shown to be
  bool cut_short = false;  ///< the budget was spent before both looks
};

class refinement {
 public:
  /// Each value that is tried runs on so many seeds of the first block.
  refinement(const search_context& q, std::uint32_t from, std::size_t seeds);

  /// Errors: the experiment's.
  [[nodiscard]] result<refined> run();

 private:
  using points = std::vector<std::uint32_t>;
  /// Where a search for the least goes on, in shares of each ranged parameter.
  struct bracket {
    double low = 0;
    double middle = 0.5;
    double high = 1;

    [[nodiscard]] double half() const { return (high - low) / 2; }
  };
  /// Where a fit put the least value, and half the bracket that it was made over; in shares.
  struct placed {
    double at = 0;
    double half = 1;
  };
  /// Values with what they cost, and where in the brackets they lie.
  struct design {
    points what;
    std::vector<stats::place> where;
    std::vector<std::vector<double>> costs;
  };

  [[nodiscard]] std::vector<bracket> first_brackets() const;
  void hold_fast(std::vector<bracket>& brackets);
  [[nodiscard]] std::string clearly_worse(std::size_t parameter, std::ptrdiff_t step) const;
  [[nodiscard]] bool costs_clearly_more(std::uint32_t point) const;
  [[nodiscard]] std::vector<bracket> narrowed(const std::vector<bracket>& brackets,
                                              const stats::located_minimum& fitted) const;
  [[nodiscard]] points points_in(const std::vector<bracket>& brackets, std::size_t steps);
  [[nodiscard]] result<points> run_design(const std::vector<bracket>& brackets);
  void add_tried(points& some, const std::vector<bracket>& brackets) const;
  [[nodiscard]] design usable_of(const points& some, const std::vector<bracket>& brackets) const;
  [[nodiscard]] std::optional<stats::located_minimum> fit(const design& d) const;
  [[nodiscard]] result<std::optional<stats::located_minimum>> refine_in(
      const std::vector<bracket>& brackets);
  [[nodiscard]] bool all_meet_constraints(const points& some) const;
  [[nodiscard]] result<void> take(std::uint32_t point, double errors);
  [[nodiscard]] result<void> take_any(const points& some, double errors);
  [[nodiscard]] double misfit_of(std::size_t i, double at, double half, int order) const;
  void note_interval(const stats::located_minimum& least, const std::vector<bracket>& brackets);
  [[nodiscard]] std::optional<std::uint32_t> point_in(const std::vector<bracket>& brackets,
                                                      const stats::place& z);
  [[nodiscard]] stats::place place_in(const std::vector<bracket>& brackets,
                                      std::uint32_t point) const;
  [[nodiscard]] double share_in(std::uint32_t point, std::size_t parameter) const;

  search_context context_;
  std::size_t seeds_ = 0;
  std::vector<std::size_t> ranged_;  ///< parameters with a range, less those that are held fast
  std::vector<placed> fitted_;       ///< by the last fit, of these
  points tried_;
  refined found_;
};

}  // namespace dibs::tune
