/// Collects harms worth a look: the worst few of each kind, the most instructive kinds first.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "metrics/metrics.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace dibs::metrics {

class findings {
 public:
  static constexpr std::size_t of_one_kind_max = 3;
  static constexpr std::size_t told_max = 16;

  /// With a ride, everybody else's harms are left out.
  explicit findings(std::optional<ride_id> only = {}) : only_(only) {}

  /// `other` is the ride that it met. `size` ranks harms of one kind; `words()` puts the sentence
  /// together, if it is wanted at all: a bad run has a million harms.
  template <class Words>
  void add(harm kind,
           sim_duration size,
           sim_time t,
           ride_id r,
           Words words,
           ride_id other = ride_id::none()) {
    const bool matters = !only_ || r == *only_ || other == *only_;
    if (matters && place_of(kind, size) < of_one_kind_max) {
      insert(kind, size, t, r, words());
    }
  }

  [[nodiscard]] std::vector<notable> take();

 private:
  struct finding {
    sim_duration size{};
    notable what;
  };

  [[nodiscard]] std::size_t place_of(harm kind, sim_duration size) const;
  void insert(harm kind, sim_duration size, sim_time t, ride_id r, std::string sentence);

  std::array<std::vector<finding>, harms> kinds_;
  std::optional<ride_id> only_;
};

/// "0.18 s", "2.3 ms", "4 min 5 s": as exact as a person cares for.
[[nodiscard]] std::string told(sim_duration d);
/// Counted from 1.
[[nodiscard]] std::string told(driver_id d);
[[nodiscard]] std::string told(matcher_id m);
/// Of the first lease manager or ledger the kind alone: `the lease manager`.
[[nodiscard]] std::string told(node_id n);

/// By how much it is bad, as harms of its kind are ranked: how long a ride starved, say. To a few
/// microseconds.
[[nodiscard]] sim_duration size_of(const notable& n);

/// The most severe first; at most `findings::told_max`.
void rank(std::vector<notable>& all);

}  // namespace dibs::metrics
