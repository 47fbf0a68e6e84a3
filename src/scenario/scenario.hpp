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
#include "lease/protocol.hpp"
#include "lease/renewal.hpp"
#include "sim/clocks.hpp"
#include "sim/faults.hpp"
#include "sim/network.hpp"
#include "sim/node_pattern.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace dibs::world {
struct trace;
}

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

struct trace_columns {
  std::string time = "time";
  std::string lat = "lat";
  std::string lon = "lon";
  std::string to_lat = "to_lat";
  std::string to_lon = "to_lon";
  std::string trip = "trip";

  [[nodiscard]] bool operator==(const trace_columns&) const = default;
};

/// Replays real requests, a day that wraps around at midnight.
struct trace_demand {
  std::filesystem::path file{};  ///< as written, relative to the scenario's folder
  trace_columns columns{};
  double scale = 1;  ///< below 1 thins, above 1 superposes with jitter
  sim_duration time_jitter{};
  double place_jitter_m = 0;
};

/// The rows of a trace, and what decides which they are.
struct rows_read {
  struct question {
    std::filesystem::path file;  ///< with its folder
    trace_columns columns;
    scenario::geography geography = scenario::geography::map;
    bounds_options bounds;

    [[nodiscard]] bool operator==(const question&) const = default;
  };

  question from;
  std::shared_ptr<const world::trace> rows;
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

using demand_source = std::variant<trace_demand, poisson_demand, burst_demand>;

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

struct rider_options {
  sometimes patience;            ///< leaves unmatched; `share: 0%` waits for ever
  sometimes cancel_after_match;  ///< counted from the promise
  race_options cancel_at_accept{};
  sim_duration no_show_after{3min};  ///< past the promised pick-up
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

// -- matchers ------------------------------------------------------------------------------------

enum class pick : std::uint8_t { nearest, random };
enum class view : std::uint8_t {
  facts,  ///< who is available, `view_lag` ago
  blind,  ///< everyone is taken for available
};

struct policy_options {
  pick kind = pick::nearest;
  std::uint32_t candidates = 8;  ///< how many of the nearest are considered
  double radius_m = 3000;        ///< of search, great-circle
};

/// Which matcher a rider asks, each time the same.
enum class assignment : std::uint8_t { in_turn, random };

struct offer_options {
  std::uint32_t max = 6;         ///< tries a ride
  std::uint32_t broadcast = 1;   ///< drivers who are tried at the same time for a ride
  sim_duration total_wait{90s};  ///< a ride is given up so long after its request
  std::optional<sim_duration>
      cooldown_after_decline;  ///< the same driver for the same ride; never again if absent
  distribution next_try_after = constant_duration{};  ///< the wait before each further try
};

/// What counts as a try towards `offers.max`.
enum class try_unit : std::uint8_t { offer, acquire };

/// Rides as leased work: who claims one keeps it by heartbeats.
struct claim_options {
  sim_duration ttl{10s};
  double heartbeat = 0.3;     ///< share of the TTL between two heartbeats
  bool at_completion = true;  ///< the claim is renewed before an assignment is written
};

struct matcher_options {
  std::uint32_t count = 1;
  scenario::assignment assignment = assignment::in_turn;
  policy_options policy;
  scenario::view view = scenario::view::facts;
  sim_duration view_lag{};
  offer_options offers;
  try_unit tries = try_unit::offer;
  std::optional<sim_duration> look_again =
      sim_duration{1s};            ///< when nobody is near; gives up at once if absent
  sim_duration reply_timeout{5s};  ///< waiting for an answer: to a call, or after an offer
  bool queue = false;  ///< a ride for which nobody is there waits for the next driver to be free
  std::optional<sim_duration> batch;  ///< rides are tried together, so often
  std::optional<claim_options> claims;
  sim_duration overhead{};  ///< of each try, before a driver is looked for
};

// -- lease ---------------------------------------------------------------------------------------

enum class commit_at : std::uint8_t { ledger, manager };
enum class judge : std::uint8_t { manager, holder, both };
enum class fence : std::uint8_t { grant, first_write };
enum class deadline : std::uint8_t { duration, absolute };
enum class cleanup : std::uint8_t { timer, periodic, lazy, none };
enum class confirmer : std::uint8_t { matcher, driver };

/// Whose clock a periodic sweep reads.
enum class sweep_clock : std::uint8_t { manager, sweeper };

struct cleanup_options {
  cleanup kind = cleanup::timer;
  sim_duration every{1s};  ///< of the periodic sweep
  sweep_clock by = sweep_clock::manager;
  std::optional<std::uint32_t> most;  ///< leases that one sweep ends; all if absent
};

/// What follows the pause after a renewal that nobody answered.
enum class after_silence : std::uint8_t { again, interval };
enum class on_loss : std::uint8_t { withdraw, carry_on };

struct renewal_options {
  lease::renewal kind = lease::renewal::none;
  std::optional<double> at;  ///< share of the TTL that has passed; as the kind has it if absent
  sim_duration stagger{};    ///< each renewal comes up to so much earlier
  sim_duration timeout{1s};  ///< how long the holder waits for an answer
  sim_duration retry{1s};    ///< the pause after a renewal without an answer
  after_silence then = after_silence::again;
  bool numbered = false;  ///< a conditional update on the count of renewals
  scenario::on_loss on_loss = scenario::on_loss::withdraw;
  bool own_thread = false;  ///< goes on while the matcher is paused
};

/// What a lease manager that comes back knows of the leases that it had granted.
enum class after_restart : std::uint8_t { kept, extended, checkpoint, forgotten };

struct restart_options {
  after_restart leases = after_restart::kept;
  bool keeps_tokens = true;     ///< the counter survives
  sim_duration checkpoint{5s};  ///< how often the time left of each lease is put on record
};

/// A second lease manager that follows the first, and leads when it no longer hears of it.
struct standby_options {
  sim_duration after{5s};        ///< without word from the leader
  sim_duration heartbeat{1s};    ///< of the leader
  bool old_leader_acts = false;  ///< a leader that was replaced still ends leases in the new table
};

struct zone_options {
  std::uint32_t grid = 4;  ///< the map, or the fleet without a map, is cut into grid x grid zones
  sim_duration ttl{60s};
  double renew_at = 0.5;       ///< share of the TTL that has passed
  bool renews_unused = false;  ///< also a zone that nobody asked for
  events::zone_mode mode = events::zone_mode::write;
  std::uint32_t readers = 0;  ///< so many matchers, the last ones, take read leases under `write`

