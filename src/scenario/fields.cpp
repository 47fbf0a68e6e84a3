#include "scenario/fields.hpp"

#include "scenario/record.hpp"
#include "scenario/scalar_types.hpp"

namespace dibs::scenario {

namespace {

constexpr std::size_t question_length_max = 1000;
constexpr sim_duration series_min = 10ms;

field_type<output_options> output_kind() {
  return record<output_options>()
      .field("series",
             &output_options::series,
             a_duration({.at_least = series_min}),
             "the step of `series.csv`")
      .field("events",
             &output_options::events,
             one_of<bool>({{"none", false}, {"all", true}}),
             "whether every event is kept in `events.jsonl`")
      .as_kind();
}

field_type<incident_options> incident_kind() {
  constexpr std::size_t length_max = 400;
  return record<incident_options>()
      .field("cause", &incident_options::cause, a_text("text", length_max), "in a sentence")
      .field("source", &incident_options::source, a_text("text", length_max), "where it was told")
      .field("without",
             &incident_options::without,
             list_of(a_text("path=value", length_max), "", true),
             "what takes the cause away, as for `--set`")
      .field("harms",
             &incident_options::harms,
             list_of(a_metric(), "", true),
             "metrics that are worse with the cause where a protocol breaks, besides double "
             "assignments, broken promises and stale confirms")
      .as_kind();
}

constexpr double price_max = 1e9;

field_type<cost_options> costs_kind() {
  const auto a_price = [] { return a_real({.at_least = 0.0, .at_most = price_max}); };
  return record<cost_options>()
      .field("missed_accept",
             &cost_options::missed_accept,
             a_price(),
             "of each accept that became no trip: `accepts.missed`")
      .field("double_assignment",
             &cost_options::double_assignment,
             a_price(),
             "of each driver on two trips and each ride with two drivers: `double.commits` and "
             "`double.rides`")
      .field("hidden_driver_hour",
             &cost_options::hidden_driver_hour,
             a_price(),
             "of an hour that a driver is hidden for nothing: `supply.hidden_s`")
      .field("starved_rider_minute",
             &cost_options::starved_rider_minute,
             a_price(),
             "of a minute that a rider waits because hidden drivers are all there are: "
             "`supply.starved_s`")
      .as_kind();
}

field_type<scenario> make() {
  record<scenario> s;
  s.fixed("version", a_count({.at_least = 1U, .at_most = 1U}), 1U, "of the scenario language")
      .required();
  s.field("name",
          &scenario::name,
          a_name(),
          "what reports call the run; the file's name if it is not given")
      .without_default();
  s.field("question",
          &scenario::question,
          a_text("text", question_length_max),
          "what the run is to answer, for `dibs list` and reports");
  s.field("seed",
          &scenario::seed,
          a_seed(),
          "the root of all randomness: every stream derives from (seed, entity, purpose, try)");
  s.field("clock",
          &scenario::clock,
          clock_kind(),
          "How long the run is. All times count from its start, warm-up included.");
  s.field("world", &scenario::world, world_kind(), "Where it happens.");
  s.field("demand",
          &scenario::demand,
          list_of(demand_kind(), "", false),
          "Where rides come from: sources that add up.")
      .required();
  s.field("riders", &scenario::riders, riders_kind(), "How long riders wait, and when they leave.");
  s.field("drivers", &scenario::drivers, drivers_kind(), "Supply, and how drivers answer.")
      .required();
  s.field("matchers",
          &scenario::matchers,
          matchers_kind(),
          "How many compete, and how each picks drivers.");
  s.field("lease", &scenario::lease, lease_kind(), "What is under test: how a driver is reserved.");
  s.field("network",
          &scenario::network,
          list_of(link_kind(), "link", true),
          "Links between nodes; the first entry that covers a message counts. A link that is not "
          "listed delivers at once and loses nothing.");
  s.field("clocks",
          &scenario::clocks,
          list_of(clock_error_kind(), "id", true),
          "Clocks that are wrong. Every node has a wall clock and a monotonic clock, on which its "
          "timers run. Of several entries that cover a node the last one counts; all other clocks "
          "read true time.");
  s.field(
      "faults", &scenario::faults, list_of(fault_kind(), "id", true), "What goes wrong, and when.");
  s.field("thresholds",
          &scenario::thresholds,
          some_bounds(),
          "Service levels; a miss is exit code 99.");
  s.field("expect",
          &scenario::expect,
          some_bounds(),
          "What the scenario demonstrates; a miss is exit code 99.");
  s.field("costs",
          &scenario::costs,
          costs_kind(),
          "What harms cost, in any one currency: with prices there is `costs.per_ride`, which "
          "`dibs tune` makes least.");
  s.field("incident",
          &scenario::incident,
          incident_kind(),
          "What `dibs survive` compares: the scenario with its cause and without.");
  s.field("output", &scenario::output, output_kind(), "What is kept.");
  return s.as_kind();
}

}  // namespace

const field_type<scenario>& scenario_kind() {
  static const field_type<scenario> table = make();
  return table;
}

}  // namespace dibs::scenario
