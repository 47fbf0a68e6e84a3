/// What a search for the best value of one to three fields came to, as data.
///
/// Objectives are as people read them; whether more or less is better is said beside. Everything in
/// `rows` was measured on fresh seeds, none of which had a part in the choice, unless `unjudged`.
#pragma once

#include "metrics/catalogue.hpp"
#include "stats/estimate.hpp"
#include "stats/sample_mean.hpp"
#include "sweep/experiment.hpp"
#include "sweep/search_space.hpp"
#include "sweep/watched_metrics.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dibs::tune {

struct tuning_options {
  double alpha = 0.05;                ///< probability that the selection errs
  double delta = 0.01;                ///< the least difference that matters, as a share of the best
  std::uint32_t first = 20;           ///< seeds of the first look at each point
  std::optional<double> precision{};  ///< wanted half width of the objective, as a share of it
  std::uint64_t runs = 3000;          ///< of the budget
};

enum class tuning_status : std::uint8_t {
  found,     ///< one value is best, and neither a wider search nor more runs would say otherwise
  boundary,  ///< nothing shows that the best does not lie beyond an end of the search
  flat,      ///< no value differs from the best by more than delta
  inconclusive,  ///< the budget was spent first
  infeasible,    ///< no value meets the constraints
  unsafe,        ///< a promise of the protocol was broken at every value, or at the best one
};

enum class row_status : std::uint8_t {
  best,
  better,    ///< elsewhere than where the best was chosen: shown to be better than that
  within,    ///< shown not to be worse than the best by more than delta
  open,      ///< neither shown to be within delta nor beyond
  worse,     ///< shown to be worse than the best by more than delta
  unusable,  ///< unsafe, or outside the constraints, or without a value
};

struct row {
  sweep::parameter_values values;
  std::vector<scenario::override_value> following{};  ///< what follows from them, unasked
  std::size_t seeds = 0;
  row_status status = row_status::open;
  std::string why;  ///< of an unusable one
  std::optional<stats::estimate> objective;
  /// How much worse than the best, as a share of the best's value; see `tuning::in_unit`.
  std::optional<stats::estimate> regret;
  std::vector<std::optional<stats::estimate>> shown;  ///< figures, as `tuning::shown`
  std::array<std::optional<stats::estimate>, sweep::forbidden_metrics.size()>
      forbidden;  ///< counts of a run
  std::string protocol;
  bool promises_apart = false;  ///< its protocol promises that nobody is assigned twice (S4)
  std::optional<stats::estimate> missed_per_ride;
  std::optional<stats::estimate> hidden_per_ride;  ///< in seconds
  bool on_front = false;  ///< no other value has both fewer missed accepts and less hidden supply
  bool is_today = false;
  bool searched = true;  ///< not only there because it is today's

  /// Of a metric that is shown, by its number.
  [[nodiscard]] std::optional<stats::estimate> figure(std::size_t number) const {
    return number < shown.size() ? shown[number] : std::nullopt;
  }
};

/// Where one row is the best trade-off of missed accepts against hidden supply: if a missed accept
/// weighs as much as `from` to `to` seconds of a hidden driver.
struct trade_off_point {
  std::size_t row = 0;
  double from = 0;
  stats::interval from_within;  ///< its 95 % interval
  std::optional<double> to;     ///< nothing: however much more
  stats::estimate missed_per_ride;
  stats::estimate hidden_per_ride;  ///< in seconds
};

struct constraint_check {
  std::string text;
  text::unit unit{};
  stats::estimate room;         ///< 0 or more where it is met
  double at_least = 0;          ///< the room's one-sided 95 % bound
  bool only_refutable = false;  ///< asks for none of what none was seen of: no run can show that
};

struct threshold_check {
  std::string metric;
  std::string bound;
  text::unit unit{};
  stats::estimate found;
  bool met = false;
};

/// Two neighbouring values on common seeds.
struct neighbours {
  std::size_t a = 0;  ///< rows
  std::size_t b = 0;
  double ratio = 0;      ///< of the values; 0 where they have none
  double reduction = 0;  ///< how many times less their difference varies than on separate seeds
};

struct runs_by_phase {
  std::uint64_t pilots = 0;  ///< for the warm-up
  std::uint64_t screening = 0;
  std::uint64_t selection = 0;
  std::uint64_t refinement = 0;
  std::uint64_t validation = 0;

  [[nodiscard]] std::uint64_t all() const {
    return pilots + screening + selection + refinement + validation;
  }
};

/// What became of the parameter at one of its ends.
struct range_end {
  std::size_t parameter = 0;
  bool upper = false;
  std::string value;
  bool worse = false;   ///< shown to be worse than the best
  bool within = false;  ///< shown to be as good, but for delta
};

/// What cannot be chosen, and why.
struct rejected_point {
  sweep::parameter_values values;
  std::string why;
};

struct tuning {
  tuning_status answer = tuning_status::inconclusive;
  std::string why;          ///< of an answer that is none, as a sentence
  bool is_cut_off = false;  ///< the best is the best of what conditions and constraints allow
  std::string objective;
  text::unit unit{};
  bool wants_more = false;
  std::vector<std::string> paths;
  std::vector<std::string> shown;  ///< metrics
  sweep::parameter_values best;
  /// Ends of the 95 % interval of the best value of each parameter; empty for lists and where the
  /// search could not tell.
  std::vector<std::optional<std::array<std::string, 2>>> interval;
  /// For one parameter: from where to where no value is worse than the best by more than delta,
  /// with 95 % confidence, if regret rises to both sides of one optimum.
  std::optional<std::array<std::string, 2>> set;
  /// For several parameters, or a list: the values tried that are shown to be as good.
  std::vector<sweep::parameter_values> near_optimal;
  std::string set_why;  ///< why there is neither, where there could be
  /// The best is about 0: no share of it matters, and regrets are in the objective's unit.
  bool in_unit = false;
  std::vector<std::string> notes;  ///< what else a reader has to know, as sentences
  std::vector<row> rows;           ///< by value
  /// The budget left no fresh seeds: rows are on those of the search, where the best looks better
  /// than it is, and confirm nothing.
  bool unjudged = false;
  /// Where nothing can be chosen: what was tried, in the order of the grid.
  std::vector<rejected_point> ruled_out;
  std::size_t best_row = 0;
  std::vector<range_end> range_ends;
  std::vector<trade_off_point> exchanges;
  std::size_t exchange_seeds = 0;  ///< fresh ones, the same for all of them
  std::vector<constraint_check> constraints;
  std::vector<threshold_check> thresholds;
  bool allows_doubles = false;  ///< as asked for: what is forbidden is only shown
  std::vector<neighbours> common_seeds;
  bool selected = false;            ///< the selection ended by itself
  sweep::parameter_values of_grid;  ///< what the selection chose, before anything was refined
  std::uint32_t screened = 0;
  std::size_t left_out = 0;  ///< of these, by the selection's end: they could not be chosen
  std::size_t selection_seeds = 0;
  /// The least difference that mattered to the selection, where it was no share of the best.
  std::optional<double> selection_delta;
  double delta = 0;  ///< as asked for, a share
  /// The share that the answer speaks of: `delta`, or more where the budget could not tell so
  /// little.
  double told_delta = 0;
  double alpha = 0;
  runs_by_phase spent;
  std::optional<sweep::broken_promise> broken;  ///< the first of all
  sweep::parameter_values broken_at;
};

}  // namespace dibs::tune
