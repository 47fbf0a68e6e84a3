/// What a history on real servers is judged by: only what clients saw counts, so L, S4 and S5.
///
/// What the servers did, nobody has on record. So nothing is promised that needs their word, nor a
/// bound on delays.
#pragma once

#include "base/result.hpp"
#include "checkers/run_checker.hpp"
#include "events/facts.hpp"
#include "scenario/scenario.hpp"
#include "torment/cases.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace dibs::torment {

/// How long the store keeps a driver whose lease is confirmed. Longer than a run of a few seconds,
/// so that the word of a trip, which is repeated until it is heard, comes before that is over.
inline constexpr sim_duration confirm_hold{30s};
inline constexpr sim_duration word_surely_takes{20s};

[[nodiscard]] checkers::options checkers_options_of(const real_case& c);

/// Requires: in the order of true time.
[[nodiscard]] checkers::check_result judge(const real_case& c, std::span<const events::event> all);

/// What happened on real servers, as a scenario.
struct real_history {
  std::string name;
  std::string question;
  std::uint64_t seed = 0;
  sim_duration length{};
  std::uint32_t drivers = 0;
  std::uint32_t matchers = 0;
  std::string protocol;
  sim_duration ttl{};
  std::string judge;
};

[[nodiscard]] scenario::scenario scenario_of(const real_history& h);

/// The case as a scenario: what a kept run needs to be explained and drawn. It is not to be run:
/// its demand and its drivers are not those of the case.
[[nodiscard]] scenario::scenario scenario_of(const real_case& c,
                                             std::uint64_t seed,
                                             sim_duration length);

}  // namespace dibs::torment
