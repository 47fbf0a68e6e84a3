/// Tries candidates, and keeps the smallest that still does the harm.
///
/// A candidate is tried with the seed of the best so far, and then with fresh ones: what is left
/// out renumbers rides and messages, and the same race may need other draws. The fresh ones may
/// take about as many events as one run of the best, so a much smaller candidate is tried with
/// many. One that takes many more rides or events than the best so far is no smaller, however short
/// its text is.
#pragma once

#include "scenario/tree.hpp"
#include "shrink/sighting.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>

namespace dibs::shrink {

/// How much is gained by a candidate, and so how many fresh seeds it is worth.
enum class gain : std::uint8_t { usual, large };

class trials {
 public:
  using listener = std::function<void(const scenario::node& best, std::uint64_t runs)>;

  /// Requires: `seen` shows the harm of `begin`.
  trials(scenario::node begin,
         sighting seen,
         const oracle& shows,
         std::uint64_t runs_max,
         listener on_smaller);

  /// Whether it still does the harm; it is the best then. A candidate that was tried before with
  /// the same seed is not tried again.
  bool take(scenario::node candidate, gain hoped = gain::usual);

  /// With how many of the seeds 1 to `most` the best does the harm.
  [[nodiscard]] std::uint64_t harmful_of(std::uint64_t most);

  /// Looks for a seed among 1 to `most` with which the best does the harm.
  void settle_seed(std::uint64_t most);

  [[nodiscard]] const scenario::node& best() const { return best_; }
  [[nodiscard]] const sighting& seen() const { return seen_; }
  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  /// Whether it was stopped, or has no runs left.
  [[nodiscard]] bool is_over() const { return is_over_; }
  [[nodiscard]] bool was_stopped() const { return was_stopped_; }

 private:
  bool run_fresh(const scenario::node& candidate, gain hoped);
  [[nodiscard]] std::optional<sighting> look(const scenario::node& candidate, std::uint64_t seed);
  bool run(const scenario::node& candidate, std::uint64_t seed);

  scenario::node best_;
  sighting seen_;
  const oracle* shows_;
  std::uint64_t runs_max_;
  listener on_smaller_;
  std::uint64_t runs_ = 0;
  std::uint64_t last_events_ = 0;  ///< of the last run; 0: there was none
  bool is_over_ = false;
  bool was_stopped_ = false;
  std::set<std::string> tried_;  ///< in vain, each with its seed
};

}  // namespace dibs::shrink
