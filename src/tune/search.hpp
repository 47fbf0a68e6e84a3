/// Chooses one point of a space, on one block of seeds.
///
///   screening    every point of the grid on the first seeds; what breaks promises or constraints
///                is out
///   selection    the procedure KN among the rest: see `stats/kim_nelson.hpp`
///   refinement   a curve through the winner and what lies around it: see `tune/refinement.hpp`
///   edges        where a condition or a constraint cuts off what lies beside the winner, up to the
///                last value that it allows
///
/// What is chosen has to be judged on other seeds: on these it looks better than it is.
#pragma once

#include "base/result.hpp"
#include "stats/kim_nelson.hpp"
#include "tune/search_context.hpp"
#include "tune/tuning_result.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dibs::tune {

struct search_result {
  std::uint32_t point = 0;                     ///< 0: none can be chosen
  std::string why;                             ///< of none: what most of the grid lacks
  std::map<std::uint32_t, std::string> flaws;  ///< of the points that were left for them
  bool safe = true;                            ///< of none: whether promises were kept anywhere
  bool screened = true;         ///< of none: whether time sufficed for a first look at every point
  bool selected = false;        ///< the selection ended by itself
  std::size_t seeds = 0;        ///< of the selection
  std::optional<double> delta;  ///< of the selection, where it was no share of the best
  std::vector<std::optional<std::array<std::string, 2>>> interval;  ///< of each parameter
  sweep::parameter_values of_grid;   ///< the best of the grid's values
  int fits = 0;                      ///< of the refinement
  bool misfits = false;              ///< what was tried near the best lies on no smooth curve
  bool cut_short = false;            ///< the budget was spent before both of its fits
  bool hindered = false;             ///< what was tried near the best cannot all be chosen
  bool unrefined = false;            ///< the budget was spent before anything could be fitted
  std::vector<std::string> valleys;  ///< what the grid leaves open elsewhere, as sentences
  std::string cut_off;  ///< what keeps the best from lying further on; empty if nothing does
  runs_by_phase spent;
};

class value_search {
 public:
  explicit value_search(const search_context& q);

  /// Errors: the experiment's.
  [[nodiscard]] result<search_result> choose();

 private:
  using points = std::vector<std::uint32_t>;

  [[nodiscard]] result<void> screen();
  [[nodiscard]] result<void> select();
  [[nodiscard]] result<bool> run_more(std::size_t most);
  void drop_flawed();
  void drop_beaten(const stats::kim_nelson& by);
  [[nodiscard]] result<void> refine();
  [[nodiscard]] result<void> search_range_ends();
  [[nodiscard]] std::size_t seeds_to_refine() const;
  [[nodiscard]] std::size_t seeds_at_edge(std::uint64_t reserve) const;

  [[nodiscard]] double indifference();
  [[nodiscard]] std::vector<double> costs(std::uint32_t point) const;
  [[nodiscard]] int promises_of(std::uint32_t point) const;
  [[nodiscard]] double mean_cost(std::uint32_t point) const;
  [[nodiscard]] std::uint32_t least_of(const points& some) const;

  search_context context_;
  search_result out_;
  points alive_;
  std::size_t n_ = 0;                ///< seeds so far
  std::vector<std::size_t> ranged_;  ///< parameters with a range
};

}  // namespace dibs::tune
