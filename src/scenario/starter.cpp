#include "scenario/cross_field_rules.hpp"
#include "scenario/fields.hpp"
#include "scenario/profiles.hpp"
#include "scenario/read.hpp"
#include "scenario/request_file.hpp"
#include "scenario/yaml_writer.hpp"
#include "text/escape.hpp"

#include <algorithm>
#include <cmath>

namespace dibs::scenario {

namespace {

/// Drivers, riders, matchers and a network as they may be anywhere.
scenario usual_parts() {
  scenario s;
  s.riders.patience = {0.5, exponential_duration{90s}};
  s.drivers.classes = {{"prompt", 0.75, lognormal_duration{4s, 0.5}, 0.9, 0.05},
                       {"choosy", 0.25, lognormal_duration{8s, 0.6}, 0.45, 0.2}};
  s.matchers.count = 2;
  s.matchers.view_lag = 500ms;
  s.lease.offer_window = 12s;
  link_options link;
  link.text = "matcher->driver";
  link.from = {node_kind::matcher, std::nullopt};
  link.to = {node_kind::driver, std::nullopt};
  link.latency = lognormal_duration{120ms, 0.8};
  link.loss = 0.005;
  s.network = {link};
  return s;
}

scenario first_scenario() {
  scenario s = usual_parts();
  s.question = "How often do two matchers offer one driver to two riders, and what does it cost?";
  s.clock.warmup = 1min;
  s.clock.duration = 10min;
  s.clock.drain = 2min;
  s.world.trip = exponential_duration{5min};
  poisson_demand steady;
  steady.rate_per_s = 0.2;
  burst_demand burst;
  burst.at = 4min;
  burst.within = 20s;
  burst.rides = 60;
  s.demand = {steady, burst};
  s.drivers.count = 120;
  s.drivers.placement = placement::uniform;
  s.matchers.policy.radius_m = 5000;
  s.faults = {
      {"stop", pause_fault{{node_kind::matcher, 1}, 5min, constant_duration{20s}, 0, {}, {}}}};
  return s;
}

/// As many as serve the rides of an hour: each is bound for a trip and some minutes on the way to
/// it, and three of four are to be busy.
std::uint32_t drivers_for(const request_file& requests) {
  constexpr double trip_unknown_s = 15 * 60;
  constexpr double way_there_s = 6 * 60;
  constexpr double busy = 0.75;
  constexpr double least = 10;
  const double bound_s =
      way_there_s + (requests.mean_trip > 0s ? in_seconds(requests.mean_trip) : trip_unknown_s);
  return static_cast<std::uint32_t>(
      std::max(least, std::ceil(requests.rides_per_hour / 3600 * bound_s / busy)));
}

std::string commented(scenario s, std::string_view name, const std::string& what_it_is) {
  complete(s, name);
  const node written = scenario_kind().write(s);
  return "# yaml-language-server: $schema=scenario.schema.json\n" + what_it_is +
         "# A field behind `#` is at its default; a `lease.profile` may fill it with another.\n\n" +
         emit_with_comments(written, *scenario_kind().about, left_to_profiles(written));
}

}  // namespace

std::string starter(std::string_view name) {
  return commented(
      first_scenario(),
      name,
      "# A scenario to start from. Most fields can be left out; the reference has them all.\n"
      "# Check it with `dibs validate`, run it with `dibs run`.\n");
}

std::string scenario_of(const request_file& requests,
                        const std::filesystem::path& written_as,
                        const std::filesystem::path& zones_as,
                        std::string_view name) {
  scenario s = usual_parts();
  s.question = "How often is a driver promised twice here, and how much supply is hidden?";
  s.clock.start = requests.begins;
  s.clock.duration = requests.lasts;
  s.world.bounds = requests.bounds;
  auto zones = requests.zones;
  if (zones) {
    zones->file = zones_as;
  }
  if (requests.matrix) {
    s.demand = {matrix_demand{.file = written_as,
                              .format = *requests.matrix,
                              .zones = std::move(zones),
                              .place_jitter_m = requests.place_jitter_m}};
  } else {
    s.demand = {trace_demand{.file = written_as,
                             .columns = requests.columns,
                             .zones = std::move(zones),
                             .time_jitter = requests.time_jitter,
                             .place_jitter_m = requests.place_jitter_m}};
  }
  s.drivers.count = drivers_for(requests);
  std::string what_it_is = std::string(requests.matrix ? "# Draws requests at the rates of a file."
                                                       : "# Replays requests from a file.") +
                           " What the file does not say (drivers, riders, "
                           "matchers, the\n# network) is assumed: change it to what is yours.\n";
  for (const std::string& doubt : requests.doubts) {
    what_it_is += "# Note: " + text::display_text(doubt, 600) + "\n";
  }
  return commented(std::move(s), name, what_it_is);
}

}  // namespace dibs::scenario
