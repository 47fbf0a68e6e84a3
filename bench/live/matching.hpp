/// Live matching: how many rides a second so many matchers match, and where it stops.
///
/// The same actors as `dibs run`, live, over perfect links: drivers answer at once and accept,
/// trips take no time, so that nothing is waited for but the protocol and the machine. Metrics and
/// checkers watch. Times and rates are of the real clock, whatever the speed; a speed shortens what
/// the protocol waits for (a lease of 15 s lasts 0.15 s at 100).
///
/// A closed loop keeps so many rides in flight: it finds out how much can be matched. An open loop
/// has rides appear at a rate, whatever becomes of them: time to match counts from the instant at
/// which a ride should have appeared, not from when the machine got to it, and those who are never
/// matched count for as long as they have waited (coordinated omission avoided).
///
/// In both the matchers have so many rides at once and no more, and the others wait outside, while
/// their time counts. Without that bound an open loop above the limit soon has more rides than
/// drivers, and those that find nobody, and look again each millisecond, take the processor from
/// those that hold a driver.
#pragma once

#include "base/result.hpp"
#include "bench/live/repeats.hpp"
#include "commands/requests.hpp"
#include "scenario/scenario.hpp"
#include "stats/histogram.hpp"

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace dibs::bench {

/// What a user asks for, once for so many matchers.
struct matching_options : commands::matching_bench {
  std::uint32_t matchers = 1;
  std::uint64_t seed = 1;
  const std::atomic<bool>* stop = nullptr;
};

/// One measurement.
struct matching_sample {
  double seconds = 0;
  std::uint64_t matches = 0;
  std::uint64_t lease_operations = 0;  ///< requests, granted or denied, confirms and releases
  /// Requests for a lease that were denied, or refused writes where there are no leases.
  std::uint64_t conflicts = 0;
  std::uint64_t attempts = 0;        ///< of which those are conflicts
  stats::histogram to_match;         ///< in true time
  stats::histogram in_matcher;       ///< in true time
  std::uint64_t unmatched = 0;       ///< rides that still waited at the end
  std::uint64_t double_commits = 0;  ///< pairs of trips that one driver was on at the same time
  std::uint64_t double_rides = 0;    ///< rides that had two drivers at the same time
  std::uint64_t violations = 0;      ///< of what the protocol promises
  std::uint64_t facts = 0;
  double timer_late_p99_s = 0;  ///< how late timers were
  bool ran_out_of_rides = false;
  bool interrupted = false;
};

/// Several, one after the other.
struct matching_result {
  std::uint32_t matchers = 0;
  std::vector<matching_sample> samples;

  /// How a figure is spread over the samples.
  template <class Figure>
  [[nodiscard]] repeats_summary of(const Figure& figure) const {
    std::vector<double> values;
    for (const matching_sample& s : samples) {
      values.push_back(static_cast<double>(figure(s)));
    }
    return spread_of(values);
  }
  /// The sum over the samples.
  template <class Figure>
  [[nodiscard]] std::uint64_t sum(const Figure& figure) const {
    std::uint64_t all = 0;
    for (const matching_sample& s : samples) {
      all += figure(s);
    }
    return all;
  }
  /// All values of the samples together.
  [[nodiscard]] stats::histogram pooled(stats::histogram matching_sample::*times) const {
    stats::histogram all;
    for (const matching_sample& s : samples) {
      all.merge(s.*times);
    }
    return all;
  }
};

/// In seconds. None if not even one value should lie beyond it: p99 of fewer than 100, p99.9 of
/// fewer than 1,000.
[[nodiscard]] std::optional<double> quantile_of(const stats::histogram& times, double q);

/// The world that is measured.
[[nodiscard]] scenario::scenario matching_scenario(const matching_options& o);

/// Errors: memory that runs out.
[[nodiscard]] result<matching_sample> measure_matching(const matching_options& o);

}  // namespace dibs::bench
