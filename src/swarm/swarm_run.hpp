/// Many short runs, each with faults of its own, and what broke in them.
#pragma once

#include "base/result.hpp"
#include "lease/protocol.hpp"
#include "swarm/fault_mixture.hpp"
#include "work/shared_study.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dibs::swarm {

/// A run that broke a promise, and how to repeat it.
struct broken_run {
  std::uint32_t number = 0;
  std::uint64_t seed = 0;
  std::vector<scenario::override_value> overrides;
  lease::invariant first{};         ///< the promise that was broken first
  std::vector<std::string> broken;  ///< "S4: driver 17 is held by rides 3 and 9"
};

struct swarm_result {
  std::uint32_t runs = 0;
  std::uint32_t broken = 0;  ///< runs that broke a promise
  std::uint32_t harmed = 0;  ///< runs in which one of the harms was above 0, promised or not
  std::map<std::uint32_t, double> harm{};                 ///< how much, by the number of the run
  std::array<std::uint32_t, lease::invariants> judged{};  ///< in so many runs
  std::uint64_t events = 0;
  std::uint64_t leases = 0;
  std::vector<broken_run> first;  ///< of the broken ones, by number, at most 10
};

struct chase_options {
  std::string file;
  std::uint64_t seed = 1;
  std::uint32_t runs = 1;
  std::uint32_t first = 0;  ///< the number of the first run
  std::uint32_t jobs = 1;
  std::optional<std::uint32_t> only;                ///< this number alone
  std::vector<scenario::override_value> overrides;  ///< on top of what is drawn
  double chance = 0.5;                              ///< of each hazard, in each run
  bool guided = false;            ///< towards what is rarely seen; not with `only` or `shared`
  bool ends_when_broken = false;  ///< after the batch in which a run broke a promise
  std::vector<std::string_view> always{};  ///< hazards that are in every run
  std::vector<std::string_view> harms{
      "double.commits", "double.rides", "confirms.stale_accepted"};  ///< metrics
  std::function<void(std::uint32_t done)> on_progress;
  const std::atomic<bool>* stop = nullptr;
  work::shared_study* shared = nullptr;  ///< with others, if not null: of the same file and seed
};

/// The same for any number of jobs. Errors: a scenario that cannot be read with what was drawn; a
/// run that broke off; `interrupted`.
[[nodiscard]] result<swarm_result> run_swarm(const chase_options& how);

}  // namespace dibs::swarm