  [[nodiscard]] bool reads(matcher_id m, std::uint32_t matchers) const {
    return mode == events::zone_mode::read || m.value + readers >= matchers;
  }
  /// Who looks, and hands on whom it finds somebody for.
  [[nodiscard]] bool only_looks(matcher_id m, std::uint32_t matchers) const {
    return mode == events::zone_mode::write && reads(m, matchers);
  }
};

struct lease_options {
  std::string profile = "none";  ///< whose defaults the other fields were filled with
  lease::protocol protocol = lease::protocol::fenced;
  sim_duration ttl{15s};                     ///< `forever` is allowed
  std::optional<sim_duration> offer_window;  ///< what the driver is shown; the TTL if absent
  sim_duration grace{};  ///< how long past expiry the manager still takes a confirm
  commit_at commit = commit_at::ledger;
  scenario::judge judge = scenario::judge::manager;
  sim_duration margin{};           ///< how long before expiry the holder stops trusting its lease
  sim_duration confirm_hold{30s};  ///< a confirmed lease without a write is freed after this
  scenario::fence fence = scenario::fence::grant;
  scenario::deadline deadline = scenario::deadline::duration;
  cleanup_options cleanup;
  renewal_options renewal;
  sim_duration jitter{};      ///< each lease is up to so much longer
  sim_duration ttl_step{};    ///< TTLs are rounded up to whole steps; 0: they are not
  sim_duration ttl_min{};     ///< a shorter TTL becomes this one
  sim_duration lock_delay{};  ///< not granted again so long after an expiry
  /// How long before it takes effect a command's transaction began, by whose clock it judges.
  distribution transaction = constant_duration{};
  bool release_frees = true;              ///< else a lease that was given back runs to its end
  bool releases_refused = false;          ///< a matcher also gives back what it was refused
  std::optional<sim_duration> handshake;  ///< with the phone, before the offer
  bool fences_every_write = true;         ///< ends and cancellations of trips too
  restart_options restart;
  std::optional<standby_options> standby;
  std::optional<zone_options> zones;
  confirmer confirm_by = confirmer::matcher;
  std::optional<lease::identity> known_by;  ///< as the protocol has it if absent, here and below
  std::optional<bool> checks_expiry;

  /// The TTL as the lease manager grants it.
  [[nodiscard]] sim_duration granted_ttl() const {
    if (ttl == forever) {
      return ttl;
    }
    const sim_duration wanted = std::max(ttl, ttl_min);
    const sim_duration over = ttl_step > sim_duration::zero() ? wanted % ttl_step : ttl_step;
    return over == sim_duration::zero() ? wanted : wanted + (ttl_step - over);
  }

  /// Whether the lease manager ends a lease that has run out when it is asked about it.
  [[nodiscard]] bool ends_on_sight() const {
    return cleanup.kind == scenario::cleanup::timer || cleanup.kind == scenario::cleanup::lazy;
  }

  /// What the protocol does, with the exceptions that the other fields make.
  [[nodiscard]] lease::rules rules() const {
    const auto* begun = std::get_if<constant_duration>(&transaction);
    return lease::variant_of(
        protocol,
        {.known_by = known_by,
         .checks_expiry = checks_expiry,
         .frozen_clock = begun == nullptr || begun->value != sim_duration::zero(),
         .foreign_sweeper =
             cleanup.kind == scenario::cleanup::periodic && cleanup.by == sweep_clock::sweeper,
         .forgets_leases = restart.leases == after_restart::forgotten,
         .forgets_tokens = !restart.keeps_tokens,
         .splits = standby.has_value(),
         .records_trips = commit == commit_at::manager,
         .fences_every_write = fences_every_write});
  }
};

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
  incident_options incident;
  output_options output;

  std::filesystem::path folder;  ///< of the file, for relative paths; not a field
  /// Of its traces, by whoever checked it; not a field. To be looked up by `rows_of`, which
  /// compares what they were read from.
  std::vector<rows_read> rows;

  [[nodiscard]] sim_time measured_from() const { return at(clock.warmup); }
  [[nodiscard]] sim_time measured_until() const { return at(clock.warmup + clock.duration); }
  [[nodiscard]] sim_time ends() const { return at(clock.warmup + clock.duration + clock.drain); }
};

}  // namespace dibs::scenario
