/// What a user can ask for, as plain data: one struct for each command.
#pragma once

#include "base/time.hpp"
#include "economics/calculator.hpp"
#include "engine/run.hpp"
#include "lease/protocol.hpp"
#include "processes/meeting_place.hpp"
#include "report/figure_choice.hpp"
#include "scenario/read.hpp"
#include "service/http_server.hpp"
#include "store/address.hpp"
#include "store/variants.hpp"
#include "sweep/plan.hpp"
#include "sweep/search_space.hpp"
#include "tune/objective.hpp"
#include "tune/tuning_result.hpp"
#include "work/open.hpp"
#include "work/work_loop.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace dibs::commands {

enum class format : std::uint8_t { text, json };

struct run_request {
  report::figure_choice shown{};
  std::string file;
  std::vector<scenario::override_value> overrides;
  std::optional<std::uint64_t> seed;
  std::uint32_t runs = 1;
  std::uint32_t jobs = 1;
  std::optional<std::string> out;
  bool keep = true;  ///< a run directory
  commands::format format = commands::format::text;
  bool events = false;
  bool quiet = false;
  bool watch = false;  ///< a live view while it runs
  bool force = false;
  engine::delivery delivery = engine::delivery::direct;
  bool live = false;                    ///< on the real clock; here and below
  double speed = 100;                   ///< true time passes so many times as fast
  std::uint32_t threads = 1;            ///< of CAF's scheduler
  double wall_max_s = 600;              ///< a run that takes longer is refused
  std::optional<store::address> store;  ///< where leases are kept; here and below: if not as the
                                        ///< scenario says
  std::optional<std::uint32_t> connections;  ///< to it
  bool unsafe_store = false;
  std::uint32_t nodes = 0;  ///< processes that join; 0: it is no run of several; below: then
  processes::meeting_place meeting;  ///< where it listens
  std::vector<std::string> place;    ///< `matchers=1,2`
  double join_max_s = 60;            ///< for all to join
  double rejoin_s = 10;              ///< who is away for longer is taken for crashed
};

/// A process that joins a run.
struct node_request {
  processes::meeting_place host;
  double wait_s = 60;         ///< for the host to be there
  std::uint32_t threads = 1;  ///< of CAF's scheduler
  bool quiet = false;
};

/// How a study is shared with other processes and machines.
struct sharing {
  std::optional<work::journal_place> journal;  ///< with nobody if absent
  double lease_s = work::lease_standard_s;     ///< a run may be taken by another after this
  bool only_decides = false;                   ///< leaves all runs to workers
};

struct sweep_request {
  report::figure_choice shown{};
  std::string file;                ///< a scenario, or a sweep file
  std::vector<std::string> parts;  ///< directories to merge, in place of a file, if there are any
  std::optional<sweep::shard> shard;  ///< runs only these, and makes no tables
  std::vector<scenario::override_value> overrides;
  sweep::grid_spec design;
  std::optional<std::uint32_t> seeds;
  std::optional<std::uint64_t> seed;
  std::uint32_t jobs = 1;
  std::optional<std::string> out;
  bool resume = false;
  bool yes = false;
  std::optional<sweep::wanted_precision> precision;
  commands::format format = commands::format::text;
  bool warmup = false;  ///< found by pilot runs, instead of the scenario's
  commands::sharing sharing;
  bool quiet = false;
  bool force = false;
};

struct worker_request {
  work::journal_place journal;
  std::uint32_t jobs = 1;
  double lease_s = work::lease_standard_s;
  std::uint32_t batch = 0;  ///< runs taken at once; 0: what keeps all jobs at work
  double idle_s = 60;       ///< ends after so long without work
  bool quiet = false;
};

/// In which the answer of a study is printed.
enum class study_format : std::uint8_t { text, csv, json };

/// Each side is a scenario, a run directory, or a sweep's with or without `:POINT`.
struct compare_request {
  std::string a;
  std::string b;  ///< as `a` if empty
  std::vector<scenario::override_value> overrides;
  std::vector<scenario::override_value> overrides_of_a;
  std::vector<scenario::override_value> overrides_of_b;
  std::optional<std::uint32_t> seeds;
  std::optional<std::uint64_t> seed;
  std::uint32_t jobs = 1;
  study_format format = study_format::text;
  bool warmup = false;  ///< found by pilot runs, instead of the scenario's
  std::optional<double> precision;
  std::string precise;  ///< the metric that is wanted to this precision
  report::figure_choice shown;
  bool yes = false;  ///< more runs for it than anybody would expect
  bool quiet = false;
  bool force = false;
};

struct tune_request {
  sweep::space_request space;  ///< the scenario, and what is searched over
  tune::objective_request goal;
  tune::tuning_options how;
  std::optional<double> seconds;  ///< of the budget, if it is in time
  std::optional<std::string> holdout;
  bool warmup = false;  ///< found by pilot runs, instead of the scenario's
  std::uint32_t jobs = 1;
  commands::sharing sharing;
  study_format format = study_format::text;
  report::figure_choice shown{};
  bool quiet = false;
  bool force = false;
};

