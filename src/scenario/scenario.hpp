/// A scenario, read and validated: everything that a run depends on, apart from the seed override.
///
/// Plain data. `scenario/fields.cpp` declares each field once; reading, validation, the JSON
/// schema, the reference page, `--set` and the effective dump all walk that table. Times count from
/// the start of the run, warm-up included. Nodes count from 0 here and from 1 in the file.
#pragma once

#include "base/distribution.hpp"
#include "base/ids.hpp"
#include "base/time.hpp"
#include "events/facts.hpp"
#include "lease/options.hpp"
#include "match/options.hpp"
#include "sim/clocks.hpp"
#include "sim/faults.hpp"
#include "sim/network.hpp"
#include "sim/node_pattern.hpp"
#include "world/matrix_format.hpp"
#include "world/pickup_effect.hpp"
#include "world/trace_columns.hpp"
#include "world/zones.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace dibs::world {
struct od_matrix;
struct trace;
}  // namespace dibs::world

namespace dibs::scenario {

// -- clock ---------------------------------------------------------------------------------------

struct clock_options {
  sim_duration start{};       ///< where in the demand trace the run begins
  sim_duration warmup{};      ///< simulated, not measured
  sim_duration duration{1h};  ///< measured
  sim_duration drain{5min};   ///< no new riders; open leases and trips end
};

// -- world ---------------------------------------------------------------------------------------

enum class geography : std::uint8_t {
  map,   ///< places in degrees within `bounds`
  none,  ///< every driver equally near; pick-ups take no time
};

struct lat_lon {
  double lat = 0;
  double lon = 0;
};

struct bounds_options {
  double south = 40.60;
  double west = -74.05;
  double north = 40.90;
  double east = -73.75;

  [[nodiscard]] bool operator==(const bounds_options&) const = default;
};

struct travel_options {
  double detour = 1.35;  ///< road length over great-circle length
  double speed_m_per_s = 18.0 / 3.6;
};

struct world_options {
  scenario::geography geography = scenario::geography::map;
  bounds_options bounds;
  travel_options travel;
  /// How long a ride takes from pick-up to drop-off, where the demand does not say.
  std::optional<distribution> trip;
};

// -- demand --------------------------------------------------------------------------------------

using trace_columns = world::trace_columns;

/// Replays real requests, a day that wraps around at midnight.
struct trace_demand {
  std::filesystem::path file{};  ///< as written, relative to the scenario's folder
  trace_columns columns{};
  std::optional<std::string> day{};  ///< `2015-01-15` or `day 2`; the mean of all days if absent
  double lost_max = 0.2;             ///< the share of rows that may lack what is needed
  sim_duration shift{};              ///< added to each time
  std::optional<world::zone_file> zones{};
  double scale = 1;  ///< below 1 thins, above 1 superposes with jitter
  sim_duration time_jitter{};
  double place_jitter_m = 0;
};

using world::matrix_columns, world::matrix_form, world::matrix_format;

/// A Poisson process at the rates that a file of pairs of places has, a day that wraps around at
/// midnight.
struct matrix_demand {
  std::filesystem::path file{};  ///< as written, relative to the scenario's folder
  matrix_format format{};
  double lost_max = 0.2;  ///< the share of rows that may lack what is needed
  std::optional<world::zone_file> zones{};
  double scale = 1;
  double place_jitter_m = 0;
};

/// The rows of a trace or the rates of a matrix, and what decides which they are.
struct rows_read {
  struct question {
    std::filesystem::path file;  ///< with its folder
    trace_columns columns;
    std::string day;  ///< all if empty
    double lost_max = 0;
    sim_duration shift{};
    std::optional<world::zone_file> zones;
    std::optional<matrix_format> format;  ///< of a matrix
    scenario::geography geography = scenario::geography::map;
    bounds_options bounds;

    [[nodiscard]] bool operator==(const question&) const = default;
  };

