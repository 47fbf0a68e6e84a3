#include "swarm/state_coverage.hpp"

#include <algorithm>
#include <variant>

namespace dibs::swarm {
namespace {

constexpr std::uint64_t counted_max = 3;  ///< more are as many

/// The token of a fact; 0 where it has none.
std::uint64_t token_in(const events::fact& f) {
  return std::visit(
      [](const auto& each) -> std::uint64_t {
        if constexpr (requires { token_id{each.token}; }) {
          return each.token.value;
        } else {
          return 0;
        }
      },
      f);
}

driver_id driver_of(const events::fact& f) {
  return std::visit([](const auto& each) { return events::driver_in(each); }, f);
}

std::uint32_t few(std::size_t n) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(n, counted_max));
}

}  // namespace

void state_coverage::observe(std::span<const events::event> batch) {
  for (const events::event& e : batch) {
    const driver_id who = driver_of(e.what);
    if (who.is_some()) {
      see(e, who);
    }
  }
}

void state_coverage::see(const events::event& e, driver_id who) {
  driver_state& d = drivers_[who];
  const std::uint64_t token = token_in(e.what);
  const auto kind = static_cast<std::uint32_t>(e.what.index());
  const std::uint32_t is_current = token == 0 ? 2U : token == d.token ? 1U : 0U;
  std::uint32_t state = kind;
  state = state * 64 + d.last;
  state = state * 4 + static_cast<std::uint32_t>(d.lease);
  state = state * 4 + few(d.tries.size());
  state = state * 4 + few(d.shown.size());
  state = state * 4 + is_current;
  states_.insert(state);
  follow(d, e.what);
  d.last = kind;
}

void state_coverage::follow(driver_state& d, const events::fact& f) {
  const std::uint64_t token = token_in(f);
  if (std::holds_alternative<events::lease_granted>(f)) {
    d.lease = standing::leased;
    d.token = token;
  } else if (std::holds_alternative<events::confirm_accepted>(f)) {
    d.lease = token == d.token ? standing::confirmed : d.lease;
  } else if (std::holds_alternative<events::trip_committed>(f)) {
    d.lease = standing::on_trip;
    d.token = token;
  } else if (std::holds_alternative<events::lease_ended>(f) ||
             std::holds_alternative<events::trip_ended>(f) ||
             std::holds_alternative<events::assignment_revoked>(f)) {
    d.lease = token == d.token ? standing::free : d.lease;
  } else if (std::holds_alternative<events::offer_sent>(f)) {
    d.tries.insert(token);
  } else if (std::holds_alternative<events::try_closed>(f)) {
    d.tries.erase(token);
  } else if (std::holds_alternative<events::offer_shown>(f)) {
    d.shown.insert(token);
  } else if (std::holds_alternative<events::offer_answered>(f) ||
             std::holds_alternative<events::offer_dismissed>(f)) {
    d.shown.erase(token);
  }
}

}  // namespace dibs::swarm
