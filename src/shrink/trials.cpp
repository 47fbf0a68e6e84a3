#include "shrink/trials.hpp"

#include "scenario/yaml_writer.hpp"

#include <algorithm>
#include <utility>

namespace dibs::shrink {
namespace {

/// The runs of one candidate take about so many events in all, or as many as one of the best.
constexpr std::uint64_t fresh_events = 40'000;
constexpr std::uint64_t fresh_max = 10;
constexpr std::uint64_t fresh_max_of_large = 40;

/// A run of the best and a few events more: what is left out may make others busier.
constexpr std::uint64_t events_of_few = 2'000;
constexpr std::uint64_t busier = 3;

}  // namespace

trials::trials(scenario::node begin,
               sighting seen,
               const oracle& shows,
               std::uint64_t runs_max,
               listener on_smaller)
    : best_(std::move(begin)),
      seen_(std::move(seen)),
      shows_(&shows),
      runs_max_(runs_max),
      on_smaller_(std::move(on_smaller)) {}

bool trials::take(scenario::node candidate, gain hoped) {
  const std::string text = scenario::write_yaml(candidate) + std::to_string(seen_.seed) +
                           (hoped == gain::large ? " large" : "");
  if (is_over_ || tried_.contains(text)) {
    return false;
  }
  if (!run(candidate, seen_.seed) && !run_fresh(candidate, hoped)) {
    tried_.insert(text);
    return false;
  }
  best_ = std::move(candidate);
  if (on_smaller_) {
    on_smaller_(best_, runs_);
  }
  return true;
}

/// Whether it does the harm with some fresh seed. Requires: it was run with the usual one.
bool trials::run_fresh(const scenario::node& candidate, gain hoped) {
  const std::uint64_t usual = seen_.seed;
  const std::uint64_t most = hoped == gain::large ? fresh_max_of_large : fresh_max;
  const std::uint64_t events_most = std::max(fresh_events, seen_.events);
  std::uint64_t events = last_events_;
  // What makes no scenario with one seed makes none with another.
  for (std::uint64_t seed = 1; seed <= most && last_events_ > 0 && !is_over_; ++seed) {
    if (events + last_events_ > events_most) {
      return false;
    }
    if (seed != usual && run(candidate, seed)) {
      return true;
    }
    events += last_events_;
  }
  return false;
}

void trials::settle_seed(std::uint64_t most) {
  const scenario::node same = best_;
  const std::uint64_t usual = seen_.seed;
  for (std::uint64_t seed = 1; seed <= std::min(most, usual - 1); ++seed) {
    if (is_over_ || run(same, seed)) {
      return;
    }
  }
}

std::uint64_t trials::harmful_of(std::uint64_t most) {
  std::uint64_t harmful = 0;
  for (std::uint64_t seed = 1; seed <= most; ++seed) {
    const auto found = look(best_, seed);
    harmful += found && found->harmful ? 1U : 0U;
  }
  return harmful;
}

/// Nothing if it is over.
std::optional<sighting> trials::look(const scenario::node& candidate, std::uint64_t seed) {
  if (is_over_ || runs_ >= runs_max_) {
    is_over_ = true;
    return std::nullopt;
  }
  ++runs_;
  auto found = (*shows_)(candidate, seed, busier * seen_.events + events_of_few);
  last_events_ = found ? found->events : 0;
  if (!found) {
    is_over_ = true;
    was_stopped_ = true;
  }
  return found;
}

bool trials::run(const scenario::node& candidate, std::uint64_t seed) {
  auto found = look(candidate, seed);
  if (!found || !found->harmful || found->rides > seen_.rides) {
    return false;
  }
  seen_ = std::move(*found);
  return true;
}

}  // namespace dibs::shrink
