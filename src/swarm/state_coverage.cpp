#include "swarm/state_coverage.hpp"

#include <algorithm>
#include <bit>
#include <variant>

namespace dibs::swarm {
namespace {

constexpr std::size_t counted_max = 3;  ///< more are as many
constexpr std::size_t kinds = std::variant_size_v<events::fact>;
constexpr std::size_t causes = 16;
constexpr std::size_t standings = 4 * (counted_max + 1) * 2;
constexpr std::size_t distances = 16;
constexpr std::size_t message_kinds = 64;
constexpr std::size_t doublings = 8;  ///< of a count, up to 255

// Where each group of signs begins.
constexpr std::size_t of_standing = kinds * causes;
constexpr std::size_t of_distance = of_standing + kinds * standings;
constexpr std::size_t of_tampering = of_distance + 3 * distances;
constexpr std::size_t of_outage = of_tampering + message_kinds * 3;

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

std::size_t cause_in(const events::fact& f) {
  return std::visit(
      [](const auto& each) -> std::size_t {
        if constexpr (requires { each.cause; }) {
          return static_cast<std::size_t>(each.cause);
        } else if constexpr (requires { each.repeated; }) {
          return each.repeated ? 1 : 0;
        } else if constexpr (requires { each.answer; }) {
          return static_cast<std::size_t>(each.answer);
        } else {
          return 0;
        }
      },
      f);
}

std::size_t few(std::size_t n) { return std::min(n, counted_max); }

/// How far it is to the end of the lease, or since: in powers of four from a millisecond.
std::size_t distance_of(sim_duration left) {
  const bool is_over = left <= sim_duration::zero();
  const auto ms = static_cast<std::uint64_t>(std::abs(left.count()) / 1'000'000);
  return std::min<std::size_t>(std::bit_width(ms) / 2, distances / 2 - 1) +
         (is_over ? distances / 2 : 0);
}

}  // namespace

void state_coverage::observe(std::span<const events::event> batch) {
  for (const events::event& e : batch) {
    if (std::holds_alternative<events::call_made>(e.what)) {
      continue;
    }
    count(e.what.index() * causes + std::min(cause_in(e.what), causes - 1));
    if (const driver_id who = driver_of(e.what); who.is_some()) {
      see(e, who);
    } else {
      see_fault(e.what);
    }
  }
}

void state_coverage::see(const events::event& e, driver_id who) {
  if (who.value >= drivers_.size()) {
    drivers_.resize(who.value + std::size_t{1});
  }
  driver_state& d = drivers_[who.value];
  see_standing(e, d);
  follow(d, e.what);
}

void state_coverage::see_standing(const events::event& e, const driver_state& d) {
  const std::uint64_t token = token_in(e.what);
  std::size_t state = e.what.index();
  state = state * 4 + static_cast<std::size_t>(d.lease);
  state = state * (counted_max + 1) + few(d.tries.size());
  state = state * 2 + (token == d.token ? 1 : 0);
  count(of_standing + state);
  const std::size_t judged = std::holds_alternative<events::confirm_accepted>(e.what)  ? 0
                             : std::holds_alternative<events::confirm_refused>(e.what) ? 1
                             : std::holds_alternative<events::lease_renewed>(e.what)   ? 2
                                                                                       : 3;
  if (judged < 3) {
    count(of_distance + judged * distances + distance_of(d.expires - e.local));
  }
}

void state_coverage::see_fault(const events::fact& f) {
  if (const auto* t = std::get_if<events::message_tampered>(&f)) {
    count(of_tampering + static_cast<std::size_t>(t->message) % message_kinds * 3 +
          static_cast<std::size_t>(t->what));
  }
  const auto* c = std::get_if<events::node_crashed>(&f);
  if (c != nullptr &&
      (c->node.kind() == node_kind::lease_manager || c->node.kind() == node_kind::ledger)) {
    const auto with = [this](standing s) {
      return few(static_cast<std::size_t>(std::ranges::count(drivers_, s, &driver_state::lease)));
    };
    const std::size_t which = c->node.kind() == node_kind::ledger ? 1 : 0;
    count(of_outage + (which * 4 + with(standing::leased)) * 4 + with(standing::confirmed));
  }
}

void state_coverage::count(std::size_t what) {
  std::uint8_t& times = counts_.at(what);
  times = static_cast<std::uint8_t>(std::min(times + 1, 255));
}

std::vector<std::uint16_t> state_coverage::signs(std::uint32_t judged) const {
  std::vector<std::uint16_t> all;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    for (int twice = 0; twice < std::bit_width(counts_[i]); ++twice) {
      all.push_back(static_cast<std::uint16_t>(i * doublings + static_cast<std::size_t>(twice)));
    }
  }
  for (std::size_t i = 0; i < 32; ++i) {
    if ((judged >> i & 1U) != 0) {
      all.push_back(static_cast<std::uint16_t>(counts_.size() * doublings + i));
    }
  }
  return all;
}

void state_coverage::follow(driver_state& d, const events::fact& f) {
  const std::uint64_t token = token_in(f);
  if (const auto* g = std::get_if<events::lease_granted>(&f)) {
    d.lease = standing::leased;
    d.token = token;
    d.expires = g->expires;
  } else if (const auto* r = std::get_if<events::lease_renewed>(&f)) {
    d.expires = r->expires;
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
  }
}

}  // namespace dibs::swarm
