#include "load/judgement.hpp"

#include "text/number.hpp"
#include "text/quantity.hpp"
#include "torment/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dibs::load {
namespace {

constexpr double drift_ppm = 200;  // between a service's clock and the machine's
/// A service counts whole milliseconds, and another one after a restart may count them otherwise.
constexpr sim_duration grain{2ms};

}  // namespace

result<sim_duration> ttl_of(const scenario::scenario& s, double speed) {
  const sim_duration asked = s.lease.granted_ttl();
  if (asked == forever) {
    return failure(exit_code::invalid_input,
                   "load: leases of this scenario have no end, and those of a service have one; "
                   "set lease.ttl");
  }
  // In whole milliseconds, as services count.
  const auto ttl = sim_duration{
      std::chrono::milliseconds(static_cast<std::int64_t>(in_seconds(asked) * 1e3 / speed))};
  if (ttl < ttl_min || ttl > ttl_max) {
    return failure(exit_code::invalid_input,
                   fmt::format("load: leases of {} are {} at speed {:g}; they must be {} to {}",
                               text::print_duration(asked),
                               text::duration(ttl),
                               speed,
                               text::print_duration(ttl_min),
                               text::print_duration(ttl_max)));
  }
  return ttl;
}

checkers::options checkers_options_of(sim_duration ttl, std::uint32_t drivers) {
  using lease::invariant;
  return {.promises = bit(invariant::one_order_of_calls) | bit(invariant::no_double_commit),
          .drivers = drivers,
          .confirms = false,
          .ledger = lease::ledger_rule::take_all,
          .confirm_hold = forever,
          .overstay = sim_duration::zero(),
          .no_show_tells = false,
          .trips_tell = false,
          .drift_ppm = drift_ppm + 1e6 * in_seconds(grain) / in_seconds(std::max(ttl, ttl_min)),
          .denials_tell = true,
          .renewals_tell = true,
          .withdrawal = forever,
          .in_flight = forever};
}

holding_terms holding_terms_of(sim_duration ttl) {
  const auto drift = static_cast<std::int64_t>(static_cast<double>(ttl.count()) * drift_ppm * 1e-6);
  return {.ttl = ttl, .margin = grain + sim_duration{drift}};
}

scenario::scenario scenario_of(const kept_load& k) {
  return torment::scenario_of({.name = "load-" + k.name,
                               .question = "Does a lease service keep its word?",
                               .seed = k.seed,
                               .length = k.length,
                               .drivers = k.drivers,
                               .matchers = k.matchers,
                               .protocol = "lease",
                               .ttl = k.ttl,
                               .judge = "holder"});
}

}  // namespace dibs::load
