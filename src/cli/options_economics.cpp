// The options of `dibs economics`.

#include "cli/grammar.hpp"

#include <array>
#include <cmath>

namespace dibs::cli {
namespace {

const words_for<calculation>& calculations() {
  static const words_for<calculation> all{{"compat", calculation::compat},
                                          {"corrected", calculation::corrected},
                                          {"both", calculation::both}};
  return all;
}

std::string hourly_trouble(const std::string& text) {
  return trouble_of(scenario::read_quantity(text, scenario::hourly_rates()));
}

std::string real_trouble(const std::string& text) { return trouble_of(scenario::read_real(text)); }

const scenario::unit_family& seconds() {
  static constexpr std::array<scenario::unit, 7> units{{{"s", 1, 1},
                                                        {"ms", 1, 1e3},
                                                        {"us", 1, 1e6},
                                                        {"ns", 1, 1e9},
                                                        {"min", 60, 1},
                                                        {"m", 60, 1},
                                                        {"h", 3600, 1}}};
  static constexpr scenario::unit_family family{"a duration", "5s", units};
  return family;
}

/// The double nearest to the decimal that was typed (up to 104 days), as a literal would be: the
/// exact number of nanoseconds, divided once. A measured time may have more digits than that.
scenario::reading_of<double> read_seconds(const std::string& text) {
  constexpr double nanoseconds_per_second = 1e9;
  const auto whole = scenario::read_duration(text);
  if (whole) {
    return static_cast<double>(whole->count()) / nanoseconds_per_second;
  }
  const double longest = static_cast<double>(sim_duration::max().count()) / nanoseconds_per_second;
  const auto finer = scenario::read_quantity(text, seconds());
  return finer && std::abs(*finer) < longest ? finer : tl::unexpected(whole.error());
}

std::string seconds_trouble(const std::string& text) { return trouble_of(read_seconds(text)); }

/// Requires: the texts have passed the checks of `add_economics`.
economics::parameters parameters_of(const economics_words& w) {
  return {
      .operation_s = read_seconds(w.operation).value(),
      .rtt_s = read_seconds(w.rtt).value(),
      .failures_per_hour = scenario::read_quantity(w.failures, scenario::hourly_rates()).value(),
      .false_positive_cost = scenario::read_real(w.false_positive_cost).value(),
      .unavailability_cost = scenario::read_real(w.unavailability_cost).value()};
}

}  // namespace

void grammar::add_economics() {
  CLI::App* sub = command("economics");
  const auto add = [sub](const std::string& name,
                         std::string& to,
                         const std::string& what,
                         const std::string& type,
                         std::string (*trouble)(const std::string&)) {
    sub->add_option(name, to, what)
        ->required()
        ->type_name(type)
        ->check(CLI::Validator(trouble, ""));
  };
  add("--operation",
      priced.operation,
      "How long an owner works under a lease, as in 5s",
      "TIME",
      seconds_trouble);
  add("--rtt",
      priced.rtt,
      "A round trip between owner and lease manager, as in 50ms",
      "TIME",
      seconds_trouble);
  add("--failures", priced.failures, "How often an owner fails, as in 2/h", "RATE", hourly_trouble);
  add("--false-positive-cost",
      priced.false_positive_cost,
      "What it costs to take a living owner for a dead one, in $",
      "COST",
      real_trouble);
  add("--unavailability-cost",
      priced.unavailability_cost,
      "What a second costs in which a dead owner holds the lease, in $",
      "COST",
      real_trouble);
  add_choice(sub, "--mode", economics.mode, calculations(), "compat, corrected or both; see below")
      ->type_name("MODE")
      ->default_str("both");
  add_format(sub, economics.format, formats(), "text or json");
}

request grammar::economics_asked() const {
  economics_request e = economics;
  e.parameters = parameters_of(priced);
  return e;
}

}  // namespace dibs::cli
