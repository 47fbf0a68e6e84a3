/// Drives a lease service with the demand of a scenario, and judges it by what its callers were
/// told: the load of `dibs load`.
#pragma once

#include "base/result.hpp"
#include "checkers/run_checker.hpp"
#include "events/facts.hpp"
#include "load/lane.hpp"
#include "load/service_record.hpp"
#include "scenario/scenario.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dibs::load {

struct load_progress {
  sim_duration passed{};
  sim_duration length{};
  std::uint64_t answers = 0;
};

struct load_options {
  std::string url;     ///< as `service_client::read_url` gives it
  std::string bearer;  ///< empty: none
  std::uint64_t seed = 1;
  double speed = 1;
  sim_duration length{};  ///< at most, in real time
  std::uint32_t connections = 16;
  std::uint32_t threads = 1;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(const load_progress&)> on_progress{};
};

struct load_result {
  std::vector<events::event> events;  ///< in the order of true time
  sim_time end{};
  sim_duration ttl{};     ///< in real time
  sim_duration length{};  ///< until no more was begun
  double wall_s = 0;
  lane_figures figures;
  service_account service;
  checkers::check_result checks;
  bool was_stopped = false;
};

/// Errors: the service cannot be reached (exit code 6), or wants a bearer token (2); leases of this
/// scenario do not fit (3); demand data that cannot be read.
[[nodiscard]] result<load_result> run(const scenario::scenario& s, const load_options& how);

}  // namespace dibs::load
