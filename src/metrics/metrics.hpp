/// Measures one run from its events: the two harms, service, and every driver's seconds.
///
/// Sees true time, which no node can. Shares no code with the lease machine or the checkers.
/// Definitions: `README.md` beside this file; each name is in `metrics/catalogue.hpp`. Intervals
/// are half-open and clipped to the window [measured_from, measured_until); a lease that is open at
/// the end of the window is censored: left out of ratios of counts, kept in time integrals. Rides
/// are counted if requested in the window, and followed to the end of the run.
#pragma once

#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/observer.hpp"
#include "metrics/harm_kind.hpp"
#include "stats/histogram.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dibs::metrics {

/// What harms cost, in any one currency.
struct prices {
  double missed_accept = 0;
  double double_assignment = 0;
  double hidden_driver_s = 0;
  double starved_rider_s = 0;
};

struct options {
  sim_time measured_from{};
  sim_time measured_until{};
  sim_duration series_step{5s};  ///< no series if 0
  /// Great-circle search radius, which decides who is eligible; no geography if absent.
  std::optional<double> search_radius_m{};
  sim_duration grace{};           ///< how long past expiry the lease manager still takes a confirm
  sim_duration reply_timeout{};   ///< how long a matcher waits for a reply, by its own clock
  std::uint32_t drivers = 0;      ///< to size tables; more may appear
  std::optional<prices> costs{};  ///< without them there is no `costs.per_ride`
  std::optional<ride_id> only{};  ///< of the harms worth a look those of this ride alone
};

/// One step of `series.csv`: the state just before `t`, the end of the step.
struct series_row {
  sim_time t{};
  std::uint32_t online = 0;
  std::uint32_t available = 0;
  std::uint32_t leased = 0;
  std::uint32_t on_trip = 0;
  std::uint32_t waiting = 0;    ///< riders without a live offer or a driver
  std::uint64_t requested = 0;  ///< rides, since the start
  std::uint64_t committed = 0;
  std::uint64_t double_offers = 0;  ///< pairs, since the start
  std::uint64_t double_commits = 0;
};

/// The place of a try among all of its run, in the order in which they came to be known.
using try_index = std::uint32_t;

/// A harm worth a look: the ride, when, and what happened to it.
struct harm_case {
  harm_kind kind{};
  double severity = 0;
  sim_time t{};
  std::uint32_t ride = 0;  ///< as people see it: counted from 1
  std::string sentence;    ///< goes after "ride 4711: "
  /// That made it, of two that overlapped the one that began first in front. None where a ride
  /// starved.
  std::vector<try_index> tries{};
};

/// All figures of a run. Sums and histograms merge; ratios are formed from sums at the end.
struct report {
  /// Numerators, denominators and counts by name: additive over replications.
  std::map<std::string, double, std::less<>> sums;
  /// `ttm`, `pickup`, `leases.hold`: in nanoseconds.
  std::map<std::string, stats::histogram, std::less<>> histograms;
  std::vector<series_row> series;
  std::vector<harm_case> notables;  ///< the most instructive first; at most 16

  /// The value of a catalogue name (`ttm.p95` too); nothing if undefined (0/0) or unknown.
  [[nodiscard]] std::optional<double> value(std::string_view name) const;
  /// Every catalogue entry that has a value, families at mean, p50, p90, p95 and p99.
  [[nodiscard]] std::vector<std::pair<std::string, double>> values() const;
};

/// The report of both sets of replications together. Series belong to one run and are left out.
[[nodiscard]] report merge(const report& a, const report& b);

class collector final : public events::observer {
 public:
  explicit collector(const options& what);
  ~collector() override;

  void observe(std::span<const events::event> batch) override;

  /// Closes all open intervals at `end` (not before the last event) and reports.
  [[nodiscard]] report finish(sim_time end);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// The report of a history that was kept: the same figures, to the last digit, as in the run.
[[nodiscard]] report recompute(std::span<const events::event> history,
                               const options& what,
                               sim_time end);

}  // namespace dibs::metrics
