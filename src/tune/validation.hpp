/// Judges what was chosen on fresh seeds, against the grid or, with several parameters, against the
/// profile of each: the others at their best, this one at every value of its range.
///
/// Runs the seeds in doubling looks, until it is clear whether the ends are worse, whether anything
/// is better, and the wanted precision is there; or until the budget is spent. Each look is judged
/// at 99 %, so that looking several times does not mislead.
#pragma once

#include "base/result.hpp"
#include "stats/sample_mean.hpp"
#include "sweep/experiment.hpp"
#include "tune/objective.hpp"
#include "tune/pareto_front.hpp"
#include "tune/search.hpp"
#include "tune/tuning_result.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dibs::tune {

class validation {
 public:
  explicit validation(const search_context& q);

  /// Everything of `tuning`. Errors: the experiment's.
  [[nodiscard]] result<tuning> on(const search_result& c);

  /// The same rows, judged against the same choice, on the demand of another scenario: all on the
  /// first `seeds` seeds. `best` are the chosen values. Errors: the experiment's.
  [[nodiscard]] result<tuning> on_holdout(const tuning& found, std::size_t seeds);

 private:
  struct validated_row {
    std::uint32_t point = 0;  ///< 0: no valid scenario
    std::vector<double> costs;
    stats::sample_mean worse{};  ///< than the best, in the objective's unit
    bool compared = false;
  };

  void add_row(const sweep::parameter_values& c, bool searched);
  void add_rows(const sweep::parameter_values& best);
  [[nodiscard]] result<bool> run_rows(const std::vector<std::size_t>& some, std::size_t n);
  [[nodiscard]] result<void> look();
  void show_search();
  void mark_better();
  void measure_rows();
  void compare_rows();
  void judge_range_ends();
  [[nodiscard]] std::vector<std::size_t> open_rows() const;
  [[nodiscard]] bool is_in_reach(const row& r) const;
  [[nodiscard]] bool may_be_better(const validated_row& c) const;
  void drop_intervals_without(const search_result& c);
  void clip_intervals();
  [[nodiscard]] std::string last_allowed(std::size_t parameter, const std::string& end);
  void note_missing_intervals(const search_result& c);
  void note_better();
  void note_unmatched();
  void note_lone_fit(const search_result& c);
  /// Whether conditions forbid the choice with one of these values of its i-th parameter.
  [[nodiscard]] bool is_excluded(sweep::parameter_values at,
                                 std::size_t i,
                                 const std::array<std::string, 2>& ends);
  [[nodiscard]] bool wants_precision() const;
  [[nodiscard]] bool constraints_open() const;
  [[nodiscard]] bool meets_constraints(std::uint32_t point) const;
  void conclude(const search_result& c);
  [[nodiscard]] result<void> try_larger_deltas(const search_result& c);
  [[nodiscard]] std::string open_question(const search_result& c) const;
  [[nodiscard]] std::vector<std::size_t> rows_with_harms() const;
  /// On the seeds that all of these were run on, the ones that none of the others beats.
  [[nodiscard]] std::vector<std::size_t> front_among(const std::vector<std::size_t>& some) const;
  [[nodiscard]] std::size_t seeds_of_all(const std::vector<std::size_t>& some) const;
  [[nodiscard]] std::vector<harm_samples> harms_of(const std::vector<std::size_t>& some) const;
  [[nodiscard]] result<void> level_front();
  void find_front();
  [[nodiscard]] result<void> find_set();
  void list_as_good();
  /// Whether all that was tried of this field, the others at their best, is shown to be as good.
  [[nodiscard]] bool makes_no_difference(std::size_t parameter) const;
  void note_without_effect();
  void note_unsure();
  [[nodiscard]] result<std::string> end_of_set(std::ptrdiff_t step, bool& cut_short);
  /// The last row of those beside the best that are all as good.
  [[nodiscard]] std::size_t last_within(std::ptrdiff_t step) const;
  /// The share of the first row that is not; beyond all shares if there is none.
  [[nodiscard]] double first_without(std::ptrdiff_t step) const;
  [[nodiscard]] double end_by_parabola(std::ptrdiff_t step) const;
  [[nodiscard]] result<std::optional<bool>> is_within(const std::string& value, double tail);
  void find_neighbours();
  void check_bounds();
  void note_broken();
  [[nodiscard]] double delta() const;
  [[nodiscard]] std::optional<stats::estimate> figure_of(const sweep::metric_formula& f,
                                                         std::uint32_t point) const;
  /// Of a formula that is one metric: its interval ends where the metric cannot be.
  [[nodiscard]] std::optional<stats::estimate> metric_of(const sweep::metric_formula& f,
                                                         std::uint32_t point) const;

  search_context context_;
  tuning out_;
  std::vector<std::string> dropped_;  ///< of each parameter: why its interval is none
  std::string cut_off_;  ///< why the best of what is allowed may lie where nothing was searched
  std::vector<validated_row> candidates_;
  sweep::seed_block judged_on_ = sweep::seed_block::fresh;
  bool set_cut_short_ = false;  ///< the budget did not allow to look for what is as good
};

}  // namespace dibs::tune
