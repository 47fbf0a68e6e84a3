/// Chooses one point of a space, on one block of seeds.
///
///   screening    every point of the grid on the first seeds; what breaks promises or constraints
///                is out
///   selection    the procedure KN among the rest: see `study/selection.hpp`
///   refinement   a quadratic through the winner and what lies around it, on the logarithm of a
///                range that has one: see `study/surface.hpp`
///   edges        where a condition or a constraint cuts off what lies beside the winner, up to the
///                last value that it allows
///
/// What is chosen has to be judged on other seeds: on these it looks better than it is.
#pragma once

#include "base/result.hpp"
#include "study/quest.hpp"
#include "study/selection.hpp"
#include "study/surface.hpp"
#include "study/tuning.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dibs::study {

struct chosen {
  std::uint32_t point = 0;                     ///< 0: none can be chosen
  std::string why;                             ///< of none: what most of the grid lacks
  std::map<std::uint32_t, std::string> flaws;  ///< of the points that were left for them
  bool safe = true;                            ///< of none: whether promises were kept anywhere
  bool screened = true;         ///< of none: whether time sufficed for a first look at every point
  bool selected = false;        ///< the selection ended by itself
  std::size_t seeds = 0;        ///< of the selection
  std::optional<double> delta;  ///< of the selection, where it was no share of the best
  std::vector<std::optional<std::array<std::string, 2>>> interval;  ///< of each parameter
  std::string cut_off;  ///< what keeps the best from lying further on; empty if nothing does
  spent_runs spent;
};

class choosing {
 public:
  explicit choosing(const quest& q);

  /// Errors: the experiment's.
  [[nodiscard]] result<chosen> choose();

 private:
  using points = std::vector<std::uint32_t>;
  /// Where a search for the least goes on, in shares of each ranged parameter.
  struct bracket {
    double low = 0;
    double middle = 0.5;
    double high = 1;
  };

  /// Where a fit put the least value, and half the bracket that it was made over; in shares.
  struct placed {
    double at = 0;
    double half = 1;
  };

  [[nodiscard]] result<void> screen();
  [[nodiscard]] result<void> select();
  [[nodiscard]] result<bool> run_more(std::size_t most);
  void drop_flawed();
  void drop_beaten(const selection& by);
  [[nodiscard]] result<void> refine();
  [[nodiscard]] result<std::optional<least_place>> refine_in(const std::vector<bracket>& brackets);
  [[nodiscard]] points design_in(const std::vector<bracket>& brackets, std::vector<place>& places);
  [[nodiscard]] result<void> take(std::uint32_t point, double errors);
  [[nodiscard]] result<void> search_edges();
  [[nodiscard]] std::size_t seeds_to_refine() const;
  [[nodiscard]] double misfit_of(std::size_t i, double at, double half) const;
  void note_interval(const least_place& least, const std::vector<bracket>& brackets);
  [[nodiscard]] std::vector<bracket> first_brackets() const;
  [[nodiscard]] std::string clearly_worse(std::size_t parameter, std::ptrdiff_t step) const;
  [[nodiscard]] bool costs_clearly_more(std::uint32_t point) const;
  [[nodiscard]] std::vector<bracket> narrowed(const std::vector<bracket>& brackets,
                                              const least_place& fitted) const;

  [[nodiscard]] double indifference();
  [[nodiscard]] std::vector<double> costs(std::uint32_t point) const;
  [[nodiscard]] double mean_cost(std::uint32_t point) const;
  [[nodiscard]] std::uint32_t least_of(const points& some) const;
  [[nodiscard]] double share_in(std::uint32_t point, std::size_t parameter) const;

  quest quest_;
  chosen out_;
  points alive_;
  std::size_t n_ = 0;                ///< seeds so far
  std::vector<std::size_t> ranged_;  ///< parameters with a range
  std::vector<placed> fitted_;       ///< by the last fit, of these
};

}  // namespace dibs::study
