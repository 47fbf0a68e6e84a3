// What `--help` says of the commands that print what dibs knows.

#include "cli/help_pages.hpp"

namespace dibs::cli {
namespace {

constexpr std::string_view validate_uses = R"(
  dibs validate scenarios/first-run.yaml
      Every mistake, with file, line and column
  dibs validate scenarios/*.yaml
      Several
  dibs validate scenarios/first-run.yaml --set drivers.count=100000
      With a field changed
)";

constexpr std::array validate_exits{
    exit_line{exit_code::done, "all are valid"},
    exit_line{exit_code::invalid_input, "at least one is not"},
};

constexpr std::string_view list_uses = R"(
  dibs list
      All, a line each
  dibs list --format json
      For a program
  DIBS_SCENARIOS=scenarios/incidents dibs list
      Those of another folder
)";

constexpr std::string_view list_rest = R"(
Looks in $DIBS_SCENARIOS, else in ./scenarios, else near the program, where an installation has them.
)";

constexpr std::string_view init_uses = R"(
  dibs init my.yaml && dibs run my.yaml
      Write my.yaml, and run it
  dibs init my.yaml --requests trips.csv && dibs run my.yaml
      Replay requests of your own
  dibs init my.yaml --requests od.csv --zones middles.csv && dibs run my.yaml
      Draw requests at the rates of a matrix: origin, destination, trips, perhaps hour
)";

constexpr std::string_view init_rest = R"(
--requests looks at the file and says what it took for what: times (seconds, clock times, dates,
epochs), places (degrees, WKT points, cells of H3, or zones whose middles --zones has), and how long
trips took. A file that says how many ride from each place to each other, in pairs or as a square,
perhaps by hour, becomes a source of rides at these rates. Commas, semicolons, tabs or vertical bars
part its fields; it may be compressed with gzip, or UTF-16. The scenario takes its busiest two hours.
What the file does not say, such as drivers and matchers, is assumed, and stands in the scenario.
)";

constexpr std::string_view schema_uses = R"(
  dibs schema > scenario.schema.json
      For an editor that completes and checks scenarios
  dibs init my.yaml && dibs schema > scenario.schema.json
      Beside a scenario, whose first line names it
  dibs schema | python3 -m json.tool --compact
      In one line
)";

constexpr std::string_view schema_rest = R"(
As the first line of a scenario:
    # yaml-language-server: $schema=./scenario.schema.json
)";

constexpr std::string_view reference_uses = R"(
  dibs reference | less
      Read it
  dibs reference | grep lease.offer_window
      Look a field up
  dibs reference --format man > dibs-scenario.5
      A man page: man ./dibs-scenario.5
)";

constexpr std::string_view metrics_uses = R"(
  dibs metrics
      All, a line each
  dibs metrics accepts
      Those whose names begin with accepts
  dibs metrics --format json
      For a program
)";

constexpr std::string_view metrics_rest = R"(
In a scenario:
    thresholds:
      rides.match_rate: ">= 0.85"
      ttm.p95: "<= 45s"
)";

constexpr std::string_view formats_uses = R"(
  dibs formats | less
      Read it
  dibs formats | grep hidden_share
      Look a column up
  dibs formats --format json > formats.json
      For a program
)";

constexpr std::string_view formats_rest = R"(
What is in the files of a run and of a sweep, and what --format csv and json print, with units.
)";

constexpr std::string_view completion_uses = R"(
  source <(dibs completion bash)
      For this bash; in ~/.bashrc for each
  dibs completion zsh > _dibs
      For zsh, in a folder of $fpath
  dibs completion fish > dibs.fish
      For fish, in ~/.config/fish/completions
)";

constexpr std::string_view economics_uses = R"(
  dibs economics --operation 5s --rtt 50ms --failures 2/h --false-positive-cost 10 --unavailability-cost 1
      By the document's calculator, and corrected
  dibs economics --operation 5s --rtt 50ms --failures 2/h --false-positive-cost 10 --unavailability-cost 1 --mode corrected
      The corrected calculation alone
  dibs economics --operation 5s --rtt 50ms --failures 2/h --false-positive-cost 10 --unavailability-cost 1 --format json
      For a program
)";

constexpr std::string_view economics_rest = R"(
It answers how long the lease of an owner should be that may fail under it, by arithmetic alone. What
a lease does to drivers and riders `dibs tune` finds, by simulation of a scenario.

A short lease is renewed often, and one renewal in 1,000 takes a living owner for a dead one; a long
lease keeps what a dead owner held from everybody else.
  compat      the calculator of the document "Lease Pattern: time-bound resource ownership", bit for
              bit, with its mistakes
  corrected   checked arguments, one unit, any length: d = sqrt(7.2 fp / (rate un)), or an operation
              and three round trips if that is longer
  both        the two side by side, and what the document gets wrong
)";

constexpr std::array economics_exits{
    exit_line{exit_code::done, "done"},
    exit_line{exit_code::usage, "wrong usage, or arguments for which there is no answer"},
};

constexpr std::array documents_pages{
    page{"validate",
         "Check scenarios: everything that is wrong, in one pass",
         validate_uses,
         "",
         validate_exits},
    page{"list", "List the scenarios that ship, each with its question", list_uses, list_rest},
    page{"init", "Write a commented scenario to start from", init_uses, init_rest},
    page{"schema", "Print the JSON Schema of scenarios, for editors", schema_uses, schema_rest},
    page{"reference", "Print the reference of all scenario fields", reference_uses, ""},
    page{"metrics",
         "List all metrics: names for thresholds, and what they mean",
         metrics_uses,
         metrics_rest},
    page{"formats", "List all files and columns, with units", formats_uses, formats_rest},
    page{"completion", "Print a completion script for a shell", completion_uses, ""},
    page{"economics",
         "Calculate how long a lease should be, by what it costs",
         economics_uses,
         economics_rest,
         economics_exits},
};

}  // namespace

std::span<const page> pages_of_documents() { return documents_pages; }

}  // namespace dibs::cli