struct region_request {
  sweep::space_request space;  ///< without what is searched over
  std::string x;               ///< `lease.ttl`, or with its values
  std::string y;
  std::vector<std::string> require;
  double quantile = 0.95;  ///< of what is drawn, in the bound
  std::uint32_t jobs = 1;
  commands::sharing sharing;
  study_format format = study_format::text;
  report::figure_choice shown{};
  bool quiet = false;
  bool force = false;
};

struct replay_request {
  std::string directory;
  std::uint32_t jobs = 1;
  bool quiet = false;
};

/// `what` and `number`: `breach 1`, `ride 17`, `driver 4`, `lease 4711`.
struct explain_request {
  std::string directory;
  std::string what{};                 ///< empty: what says most
  std::string number{};               ///< empty: 1
  std::optional<std::uint64_t> seed;  ///< of one of several replications; the first if absent
  std::optional<sim_duration> from;
  std::optional<sim_duration> until;
  bool all = false;                ///< every step
  bool quick = false;              ///< tries no remedy
  bool html = false;               ///< a page of the story with its swim-lanes
  std::optional<std::string> out;  ///< where the page goes; `-`: standard output
  bool quiet = false;
};

enum class report_format : std::uint8_t { html, trace, md, csv, json, svg };

struct report_request {
  report::figure_choice shown{};
  std::vector<std::string> sources;   ///< directories of runs or sweeps, or a survival table
  std::optional<std::uint64_t> seed;  ///< as for `explain_request`
  report_format format = report_format::html;
  std::optional<std::string> out;  ///< `-`: standard output
  std::uint32_t jobs = 1;          ///< replications at a time, where runs are compared
  bool quiet = false;
};

struct validate_request {
  std::vector<std::string> files;
  std::vector<scenario::override_value> overrides;
};

struct schema_request {};
enum class reference_format : std::uint8_t { md, man };

struct reference_request {
  reference_format format = reference_format::md;
};

struct init_request {
  std::string file = "scenario.yaml";  ///< `-`: to stdout
  std::string requests;                ///< a file of them to replay; a scenario of its own if empty
  std::string zones;  ///< a file with the middles of the zones that they name; or empty
};

struct list_request {
  commands::format format = commands::format::text;
};

enum class formats_format : std::uint8_t { md, json };

/// What files and columns there are.
struct formats_request {
  formats_format format = formats_format::md;
};

struct metrics_request {
  std::string name;  ///< a metric, or what names begin with (`accepts`); empty: all
  commands::format format = commands::format::text;
};

enum class calculation : std::uint8_t { compat, corrected, both };

struct economics_request {
  economics::parameters parameters;
  calculation mode = calculation::both;
  commands::format format = commands::format::text;
};

enum class table_format : std::uint8_t { text, md, csv, json };

struct survive_request {
  std::vector<std::string> incidents;  ///< names, numbers or files; all that ship if empty
  std::uint32_t runs = 10;
  std::uint32_t jobs = 1;
  std::optional<std::string>
      pages;  ///< a directory to make, for the table and the runs of each cell
  commands::sharing sharing;
  table_format format = table_format::text;
  report::figure_choice shown{};
  bool quiet = false;
};

/// A scenario under the cause of each incident.
struct check_request {
  std::string file;
  std::vector<std::string> causes;  ///< incidents, as `survive_request` has them
  std::vector<scenario::override_value> overrides;
  std::vector<lease::protocol> protocols;  ///< a column for each; its own if empty
  std::optional<std::uint64_t> seed;
  std::uint32_t runs = 4;
  std::uint32_t jobs = 1;
  std::optional<std::string> html;  ///< a directory to make, for a page and the stories
  commands::format format = commands::format::text;
  bool all = false;
  bool quiet = false;
};

enum class benchmark : std::uint8_t { engine, lease, matching };

/// What `dibs bench matching` measures, and of `lease` the threads and seconds.
struct matching_bench {
  std::uint32_t drivers = 10'000;
  lease::protocol protocol = lease::protocol::fenced;
  double zipf = 0;               ///< exponent of the drivers' popularity; 0: all alike
  std::uint32_t candidates = 8;  ///< drivers that a matcher looks at for one try
  bool blind = false;            ///< matchers take everyone for available
  std::uint32_t threads = 1;     ///< of the scheduler
  double seconds = 1;            ///< measured, after a fifth of it to warm up
  double speed = 10;
  std::uint32_t in_flight = 256;  ///< of the closed loop
  std::uint32_t at_once = 256;    ///< rides that matchers have, of either loop; the others wait
  double rate = 0;                ///< rides a second of the open loop; 0: closed
};

