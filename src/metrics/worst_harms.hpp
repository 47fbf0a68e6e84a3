/// Collects harms worth a look: the worst few of each kind, the most instructive kinds first.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "metrics/metrics.hpp"

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace dibs::metrics {

class worst_harms {
 public:
  static constexpr std::size_t of_one_kind_max = 3;
  static constexpr std::size_t told_max = 16;

  /// With a ride, everybody else's harms are left out.
  explicit worst_harms(std::optional<ride_id> only = {}) : only_(only) {}

  /// `other` is the ride that it met, `tries` are those that made it. `size` ranks harms of one
  /// kind; `words()` puts the sentence together, if it is wanted at all: a bad run has a million
  /// harms.
  template <class Words>
  void add(harm_kind kind,
           sim_duration size,
           sim_time t,
           ride_id r,
           std::initializer_list<try_index> tries,
           Words words,
           ride_id other = ride_id::none()) {
    const bool matters = !only_ || r == *only_ || other == *only_;
    if (matters && place_of(kind, size) < of_one_kind_max) {
      insert(kind, size, t, r, words(), tries);
    }
  }

  [[nodiscard]] std::vector<harm_case> take();

 private:
  struct ranked_harm {
    sim_duration size{};
    harm_case what;
  };

  [[nodiscard]] std::size_t place_of(harm_kind kind, sim_duration size) const;
  void insert(harm_kind kind,
              sim_duration size,
              sim_time t,
              ride_id r,
              std::string sentence,
              std::initializer_list<try_index> tries);

  std::array<std::vector<ranked_harm>, harms> kinds_;
  std::optional<ride_id> only_;
};

/// "0.18 s", "2.3 ms", "4 min 5 s": as exact as a person cares for.
[[nodiscard]] std::string describe(sim_duration d);
/// Counted from 1.
[[nodiscard]] std::string describe(driver_id d);
[[nodiscard]] std::string describe(matcher_id m);
/// Of the first lease manager or ledger the kind alone: `the lease manager`.
[[nodiscard]] std::string describe(node_id n);

/// By how much it is bad, as harms of its kind are ranked: how long a ride starved, say. To a few
/// microseconds.
[[nodiscard]] sim_duration size_of(const harm_case& n);

/// The most severe first; at most `worst_harms::told_max`.
void rank(std::vector<harm_case>& all);

}  // namespace dibs::metrics
