/// Does a protocol survive an incident? Its harms with the incident's cause against its harms
/// without, on the same seeds.
///
/// A protocol *breaks* where a harm that no trip should see (two drivers for a ride, two rides for
/// a driver, a broken promise, a stale confirm taken) or one that the incident names is worse with
/// the cause than without, whether or not the protocol promised better. It *degrades* where only
/// service suffers: riders wait longer, find no driver, or supply is hidden. It is *undecided*
/// where something looks a tenth worse and the runs are too few to tell it from chance. Else it
/// *survives*; or it is *untouched*, where every run is the same with the cause as without.
#pragma once

#include "metrics/metrics.hpp"
#include "stats/estimate.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::incidents {

enum class incident_outcome : std::uint8_t { untouched, survives, undecided, degrades, breaks };
[[nodiscard]] std::string_view name_of(incident_outcome v);

enum class change_status : std::uint8_t { no_worse, unclear, worse };
[[nodiscard]] std::string_view name_of(change_status s);

/// What one metric is with the cause and without.
struct paired_change {
  std::string metric;
  double with_cause = 0;  ///< mean over the runs, in the metric's own unit
  double without = 0;
  /// With_cause - without, Student's t over the pairs; without an interval where there is one pair.
  stats::estimate change{};
  change_status status = change_status::no_worse;
};

struct assessment {
  incident_outcome outcome = incident_outcome::survives;
  std::vector<paired_change> worse;  ///< those that decided, the harms in the order of the list
  std::vector<paired_change> all;  ///< each metric that was looked at: the harms, then the service
};

/// The metrics of one run, by name; nothing for one that has no value.
using run_figures = std::function<std::optional<double>(std::string_view)>;

/// All metrics that are looked at where an incident names these harms.
[[nodiscard]] std::vector<std::string> metrics_looked_at(std::span<const std::string> harms);

/// Replication k of one is paired with replication k of the other. `harms` are what the incident
/// names besides those that count always. Requires: as many of the one as of the other.
///
/// A metric is worse if its paired difference is worse than 0 at 95 % (Student's t over the pairs),
/// or if it is 0 in every run without the cause and in no way 0 with it; a service metric must also
/// be worse by a tenth. What is a tenth worse, but not told from 0, is unclear, and decides where
/// nothing is worse.
[[nodiscard]] assessment judge(std::span<const run_figures> with_cause,
                               std::span<const run_figures> without,
                               std::span<const std::string> harms);
[[nodiscard]] assessment judge(std::span<const metrics::report> with_cause,
                               std::span<const metrics::report> without,
                               std::span<const std::string> harms);

}  // namespace dibs::incidents