struct bench_request {
  benchmark what = benchmark::engine;
  std::vector<std::uint32_t> drivers;  ///< each size is measured
  std::optional<double> hours{};       ///< of virtual time; by the size if absent
  std::uint32_t repeats = 5;
  std::vector<std::uint32_t> matchers;  ///< each number is measured, here and below
  matching_bench matching;
  std::vector<store::address> stores;  ///< of `lease`: these in place of the machine and its actor
  std::uint32_t connections = 8;       ///< to each store
  commands::format format = commands::format::text;
  bool quiet = false;
};

inline constexpr std::uint32_t control_runs_standard = 2000;

struct hunt_request {
  std::string file;
  std::vector<scenario::override_value> overrides;
  std::optional<lease::protocol> protocol;  ///< as the scenario has it if absent
  std::optional<std::uint64_t> seed;
  std::optional<std::uint32_t> only;  ///< that run alone
  std::uint32_t runs = 1000;
  double chance = 0.5;  ///< of each fault in each run
  /// Of each negative control, with and without, at most; `runs`, and no more than
  /// `control_runs_standard`, where nothing is said.
  std::optional<std::uint32_t> control_runs{};
  bool blind = false;           ///< nothing is learnt from the runs before
  bool until_broken = false;    ///< ends soon after a run broke a promise
  bool as_found = false;        ///< nothing is made small
  double shrink_seconds = 120;  ///< for that, at most
  std::uint32_t jobs = 1;
  commands::sharing sharing;
  bool quiet = false;
};

struct shrink_request {
  std::string file;
  std::string harm;  ///< what is to stay: `S4`, `double.commits >= 1`
  std::vector<scenario::override_value> overrides;
  std::optional<std::uint64_t> seed;  ///< as the scenario has it if absent
  double seconds = 120;               ///< of wall time, at most
  std::optional<std::string> out;
  bool quiet = false;
};

struct conform_request {
  store::address where;
  std::uint32_t sequences = 3000;
  std::optional<std::uint64_t> seed;
  std::optional<std::uint32_t> only;  ///< that sequence alone, from 1
  store::variant variant = store::variant::functions;
  std::vector<sim_duration> durations;  ///< not empty: these TTLs, in place of sequences
  commands::format format = commands::format::text;
  bool quiet = false;
};

struct torment_request {
  std::vector<std::string> cases;  ///< all of them if empty
  bool list = false;
  std::uint32_t runs = 1;
  std::optional<double> seconds;  ///< each run takes; else as long as its case has it
  std::optional<std::string> out;
  std::optional<std::uint64_t> seed;
  commands::format format = commands::format::text;
  bool quiet = false;
};

/// One process of `torment`, which alone asks for it.
struct matcher_request {
  std::string plan;  ///< file
};

/// Kept in memory where there is neither a file of SQLite nor a PostgreSQL.
struct serve_request {
  std::optional<std::string> file;
  std::optional<store::address> database;
  service::listen_address listen;
  std::optional<std::string> token_file;
};

struct explore_request {
  std::string file;
  std::vector<scenario::override_value> overrides;
  std::vector<std::string> fields;  ///< as typed; the usual ones if empty
  std::optional<std::uint64_t> seed;
  std::uint32_t seeds = 20;
  std::uint32_t jobs = 1;
  int port = 0;       ///< any that is free
  bool open = false;  ///< a browser
  bool force = false;
};

struct load_request {
  std::string url;
  std::string file;  ///< `first-run` as it ships if empty
  std::vector<scenario::override_value> overrides;
  std::optional<std::uint64_t> seed;
  double speed = 60;
  double seconds = 10;  ///< at most
  std::uint32_t connections = 16;
  std::uint32_t threads = 1;
  std::optional<std::string> token_file;
  std::optional<std::string> out;
  commands::format format = commands::format::text;
  bool quiet = false;
};

struct completion_request {
  std::string shell;
};

/// `--help`; "" is dibs itself.
struct help_request {
  std::string command;
};

/// All man pages, into a folder to make. Only an installation asks for it.
struct man_request {
  std::string directory;
};

/// Text that was asked for: `--version`.
struct text_request {
  std::string text;
};

using request = std::variant<run_request,
                             sweep_request,
                             compare_request,
                             tune_request,
                             region_request,
                             replay_request,
                             explain_request,
                             report_request,
                             validate_request,
                             schema_request,
                             reference_request,
                             init_request,
                             list_request,
                             metrics_request,
                             formats_request,
                             economics_request,
                             survive_request,
                             check_request,
                             bench_request,
                             hunt_request,
                             shrink_request,
                             conform_request,
                             node_request,
                             torment_request,
                             matcher_request,
                             worker_request,
                             serve_request,
                             explore_request,
                             load_request,
                             completion_request,
                             help_request,
                             man_request,
                             text_request>;

}  // namespace dibs::commands
