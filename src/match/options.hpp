/// How matchers look for drivers: the options that a scenario has for it, as the machines of this
/// room read them. Plain data.
#pragma once

#include "base/distribution.hpp"
#include "base/time.hpp"
#include "lease/options.hpp"

#include <cstdint>
#include <optional>

namespace dibs::match {

enum class pick : std::uint8_t {
  nearest,
  random,
  least_total,  ///< the rides of a batch together, at the least time of their pick-ups in all
};

/// Whether it looks only at who is near, so that `candidates` and `radius_m` mean something. What
/// is promised of a run, and what is said of one, depends on this and on no name of a policy.
[[nodiscard]] constexpr bool looks_nearby(pick p) {
  switch (p) {
    case pick::nearest:
    case pick::least_total:
      return true;
    case pick::random:
      return false;
  }
  return false;
}

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
  std::uint32_t broadcast = 1;   ///< matchers that pursue a ride side by side
  std::uint32_t open = 1;        ///< drivers whom one matcher tries at the same time for a ride
  sim_duration stagger{};        ///< each of them so long after the one before
  sim_duration total_wait{90s};  ///< a ride is given up so long after its request
  std::optional<sim_duration>
      cooldown_after_decline;  ///< the same driver for the same ride; never again if absent
  distribution next_try_after = constant_duration{};  ///< the wait before each further try

  /// How many drivers are tried at the same time for a ride.
  [[nodiscard]] std::uint32_t at_once() const { return broadcast * open; }
};

/// What counts as a try towards `offers.max`.
enum class try_unit : std::uint8_t { offer, acquire };

struct matcher_options {
  std::uint32_t count = 1;
  match::assignment assignment = assignment::in_turn;
  policy_options policy;
  match::view view = match::view::facts;
  sim_duration view_lag{};
  offer_options offers;
  try_unit tries = try_unit::offer;
  std::optional<sim_duration> look_again =
      sim_duration{1s};            ///< when nobody is near; gives up at once if absent
  sim_duration reply_timeout{5s};  ///< waiting for an answer: to a call, or after an offer
  bool queue = false;  ///< a ride for which nobody is there waits for the next driver to be free
  std::optional<sim_duration> batch;  ///< rides are tried together, so often
  std::optional<lease::claim_options> claims;
  sim_duration overhead{};  ///< of each try, before a driver is looked for

  /// Whether the rides of a batch are looked at together.
  [[nodiscard]] bool assigns_batches() const { return policy.kind == pick::least_total; }
};

}  // namespace dibs::match
