/// The rides of a run, one after another: when each is asked for, from where, to where, and how
/// long the trip takes.
///
/// Lazy: a run of a day holds a minute of it in memory. Every ride is keyed by its source and its
/// number there, so neither another source nor a longer run changes it, and a greater scale only
/// adds rides. Rides come in order of (time, source, number). Nothing here knows of drivers.
#pragma once

#include "base/distribution.hpp"
#include "base/point.hpp"
#include "base/time.hpp"
#include "world/geography.hpp"
#include "world/od_matrix.hpp"
#include "world/places.hpp"
#include "world/trace.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace dibs::world {

/// Replays a day of real requests, which starts anew at midnight. Where several days are laid over
/// each other, each row stands for its share of their mean. Each row is repeated `scale`
/// times: a whole number of copies, and one more with the probability of the rest. Every copy,
/// also the first, is moved by a jitter uniform within +-`time_jitter`, and both its ends by one
/// uniform in a disc; rows just outside the run may thus move into it, and others out of it.
struct trace_demand {
  std::shared_ptr<const trace> rows;
  double scale = 1;
  sim_duration time_jitter{};
  double place_jitter_m = 0;

  /// How often a row is repeated; and how often at most.
  [[nodiscard]] double copies(const trace_row& row) const {
    return scale / rows->days_at(row.time_of_day);
  }
  [[nodiscard]] double copies() const {
    return scale / std::min(rows->days_at(0s), rows->days_at(24h - 1ns));
  }
};

struct poisson_demand {
  double rate_per_s = 0;
  sim_time from{};
  std::optional<sim_time> until{};  ///< the end of new rides if absent
};

/// A Poisson process whose rate is that of all pairs of the matrix together, at each time of day; a
/// ride is of one pair by weight. Both its ends are moved by a jitter uniform in a disc.
struct matrix_demand {
  std::shared_ptr<const od_matrix> rates;
  double scale = 1;
  double place_jitter_m = 0;
};

struct circle {
  place_in_degrees centre;
  double radius_m = 0;
};

/// Many rides at once. Around a circle they start within it, and their destinations are drawn like
/// any others.
struct burst_demand {
  sim_time at{};
  sim_duration within{};  ///< spread uniformly over this; 0: all at one instant
  std::uint32_t rides = 1;
  std::optional<circle> around{};       ///< anywhere that rides start if absent
  std::optional<sim_duration> every{};  ///< once if absent
};

using demand_source = std::variant<trace_demand, matrix_demand, poisson_demand, burst_demand>;

/// Poisson rides and bursts copy a random row of the first trace or matrix among the sources: its
/// ends, jittered, and its trip. Without one they start and end anywhere within the bounds.
///
/// How long a trip takes: as its row says; else drawn from `trip`; else the travel time from end
/// to end. A ride of a burst around a circle has no row's trip, since it does not start at the row.
struct demand_options {
  std::vector<demand_source> sources;
  sim_duration start{};                ///< the time of day at which the run begins
  sim_time until{};                    ///< no ride is asked for at this instant or later
  std::optional<distribution> trip{};  ///< needed without geography where no trace has trips
};

struct ride_plan {
  sim_time at{};
  point origin;
  point destination;
  sim_duration trip{};
  /// The same for the same ride whatever else is asked for: to key the rider's own draws by.
  std::uint64_t key = 0;
};

/// When a ride is asked for, and which of its source's rides it is.
struct arrival {
  sim_time at{};
  std::uint64_t order = 0;  ///< among the arrivals of one source at one instant
  std::uint64_t number = 0;
  std::uint64_t copy = 0;
  const trace_row* row = nullptr;  ///< that it replays, or the pair of a matrix
};

class arrivals;

class demand {
 public:
  demand(demand_options options, const geography& map, std::uint64_t seed);
  demand(demand&&) noexcept;
  demand& operator=(demand&&) noexcept;
  ~demand();

  /// The next ride; none after the last.
  [[nodiscard]] std::optional<ride_plan> next();

  /// Where the rides start, for those who wait there.
  [[nodiscard]] const world::places& places() const { return places_; }

 private:
  [[nodiscard]] ride_plan plan_of(std::size_t source, const arrival& ride) const;
  [[nodiscard]] sim_duration trip_of(std::size_t source,
                                     const arrival& ride,
                                     const trace_row* row,
                                     const ride_plan& plan) const;

  demand_options options_;
  std::uint64_t seed_;
  world::places places_;
  std::vector<std::unique_ptr<arrivals>> sources_;
  std::vector<std::optional<arrival>> heads_;  ///< the next ride of each source
};

/// How many rides a run may have: more are as good as impossible (six standard deviations).
[[nodiscard]] double rides_at_most(const demand_options& options);

}  // namespace dibs::world