  question from;
  std::shared_ptr<const world::trace> rows;        ///< null of a matrix
  std::shared_ptr<const world::od_matrix> matrix;  ///< null of a trace
};

/// Places and trips are drawn from the trace where the scenario has one, else uniformly.
struct poisson_demand {
  double rate_per_s = 0;
  sim_duration from{};
  std::optional<sim_duration> until;  ///< the end of the measured time if absent
};

struct circle {
  lat_lon centre;
  double radius_m = 0;
};

struct burst_demand {
  sim_duration at{};
  sim_duration within{};  ///< spread uniformly over this; 0: all at one instant
  std::uint32_t rides = 1;
  std::optional<circle> around;       ///< anywhere if absent
  std::optional<sim_duration> every;  ///< repeats until the end of the measured time
};

using demand_source = std::variant<trace_demand, matrix_demand, poisson_demand, burst_demand>;

// -- riders --------------------------------------------------------------------------------------

/// A share of the riders, and after how long; the others never.
struct sometimes {
  double share = 0;
  distribution after = never_duration{};
};

/// A share of the accepts that a cancel races, and how long after the accept; before it if
/// negative.
struct race_options {
  double share = 0;
  signed_distribution after{};
};

/// The rider's word on a driver who has accepted.
struct rider_confirm_options {
  double share = 1;  ///< of riders who give it; the others leave when the time is over
  distribution after = constant_duration{};
  sim_duration within{1min};
};

struct rider_options {
  sometimes patience;            ///< leaves unmatched; `share: 0%` waits for ever
  sometimes cancel_after_match;  ///< counted from the promise
  race_options cancel_at_accept{};
  std::optional<rider_confirm_options> confirm;  ///< the driver's accept is enough if absent
  sim_duration no_show_after{3min};              ///< past the promised pick-up
  std::optional<sim_duration> ask_again =
      sim_duration{20s};  ///< asks again while unmatched, every so long
};

// -- drivers -------------------------------------------------------------------------------------

enum class placement : std::uint8_t { demand, uniform };
enum class phone : std::uint8_t { all, latest, first };
enum class late_answer : std::uint8_t { dropped, sent };
enum class failing_offer : std::uint8_t { as_drawn, declined_at_once };

struct driver_class {
  std::string name;
  double share = 1;
  distribution response;
  double accept = 1;  ///< per offer
  double ignore = 0;  ///< per offer; the rest declines
  world::pickup_effect by_pickup{};
};

/// A driver who loses her connection with an offer on her screen.
struct drop_out_options {
  double share = 0;                       ///< of offers
  distribution after = never_duration{};  ///< counted from the offer on her screen
  distribution back_after = constant_duration{1min};
};

struct driver_options {
  std::uint32_t count = 0;
  scenario::placement placement = scenario::placement::demand;
  scenario::phone phone = scenario::phone::all;
  scenario::late_answer late_answer = scenario::late_answer::dropped;
  failing_offer failing_offers = failing_offer::as_drawn;
  drop_out_options drop_out;
  std::optional<distribution> shifts;  ///< always online if absent; a leaver is replaced
  std::vector<driver_class> classes;
};

// -- matchers and leases (their types are the ones that `match` and `lease` decide with) ---------

using match::assignment, match::matcher_options, match::offer_options, match::pick,
    match::policy_options, match::try_unit, match::view;

using lease::after_restart, lease::store_options, lease::after_silence, lease::claim_options,
    lease::cleanup, lease::cleanup_options, lease::commit_at, lease::confirmer, lease::deadline,
    lease::fence, lease::judge, lease::lease_options, lease::on_loss, lease::renewal_options,
    lease::expiry_clock, lease::restart_options, lease::standby_options, lease::sweep_check,
    lease::sweep_clock, lease::zone_options;

// -- network, clocks, faults (their types are the ones that `sim` decides with) ------------------

using sim::clock_error;
using sim::clock_step;
using sim::clock_strobe;
using sim::crash_fault;
using sim::delay_fault;
using sim::drop_fault;
using sim::duplicate_fault;
using sim::fault;
using sim::link_options;
using sim::node_group;
using sim::node_pattern;
using sim::partition_fault;
using sim::pause_fault;
using sim::reorder_options;
using sim::retry_options;
using sim::slow_fault;
using sim::throw_fault;

// -- bounds and output ---------------------------------------------------------------------------

enum class comparison : std::uint8_t { less, at_most, equal, at_least, greater };

/// `ttm.p95: "<= 45s"`: value in the metric's base unit (seconds, shares as fractions, counts).
struct bound {
  std::string metric;
  comparison is{};
  double value = 0;
  std::string text;  ///< as written: `<= 45s`
};

/// What harms cost, in any one currency.
struct cost_options {
  double missed_accept = 0;         ///< an accept that became no trip
  double double_assignment = 0;     ///< a driver on two trips, or a ride with two drivers
  double hidden_driver_hour = 0;    ///< an hour under leases that came to nothing
  double starved_rider_minute = 0;  ///< a minute of waiting blocked by hidden drivers

  [[nodiscard]] bool any() const {
    return missed_accept > 0 || double_assignment > 0 || hidden_driver_hour > 0 ||
           starved_rider_minute > 0;
  }
};

struct output_options {
  sim_duration series{5s};  ///< the step of `series.csv`
  bool events = false;      ///< keep `events.jsonl`
};

/// What a scenario under `scenarios/incidents/` reproduces, for the survival table.
struct incident_options {
  std::string cause;                 ///< in a sentence; empty for a scenario that is no incident
  std::string source;                ///< where it was told
  std::vector<std::string> without;  ///< `path=value`: takes the cause away
  std::vector<std::string> harms;    ///< metrics that must not be worse than without the cause
};

struct scenario {
  std::string name;
  std::string question;
  std::uint64_t seed = 1;
  clock_options clock;
  world_options world;
  std::vector<demand_source> demand;
  rider_options riders;
  driver_options drivers;
  matcher_options matchers;
  lease_options lease;
  std::vector<link_options> network;
  std::vector<clock_error> clocks;
  std::vector<fault> faults;
  std::vector<bound> thresholds;
  std::vector<bound> expect;
  cost_options costs;
  incident_options incident;
  output_options output;

  std::filesystem::path folder;  ///< of the file, for relative paths; not a field
  /// Of its traces and matrices, by whoever checked it; not a field. To be looked up by `rows_of`
  /// and `matrix_of`, which compare what they were read from.
  std::vector<rows_read> rows;

  [[nodiscard]] sim_time measured_from() const { return at(clock.warmup); }
  [[nodiscard]] sim_time measured_until() const { return at(clock.warmup + clock.duration); }
  [[nodiscard]] sim_time ends() const { return at(clock.warmup + clock.duration + clock.drain); }
};

}  // namespace dibs::scenario
