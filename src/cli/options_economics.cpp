// The options of `dibs economics`.

#include "cli/grammar.hpp"

#include <array>
#include <cmath>

namespace dibs::cli {
namespace {

const words_for<commands::calculation>& calculations() {
  static const words_for<commands::calculation> all{{"compat", commands::calculation::compat},
                                                    {"corrected", commands::calculation::corrected},
                                                    {"both", commands::calculation::both}};
  return all;
}

text::parse_result<double> read_hourly(const std::string& text) {
  return text::read_quantity(text, text::hourly_rates());
}

text::parse_result<double> read_cost(const std::string& text) { return text::read_real(text); }

const text::unit_family& seconds() {
  static constexpr std::array<text::unit_factor, 7> units{{{"s", 1, 1},
                                                           {"ms", 1, 1e3},
                                                           {"us", 1, 1e6},
                                                           {"ns", 1, 1e9},
                                                           {"min", 60, 1},
                                                           {"m", 60, 1},
                                                           {"h", 3600, 1}}};
  static constexpr text::unit_family family{"a duration", "5s", units};
  return family;
}

/// The double nearest to the decimal that was typed (up to 104 days), as a literal would be: the
/// exact number of nanoseconds, divided once. A measured time may have more digits than that.
text::parse_result<double> read_seconds(const std::string& text) {
  constexpr double nanoseconds_per_second = 1e9;
  const auto whole = text::read_duration(text);
  if (whole) {
    return static_cast<double>(whole->count()) / nanoseconds_per_second;
  }
  const double longest = static_cast<double>(sim_duration::max().count()) / nanoseconds_per_second;
  const auto finer = text::read_quantity(text, seconds());
  return finer && std::abs(*finer) < longest ? finer : tl::unexpected(whole.error());
}

}  // namespace

void grammar::add_economics() {
  CLI::App* sub = command("economics");
  economics::parameters& to = economics.parameters;
  const auto add = [sub](const std::string& name,
                         double& into,
                         const std::string& what,
                         const std::string& type,
                         text::parse_result<double> (*read)(const std::string&)) {
    add_quantity(sub, name, into, read, what)->required()->type_name(type);
  };
  add("--operation",
      to.operation_s,
      "How long an owner works under a lease, as in 5s",
      "TIME",
      read_seconds);
  add("--rtt",
      to.rtt_s,
      "A round trip between owner and lease manager, as in 50ms",
      "TIME",
      read_seconds);
  add("--failures",
      to.failures_per_hour,
      "How often an owner fails, as in 2/h",
      "RATE",
      read_hourly);
  add("--false-positive-cost",
      to.false_positive_cost,
      "What it costs to take a living owner for a dead one, in $",
      "COST",
      read_cost);
  add("--unavailability-cost",
      to.unavailability_cost,
      "What a second costs in which a dead owner holds the lease, in $",
      "COST",
      read_cost);
  add_choice(sub, "--mode", economics.mode, calculations(), "compat, corrected or both; see below")
      ->type_name("MODE")
      ->default_str("both");
  add_format(sub, economics.format, formats(), "text or json");
}

}  // namespace dibs::cli
